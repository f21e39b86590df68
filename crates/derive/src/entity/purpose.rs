//! What an entity is there for: `purpose = "claim"`, and the attributes that the data layer keeps of its items by itself.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Error, Ident, LitStr, Path, Result};

use super::managed::ManagedFields;
use crate::key_path::KeyPath;
use crate::nearest::nearest;
use crate::option::Faults;

/// The options as they were given.
#[derive(Default)]
pub(super) struct Said {
    pub(super) purpose: Option<LitStr>,
    pub(super) count: Option<LitStr>,
    pub(super) time_to_live: Option<LitStr>,
}

/// What an entity is there for, where that is more than data.
pub(super) struct Purpose {
    kind: Kind,
    word: LitStr,
    /// The attribute of a counter's count.
    count: Option<Attribute>,
    /// The attribute that says when an item expires, if the data layer sets it.
    pub(super) time_to_live: Option<Attribute>,
}

/// An attribute that no field holds.
pub(super) struct Attribute {
    pub(super) name: String,
    pub(super) span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Claim,
    Lock,
    ExactCounter,
    ApproximateCounter,
    RateLimit,
    SingleUseToken,
}

/// The words, in the order of the guide.
const WORDS: &[(&str, Kind)] = &[
    ("claim", Kind::Claim),
    ("exact-counter", Kind::ExactCounter),
    ("approximate-counter", Kind::ApproximateCounter),
    ("lock", Kind::Lock),
    ("rate-limit", Kind::RateLimit),
    ("single-use-token", Kind::SingleUseToken),
];

/// The attribute of the count, where none is named.
const COUNT: &str = "count";

impl Purpose {
    /// Reads what was said; nothing for data.
    pub(super) fn read(said: &Said, managed: &ManagedFields) -> Result<Option<Purpose>> {
        let Some(word) = &said.purpose else {
            return refuse_without_purpose(said);
        };
        let kind = Kind::of(word)?;
        let mut faults = Faults::default();
        if let Some(count) = &said.count
            && !kind.is_counter()
        {
            faults.add(Error::new(
                count.span(),
                format!(
                    "`count` names where a counter counts, and this is a `{}`: leave it out",
                    word.value()
                ),
            ));
        }
        if let Some(time_to_live) = &said.time_to_live
            && kind.is_counter()
        {
            faults.add(Error::new(
                time_to_live.span(),
                "when a counter expires is said by a field of it: mark that by `#[entity(ttl)]`",
            ));
        }
        if let Some((_, span)) = &managed.time_to_live
            && !kind.is_counter()
            && kind != Kind::Lock
        {
            faults.add(Error::new(
                *span,
                format!(
                    "the data layer sets when a `{}` expires: leave the field out, and say `ttl = \"..\"` beside `purpose`",
                    word.value()
                ),
            ));
        }
        if let Some((_, span)) = &managed.version {
            faults.add(Error::new(
                *span,
                format!(
                    "the data layer decides by itself who may write a `{}`: leave the version out",
                    word.value()
                ),
            ));
        }
        let attribute = |text: &LitStr| Attribute { name: text.value(), span: text.span() };
        let count = kind.is_counter().then(|| {
            said.count
                .as_ref()
                .map_or_else(|| Attribute { name: COUNT.to_owned(), span: word.span() }, attribute)
        });
        let time_to_live = said.time_to_live.as_ref().map(attribute);
        faults.into_result(Some(Purpose { kind, word: word.clone(), count, time_to_live }))
    }

    /// Whether its items may be deleted.
    pub(super) fn is_deletable(&self) -> bool {
        self.kind != Kind::Lock
    }

    /// Where it is said.
    pub(super) fn span(&self) -> Span {
        self.word.span()
    }

