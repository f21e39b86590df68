//! Why an expression is refused, in the service's texts.
//!
//! Invariant: texts without the name of the request's member, which whoever parses an expression puts in front.

use std::fmt;

/// Why an expression is refused. `Display` is the service's text, which starts with `Invalid ConditionExpression: ` or
/// the like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The member of the request that holds the expression.
    pub member: &'static str,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// Its text.
    Syntax(SyntaxFault),
    /// Its operands.
    Operand(OperandFault),
    /// Its paths.
    Paths(PathFault),
}

/// What is wrong with the text of an expression, whatever its placeholders stand for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SyntaxFault {
    /// The text is empty.
    Empty,
    /// The text is longer than 4 KB.
    TooLong {
        /// Its length in UTF-8.
        size_bytes: usize,
    },
    /// A token that cannot stand where it does.
    Unexpected {
        /// The token, or `<EOF>`.
        token: String,
        /// The text from the token before it to the token after it.
        near: String,
    },
    /// More than 300 comparisons and calls.
    TooManyOperators {
        /// How many, as far as they were counted.
        count: usize,
    },
    /// Parentheses directly within parentheses.
    RedundantParentheses,
    /// A call of a function that does not exist.
    UnknownFunction {
        /// Its name.
        name: String,
    },
    /// A function that answers with a condition as an operand, or `size` as a condition.
    MisusedFunction {
        /// Its name.
        name: &'static str,
    },
    /// A call of a function of updates in a condition.
    NotInConditions {
        /// Its name.
        name: &'static str,
    },
    /// A call of a function of conditions in an update.
    NotInUpdates {
        /// Its name.
        name: &'static str,
    },
    /// An attribute name that is a reserved word.
    ReservedWord {
        /// The name as it is written.
        name: String,
    },
    /// A list index above 4,294,967,294.
    IndexOutOfRange {
        /// The digits as they are written.
        index: String,
    },
    /// A section of an update that occurs twice.
    RepeatedSection {
        /// Its name.
        section: &'static str,
    },
}

/// What is wrong with an expression once its placeholders are replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum OperandFault {
    /// A name placeholder stands for nothing.
    UndefinedName {
        /// The placeholder with its `#`.
        placeholder: String,
    },
    /// A value placeholder stands for nothing.
    UndefinedValue {
        /// The placeholder with its colon.
        placeholder: String,
    },
    /// A document path of more than 32 steps.
    PathTooDeep {
        /// How many it has.
        levels: usize,
    },
    /// IN with more than 100 values.
    TooManyChoices {
        /// How many it has.
        count: usize,
    },
    /// A call with too few or too many operands.
    OperandCount {
        /// The function's name.
        operator: &'static str,
        /// How many operands it has.
        count: usize,
    },
    /// A comparison or call with the same path twice.
    NotDistinct {
        /// The comparator or the function's name.
        operator: &'static str,
        /// The path, in the service's form `[a, [0], b]`.
        path: String,
    },
    /// An operand of a type that the function does not take.
    OperandType {
        /// The function's name.
        operator: &'static str,
        /// The type of the operand.
        found: &'static str,
    },
    /// ADD or DELETE of a value of a type that it does not take.
    ChangeType {
        /// `ADD` or `DELETE`.
        operator: &'static str,
        /// The type of the value, such as `STRING`.
        found: &'static str,
    },
    /// `attribute_type` with a value that names no type.
    UnknownTypeName {
        /// The value.
        found: String,
    },
    /// A function whose first operand must be a path, and is none.
    NotAPath {
        /// The function's name.
        operator: &'static str,
    },
    /// BETWEEN with values of two types.
    BoundsOfTwoTypes {
        /// The lower bound as the service prints it.
        low: String,
        /// The upper bound as the service prints it.
        high: String,
    },
    /// BETWEEN with a lower bound above the upper bound.
    BoundsOutOfOrder {
        /// The lower bound as the service prints it.
        low: String,
        /// The upper bound as the service prints it.
        high: String,
    },
}

/// What is wrong with the paths of a projection or update, each as the service prints it: `[a, [0], b]`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathFault {
    /// A path that is, or lies within, another.
    Overlap {
        /// The path that comes first.
        one: String,
        /// The other one.
        two: String,
    },
    /// Paths that take one value for a map and for a list.
    Conflict {
        /// The path that comes first.
        one: String,
        /// The other one.
        two: String,
    },
}

