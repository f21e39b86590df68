//! Options in attributes: `#[table(tenant = "..", entities(..))]`.
//!
//! Every fault of an attribute is reported at once, each at its own word: an unknown option with the nearest known one,
//! an option that is given twice, a value of another form than the option takes.

use proc_macro2::{Span, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Ident, LitChar, LitInt, LitStr, Meta, Path, Result, Token, parenthesized};

use crate::nearest::nearest;

/// The options that some attribute knows.
pub(crate) struct Options {
    /// What they are options of: `table`, or `index` within it.
    pub(crate) owner: &'static str,
    /// Those that can be given once.
    pub(crate) once: &'static [&'static str],
    /// Those that can be given many times.
    pub(crate) repeated: &'static [&'static str],
}

impl Options {
    /// Hands each option of the attributes with the owner's name to `take`, which reads its value.
    pub(crate) fn read(
        &self,
        attributes: &[Attribute],
        take: &mut dyn FnMut(&Ident, ParseStream<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut seen = Vec::new();
        let mut faults = Faults::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident(self.owner)) {
            let Meta::List(list) = &attribute.meta else {
                faults.add(Error::new_spanned(
                    attribute,
                    format!("`{0}` takes its options in parentheses: `#[{0}(..)]`", self.owner),
                ));
                continue;
            };
            faults
                .take(list.parse_args_with(|input: ParseStream<'_>| self.read_list(input, &mut seen, take)));
        }
        faults.into_result(())
    }

    /// Reads options until the end of `input`.
    pub(crate) fn read_list(
        &self,
        input: ParseStream<'_>,
        seen: &mut Vec<Ident>,
        take: &mut dyn FnMut(&Ident, ParseStream<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut faults = Faults::default();
        while !input.is_empty() {
            let option = match input.call(Ident::parse_any) {
                Ok(option) => option,
                Err(_) => {
                    faults.add(
                        input.error(format!("here the name of an option of `{}` is expected", self.owner)),
                    );
                    break;
                }
            };
            let read = match self.admit(&option, seen) {
                Ok(()) => take(&option, input),
                Err(error) => Err(error),
            };
            if let Err(error) = read {
                faults.add(error);
                skip_to_comma(input)?;
            }
            if input.is_empty() {
                break;
            }
            if !input.peek(Token![,]) {
                faults.add(input.error("here a comma is expected, before the next option"));
                skip_to_comma(input)?;
                if input.is_empty() {
                    break;
                }
            }
            input.parse::<Token![,]>()?;
        }
        faults.into_result(())
    }

    fn admit(&self, option: &Ident, seen: &mut Vec<Ident>) -> Result<()> {
        let name = option.to_string();
        if self.repeated.contains(&name.as_str()) {
            return Ok(());
        }
        if !self.once.contains(&name.as_str()) {
            return Err(Error::new(option.span(), self.unknown(&name)));
        }
        if seen.contains(option) {
            return Err(Error::new(
                option.span(),
                format!("`{name}` is given twice: keep the one that is meant"),
            ));
        }
        seen.push(option.clone());
        Ok(())
    }

    fn unknown(&self, name: &str) -> String {
        let known: Vec<&str> = self.once.iter().chain(self.repeated).copied().collect();
        match nearest(name, &known) {
            Some(nearest) => {
                format!("`{}` has no option `{name}`: did you mean `{nearest}`?", self.owner)
            }
            None => {
                let known = known.iter().map(|known| format!("`{known}`")).collect::<Vec<_>>().join(", ");
                format!("`{}` has no option `{name}`. It has {known}", self.owner)
            }
        }
    }
}

/// Faults that are reported together.
#[derive(Default)]
pub(crate) struct Faults {
    first: Option<Error>,
}

impl Faults {
    /// Adds one.
    pub(crate) fn add(&mut self, error: Error) {
        match &mut self.first {
            Some(first) => first.combine(error),
            None => self.first = Some(error),
        }
    }

    /// Adds that of a result, and gives its value.
    pub(crate) fn take<Value>(&mut self, result: Result<Value>) -> Option<Value> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.add(error);
                None
            }
        }
    }

