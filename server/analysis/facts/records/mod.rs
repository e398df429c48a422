//! Records: JSON, YAML and TOML read as what they mean.
//!
//! A command in a record may be broken by escapes, spread over the lines of a block scalar or over the strings of a list,
//! and what becomes of it is said by its key. So a record is read whole: each string after unescaping, with its key's
//! path and the way back to the bytes that it came from. What is broken is read as far as it goes, and from there by
//! lines.

mod align;
pub(in crate::facts) mod allowed;
mod json;
mod meaning;
mod notebook;
mod permission;
#[cfg(test)]
mod tests;
mod toml;
mod tree;
mod variables;
mod yaml;

pub(in crate::facts) use meaning::{Reading, Stretch, stretches};
pub(in crate::facts) use permission::Lets;
pub(in crate::facts) use tree::{NodeId, Text, Tree, What};

use crate::lines::Format;

/// Reads `unit`, whose lines end at LF.
pub(in crate::facts) fn read(unit: &str, format: Format) -> Tree<'_> {
    match format {
        Format::Json | Format::JsonLines => json::read(unit),
        Format::Yaml => yaml::read(unit),
        Format::Toml => toml::read(unit),
        Format::Text | Format::Markup => Tree::default(),
    }
}
