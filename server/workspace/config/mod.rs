//! `caveat.toml`: what a project says about its own files.
//!
//! The file is read into plain structs that refuse unknown keys. What is wrong is told in words of ours, with line and
//! column: the TOML library's own messages quote values, and a value may be text that nobody should read as ours.

mod keys;
mod policy;
mod problem;
mod reading;

use std::path::Path;

use caveat_analysis::verdict::{Accepted, Policy};
use serde::Deserialize;
use serde::de::IgnoredAny;
use toml::Spanned;

pub use keys::suggest;
pub use problem::{ConfigError, Problem};
pub use reading::{CONFIG_NAME, load, parse};

/// The largest file that is read: 2 MiB (seed 4). `limits.max-file-bytes` may lower it.
pub const MAX_FILE_BYTES: u64 = 2 * 1024 * 1024;

/// A `caveat.toml`, as written. Every string keeps its place, so that a later check can point at it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Config {
    /// Whole lines that label what is below them as forbidden, beside the built-in ones.
    pub labels: Vec<Spanned<String>>,
    /// Which files address whom.
    pub roles: RoleGlobs,
    /// Files that a folder scan reads beside those it reads anyway.
    pub include: Vec<Spanned<String>>,
    /// Files and folders that a folder scan leaves out.
    pub exclude: Vec<Spanned<String>>,
    /// How much is read.
    pub limits: Limits,
    /// How grave rules are, and whether cues for *shown* count: `[rules]` and `stance`.
    #[serde(skip)]
    pub policy: Policy,
    /// `[[suppressions]]`.
    #[serde(skip)]
    pub accepted: Vec<Suppression>,
    stance: IgnoredAny,
    rules: IgnoredAny,
    suppressions: IgnoredAny,
}

/// An entry of `[[suppressions]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppression {
    /// What it accepts.
    pub accepts: Accepted,
    /// Globs of the files that it is about; `None`: all.
    pub paths: Option<Vec<String>>,
}

/// The globs of `[roles]`. They stand above the built-in ones; where several tables match a file, `instructions` goes
/// before `runbook` before `reference`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct RoleGlobs {
    /// Files that instruct agents.
    pub instructions: Vec<Spanned<String>>,
    /// Files that instruct operators.
    pub runbook: Vec<Spanned<String>>,
    /// Files that are read by both, but instruct nobody.
    pub reference: Vec<Spanned<String>>,
}

/// `[limits]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Limits {
    /// The largest file that is read, in bytes; at most [`MAX_FILE_BYTES`].
    pub max_file_bytes: Option<Spanned<u64>>,
}

impl Config {
    /// The largest file that is read, in bytes.
    #[must_use]
    pub fn max_file_bytes(&self) -> u64 {
        self.limits.max_file_bytes.as_ref().map_or(MAX_FILE_BYTES, |n| *n.get_ref())
    }
}

/// The nearest `caveat.toml` at or above the folder `from`, not above `ceiling`. Configurations are not merged.
#[must_use]
pub fn nearest(from: &Path, ceiling: &Path) -> Option<std::path::PathBuf> {
    from.ancestors()
        .take_while(|folder| folder.starts_with(ceiling))
        .map(|folder| folder.join(CONFIG_NAME))
        // Not `is_file`: one that cannot be read is an error to tell, not a reason to look further up.
        .find(|file| file.symlink_metadata().is_ok())
}

#[cfg(test)]
mod tests;
