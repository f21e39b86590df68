//! What the design file can hold: a page for readers and a schema for editors.

use keywright_design::DesignFile;

/// The page of every key.
pub(crate) fn reference() -> String {
    DesignFile::reference_page()
}

/// The JSON schema.
pub(crate) fn schema() -> String {
    DesignFile::json_schema()
}
