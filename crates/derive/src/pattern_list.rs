//! `#[derive(PatternList)]`: the access patterns of a table that the table's own crate cannot name.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::{DeriveInput, Error, Path, Result};

use crate::key_path::KeyPath;
use crate::option::{self, Faults, Options};
use crate::structure::{Role, place, refuse_fields};
use crate::table::pattern_shapes;

const OPTIONS: Options =
    Options { owner: "pattern_list", once: &["table", "patterns", "crate"], repeated: &[] };

/// The implementation of a list; on a fault of an attribute, the fault.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    expand(input).unwrap_or_else(|error| error.to_compile_error())
}

fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let (mut table, mut crate_path) = (None, None);
    let mut patterns: Vec<Path> = Vec::new();
    let mut faults = Faults::default();
    faults.take(refuse_fields(input, Role::PatternList));
    faults.take(OPTIONS.read(&input.attrs, &mut |option, input| {
        match option.to_string().as_str() {
            "table" => table = Some(option::path(option, input)?),
            "patterns" => patterns = option::list(option, input)?,
            "crate" => crate_path = Some(option::path(option, input)?),
            other => unreachable!("the list of options has no `{other}`"),
        }
        Ok(())
    }));
    faults.into_result(())?;
    let Some(table) = table else {
        return Err(Error::new(
            place(input),
            format!("`{}` has no `table`: say whose patterns it lists: `table = App`", input.ident.unraw()),
        ));
    };
    let (key, ident) = (KeyPath::new(crate_path.as_ref()), &input.ident);
    let name = ident.unraw().to_string();
    let shapes = pattern_shapes(&key, &quote!(#table), &patterns);
    Ok(quote! {
        const _: () = {
            #shapes

            #[automatically_derived]
            impl #key::declare::PatternList<#table> for #ident {
                const SHAPE: #key::TableShape<'static> = #key::TableShape {
                    name: #name,
                    ..<#table as #key::declare::Table>::SHAPE.with_patterns(KEYWRIGHT_PATTERNS)
                };
                const IS_READABLE: bool = <#table as #key::declare::Table>::IS_READABLE
                    #(&& <#patterns as #key::declare::AccessPattern>::IS_READABLE)*;
            }
            // A list is a name: this is the one value that is ever made of it.
            const _: #ident = #ident;
        };
    })
}
