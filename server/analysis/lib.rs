//! One document, read: text → lines → facts → scopes → verdicts.
//!
//! Pure by construction: text and an [`Env`](verdict::Env) go in, findings come out. No file is opened, no clock is
//! read, nothing is async and no protocol type is known here, so every result can be reproduced from its input.
//! Each module reads only the modules above it in this list:
//!
//! - [`text`]: bytes, positions, edits, line ends; the only place that knows the rope.
//! - [`nearest`]: which word of ours somebody may have meant.
//! - [`seq`]: the sequence type that records and blocks stand in.
//! - [`lines`]: what each line is (CommonMark's block structure, line by line).
//! - [`catalogue`]: the rules, as data.
//! - [`facts`]: what a line says, no matter who forbids it.
//! - [`scope`]: what is forbidden, and the proof.
//! - [`verdict`]: reported or exempt; the finding and its message.
//! - [`document`]: the stages tied together, incrementally and afresh.
//! - [`fix`]: what can be done about a finding, tried before it is offered.

pub mod catalogue;
pub mod document;
pub mod facts;
pub mod fix;
pub mod lines;
pub mod nearest;
pub mod scope;
pub mod seq;
pub mod text;
pub mod verdict;

pub use document::{Document, Language, Snapshot};
pub use text::{Edit, Encoding, Position, Text};
pub use verdict::{Env, Finding};

/// How many random cases a property test with `usual` of them runs: `PROPTEST_CASES` multiplies them, as it does where
/// a test states no number of its own (256).
#[cfg(test)]
fn cases(usual: u32) -> proptest::test_runner::Config {
    let asked = proptest::test_runner::Config::default().cases;
    proptest::test_runner::Config::with_cases((usual * asked).div_ceil(256))
}