impl fmt::Display for SyntaxFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => formatter.write_str("The expression can not be empty;"),
            Self::TooLong { size_bytes } => write!(
                formatter,
                "Expression size has exceeded the maximum allowed size; expression size: {size_bytes}"
            ),
            Self::Unexpected { token, near } => {
                write!(formatter, "Syntax error; token: \"{token}\", near: \"{near}\"")
            }
            Self::TooManyOperators { count } => {
                write!(formatter, "The expression contains too many operators; operator count: {count}")
            }
            Self::RedundantParentheses => formatter.write_str("The expression has redundant parentheses;"),
            Self::UnknownFunction { name } => write!(formatter, "Invalid function name; function: {name}"),
            Self::MisusedFunction { name } => write!(
                formatter,
                "The function is not allowed to be used this way in an expression; function: {name}"
            ),
            Self::NotInConditions { name } => {
                write!(formatter, "The function is not allowed in a condition expression; function: {name}")
            }
            Self::NotInUpdates { name } => {
                write!(formatter, "The function is not allowed in an update expression; function: {name}")
            }
            Self::IndexOutOfRange { index } => {
                write!(formatter, "List index is not within the allowable range; index: [{index}]")
            }
            Self::RepeatedSection { section } => {
                write!(formatter, "The \"{section}\" section can only be used once in an update expression;")
            }
            Self::ReservedWord { name } => {
                write!(formatter, "Attribute name is a reserved keyword; reserved keyword: {name}")
            }
        }
    }
}

impl fmt::Display for OperandFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const OPERATOR: &str = "operator or function";
        match self {
            Self::UndefinedName { placeholder } => write!(
                formatter,
                "An expression attribute name used in the document path is not defined; \
                 attribute name: {placeholder}"
            ),
            Self::UndefinedValue { placeholder } => write!(
                formatter,
                "An expression attribute value used in expression is not defined; \
                 attribute value: {placeholder}"
            ),
            Self::PathTooDeep { levels } => {
                write!(formatter, "The document path has too many nesting levels; nesting levels: {levels}")
            }
            Self::TooManyChoices { count } => write!(
                formatter,
                "The IN operator is provided with too many operands; number of operands: {count}"
            ),
            Self::ChangeType { operator, found } => write!(
                formatter,
                "Incorrect operand type for {OPERATOR}; operator: {operator}, operand type: {found}, \
                 typeSet: ALLOWED_FOR_{operator}_OPERAND"
            ),
            Self::OperandCount { operator, count } => write!(
                formatter,
                "Incorrect number of operands for {OPERATOR}; {OPERATOR}: {operator}, \
                 number of operands: {count}"
            ),
            Self::NotDistinct { operator, path } => write!(
                formatter,
                "The first operand must be distinct from the remaining operands for this operator or \
                 function; operator: {operator}, first operand: {path}"
            ),
            Self::OperandType { operator, found } => write!(
                formatter,
                "Incorrect operand type for {OPERATOR}; {OPERATOR}: {operator}, operand type: {found}"
            ),
            Self::UnknownTypeName { found } => write!(
                formatter,
                "Invalid attribute type name found; type: {found}, \
                 valid types: {{B,NULL,SS,BOOL,L,BS,N,NS,S,M}}"
            ),
            Self::NotAPath { operator } => {
                write!(formatter, "Operator or function requires a document path; {OPERATOR}: {operator}")
            }
            Self::BoundsOfTwoTypes { low, high } => write!(
                formatter,
                "The BETWEEN operator requires same data type for lower and upper bounds; \
                 lower bound operand: AttributeValue: {low}, upper bound operand: AttributeValue: {high}"
            ),
            Self::BoundsOutOfOrder { low, high } => write!(
                formatter,
                "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; \
                 lower bound operand: AttributeValue: {low}, upper bound operand: AttributeValue: {high}"
            ),
        }
    }
}

impl fmt::Display for PathFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (verb, one, two) = match self {
            Self::Overlap { one, two } => ("overlap", one, two),
            Self::Conflict { one, two } => ("conflict", one, two),
        };
        write!(
            formatter,
            "Two document paths {verb} with each other; must remove or rewrite one of these paths; \
             path one: {one}, path two: {two}"
        )
    }
}

impl Refusal {
    pub(crate) fn new(member: &'static str, fault: impl Into<Fault>) -> Self {
        Self { member, fault: fault.into() }
    }
}

impl From<SyntaxFault> for Fault {
    fn from(fault: SyntaxFault) -> Self {
        Self::Syntax(fault)
    }
}

impl From<OperandFault> for Fault {
    fn from(fault: OperandFault) -> Self {
        Self::Operand(fault)
    }
}

impl From<PathFault> for Fault {
    fn from(fault: PathFault) -> Self {
        Self::Paths(fault)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Invalid {}: {}", self.member, self.fault)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(fault) => fault.fmt(formatter),
            Self::Operand(fault) => fault.fmt(formatter),
            Self::Paths(fault) => fault.fmt(formatter),
        }
    }
}

impl std::error::Error for Refusal {}

impl std::error::Error for SyntaxFault {}

impl std::error::Error for OperandFault {}

impl std::error::Error for PathFault {}
