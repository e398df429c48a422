//! What a line says, no matter who forbids it.

pub mod command;
pub mod matching;
pub mod pattern;