    /// The expression of its shape.
    pub(super) fn shape(&self, key: &KeyPath) -> TokenStream {
        let count = self.count.iter().map(|count| &count.name);
        match self.kind {
            Kind::Claim => quote!(#key::Purpose::Claim),
            Kind::Lock => quote!(#key::Purpose::Lock),
            Kind::ExactCounter => quote!(#key::Purpose::ExactCounter { #(count: #count)* }),
            Kind::ApproximateCounter => quote!(#key::Purpose::ApproximateCounter { #(count: #count)* }),
            Kind::RateLimit => quote!(#key::Purpose::RateLimit),
            Kind::SingleUseToken => quote!(#key::Purpose::SingleUseToken),
        }
    }

    /// The expressions of the shapes of the attributes that no field holds.
    pub(super) fn attributes(&self, key: &KeyPath) -> TokenStream {
        let count = self.count.iter().map(|count| &count.name);
        let time_to_live = self.time_to_live.iter().map(|attribute| &attribute.name);
        quote! {
            #(#key::AttributeShape::of::<i64>(#count),)*
            #(#key::AttributeShape::of::<u64>(#time_to_live),)*
        }
    }

    /// The traits that say what can be called with the entity, and the types of the attributes that no field holds.
    pub(super) fn implementations(
        &self,
        key: &KeyPath,
        table: &Path,
        ident: &Ident,
        is_sharded: bool,
    ) -> TokenStream {
        let traits = match self.kind {
            Kind::Claim => quote!(Claim),
            Kind::Lock => quote!(Lock),
            Kind::ExactCounter => quote!(ExactCounter),
            Kind::ApproximateCounter => quote!(ApproximateCounter),
            Kind::RateLimit => quote!(RateLimit),
            Kind::SingleUseToken => quote!(SingleUseToken),
        };
        let counter =
            self.kind.is_counter().then(|| quote!(impl #key::declare::Counter<#table> for #ident {}));
        let in_one_item = (self.kind.is_counter() && !is_sharded)
            .then(|| quote!(impl #key::declare::CountedInOneItem for #ident {}));
        let count = self.count.iter().map(|count| of_type(key, ident, &count.name, &quote!(i64)));
        let time_to_live =
            self.time_to_live.iter().map(|attribute| of_type(key, ident, &attribute.name, &quote!(u64)));
        quote! {
            #[automatically_derived]
            impl #key::declare::#traits<#table> for #ident {}
            #counter
            #in_one_item
            #(#count)*
            #(#time_to_live)*
        }
    }
}

/// What conditions, filters and projections are compared with.
fn of_type(key: &KeyPath, ident: &Ident, name: &str, ty: &TokenStream) -> TokenStream {
    let hash = keywright_key::declare::field(name);
    quote! {
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl #key::declare::Attribute<#hash, #ty> for #ident {}
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl #key::declare::AttributeValue<#hash, #ty> for #ident {}
    }
}

fn refuse_without_purpose(said: &Said) -> Result<Option<Purpose>> {
    let mut faults = Faults::default();
    if let Some(count) = &said.count {
        faults.add(Error::new(
            count.span(),
            "`count` names where a counter counts: say that it is one, `purpose = \"approximate-counter\"` or `purpose = \
             \"exact-counter\"`, or leave it out",
        ));
    }
    if let Some(time_to_live) = &said.time_to_live {
        faults.add(Error::new(
            time_to_live.span(),
            "a field says when an item expires: mark it by `#[entity(ttl)]`. Without a field it is set by the data layer, for an \
             entity with a `purpose`",
        ));
    }
    faults.into_result(None)
}

impl Kind {
    fn of(word: &LitStr) -> Result<Kind> {
        let said = word.value();
        if let Some((_, kind)) = WORDS.iter().find(|(known, _)| *known == said) {
            return Ok(*kind);
        }
        let known: Vec<&str> = WORDS.iter().map(|(known, _)| *known).collect();
        let advice = match nearest(&said, &known) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => {
                let known = known.iter().map(|known| format!("`{known}`")).collect::<Vec<_>>().join(", ");
                format!("it is one of {known}; data has none")
            }
        };
        Err(Error::new(word.span(), format!("there is no purpose `{said}`: {advice}")))
    }

    const fn is_counter(self) -> bool {
        matches!(self, Kind::ExactCounter | Kind::ApproximateCounter)
    }
}
