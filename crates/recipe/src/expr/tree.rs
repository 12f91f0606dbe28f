//! The shape of an expression.

use std::ops::Range;

use crate::Datum;

/// A part of an expression, with its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tree {
    pub(super) span: Range<usize>,
    pub(super) op: Op,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Op {
    Literal(Datum),
    List(Vec<Tree>),
    Name(String),
    Field {
        of: Box<Tree>,
        name: String,
    },
    Index {
        of: Box<Tree>,
        by: Box<Tree>,
    },
    Function {
        name: String,
        args: Vec<Tree>,
    },
    Method {
        of: Box<Tree>,
        name: String,
        args: Vec<Tree>,
    },
    Not(Box<Tree>),
    /// Two operands or more: long chains stay flat.
    And(Vec<Tree>),
    Or(Vec<Tree>),
    Compare {
        left: Box<Tree>,
        by: Comparison,
        right: Box<Tree>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    In,
    NotIn,
}

impl Comparison {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::In => "in",
            Self::NotIn => "not in",
        }
    }
}

impl Tree {
    pub(super) fn collect_names(&self, names: &mut Vec<(String, Range<usize>)>) {
        match &self.op {
            Op::Literal(_) => {}
            Op::Name(name) => names.push((name.clone(), self.span.clone())),
            Op::Field { of, name } => match &of.op {
                Op::Name(root) if root == "setting" => {
                    names.push((format!("setting.{name}"), self.span.clone()));
                }
                _ => of.collect_names(names),
            },
            Op::Not(of) => of.collect_names(names),
            Op::Index { of, by } => {
                of.collect_names(names);
                by.collect_names(names);
            }
            Op::List(parts) | Op::And(parts) | Op::Or(parts) | Op::Function { args: parts, .. } => {
                parts.iter().for_each(|part| part.collect_names(names));
            }
            Op::Method { of, args, .. } => {
                of.collect_names(names);
                args.iter().for_each(|arg| arg.collect_names(names));
            }
            Op::Compare { left, right, .. } => {
                left.collect_names(names);
                right.collect_names(names);
            }
        }
    }
}
