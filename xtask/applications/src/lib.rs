//! The applications that the examples of the data layer are about.
//!
//! The code blocks of doc comments and of docs/ use them hidden. They are a crate, so that they are compiled once, and not with each block.
#![allow(missing_docs, reason = "examples speak for themselves")]

pub mod directory;
pub mod feed;
pub mod teams;
