//! Files that are read.

use keywright_design::DesignFile;

#[test]
fn every_form_is_read() {
    let file = DesignFile::parse(include_str!("valid/every-form.toml")).unwrap();
    println!("{:#?}", file.design());
}