    /// The value if there are none.
    pub(crate) fn into_result<Value>(self, value: Value) -> Result<Value> {
        match self.first {
            Some(error) => Err(error),
            None => Ok(value),
        }
    }
}

/// The name of an attribute of items: a word, or a text where it is no identifier.
#[derive(Clone)]
pub(crate) struct Name {
    /// As items store it.
    pub(crate) text: String,
    /// Where it was written.
    pub(crate) span: Span,
}

impl Parse for Name {
    fn parse(input: ParseStream<'_>) -> Result<Name> {
        if input.peek(LitStr) {
            let text: LitStr = input.parse()?;
            return Ok(Name { text: text.value(), span: text.span() });
        }
        match input.call(Ident::parse_any) {
            Ok(word) => Ok(Name { text: word.unraw().to_string(), span: word.span() }),
            Err(_) => {
                Err(input.error("here the name of an attribute is expected: a word, or a text in quotes"))
            }
        }
    }
}

/// `option = "text"`
pub(crate) fn text(option: &Ident, input: ParseStream<'_>) -> Result<LitStr> {
    equals(option, input, "\"..\"")?;
    if !input.peek(LitStr) {
        return Err(input.error(format!("`{option}` takes a text in quotes: `{option} = \"..\"`")));
    }
    input.parse()
}

/// `option = some::path`
pub(crate) fn path(option: &Ident, input: ParseStream<'_>) -> Result<Path> {
    equals(option, input, "..")?;
    if input.peek(LitStr) {
        return Err(input.error(format!("`{option}` takes a path: write it without quotes")));
    }
    input.parse().map_err(|_| input.error(format!("`{option}` takes a path: `{option} = some::path`")))
}

/// `option = word`
pub(crate) fn word(option: &Ident, input: ParseStream<'_>) -> Result<Ident> {
    equals(option, input, "..")?;
    input.call(Ident::parse_any).map_err(|_| input.error(format!("`{option}` takes a word, without quotes")))
}

/// `option = 8`
pub(crate) fn number(option: &Ident, input: ParseStream<'_>) -> Result<LitInt> {
    equals(option, input, "8")?;
    if !input.peek(LitInt) {
        return Err(input.error(format!("`{option}` takes a number: `{option} = 8`")));
    }
    input.parse()
}

/// `option(one, other)`
pub(crate) fn list<Member: Parse>(option: &Ident, input: ParseStream<'_>) -> Result<Vec<Member>> {
    within(option, input, |content| {
        Ok(Punctuated::<Member, Token![,]>::parse_terminated(content)?.into_iter().collect())
    })
}

/// `option(..)`, whose contents `read` reads.
pub(crate) fn within<Value>(
    option: &Ident,
    input: ParseStream<'_>,
    read: impl FnOnce(ParseStream<'_>) -> Result<Value>,
) -> Result<Value> {
    if !input.peek(syn::token::Paren) {
        return Err(Error::new(
            option.span(),
            format!("`{option}` takes a list in parentheses: `{option}(..)`"),
        ));
    }
    let content;
    parenthesized!(content in input);
    read(&content)
}

/// `option = '#'`
pub(crate) fn character(option: &Ident, input: ParseStream<'_>) -> Result<LitChar> {
    equals(option, input, "'#'")?;
    if !input.peek(LitChar) {
        return Err(input.error(format!("`{option}` takes a character in single quotes: `{option} = '#'`")));
    }
    input.parse()
}

fn equals(option: &Ident, input: ParseStream<'_>, example: &str) -> Result<()> {
    if !input.peek(Token![=]) {
        return Err(Error::new(option.span(), format!("`{option}` takes a value: `{option} = {example}`")));
    }
    input.parse::<Token![=]>()?;
    Ok(())
}

/// Goes to the next comma, past what could not be read.
pub(crate) fn skip_to_comma(input: ParseStream<'_>) -> Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}
