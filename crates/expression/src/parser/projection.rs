//! Tokens → the paths of a projection.

use super::Parser;
use crate::check::check_paths;
use crate::lexer::TokenKind;
use crate::refusal::SyntaxFault;
use crate::syntax::ParsedPath;

/// Parses a projection and checks all of it that needs no placeholders: size, syntax, reserved words.
pub(crate) fn parse_projection(text: &str) -> Result<Vec<ParsedPath<'_>>, SyntaxFault> {
    let mut parser = Parser::new(text, &[])?;
    let mut paths = vec![parser.whole_path()?];
    while parser.take(TokenKind::Comma) {
        paths.push(parser.whole_path()?);
    }
    parser.finish()?;
    check_paths(&paths)?;
    Ok(paths)
}
