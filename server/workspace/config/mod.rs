//! `caveat.toml`: what a project says about its own files.
//!
//! The file is read into plain structs that refuse unknown keys. What is wrong is told in words of ours, with line and
//! column: the TOML library's own messages quote values, and a value may be text that nobody should read as ours.

mod complete;
mod keys;
mod nested;
mod own;
mod policy;
mod problem;
mod reading;
mod said;
mod schema;
mod syntax;

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use caveat_analysis::catalogue::{CommandEntry, Own, PhraseEntry, RuleId, Severity};
use caveat_analysis::verdict::{Accepted, Policy};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::IgnoredAny;
use toml::Spanned;

pub use complete::{Offer, OfferKind, Offers, complete};
pub use nested::is_guarded;
pub use problem::{ConfigError, Problem};
pub use reading::{CONFIG_NAME, load, parse};
pub(crate) use said::unused;
pub use said::{Place, expired, fault, needed};
pub use schema::{schema, template};

/// The largest file that is read: 2 MiB (seed 4). `limits.max-file-bytes` may lower it.
pub const MAX_FILE_BYTES: u64 = 2 * 1024 * 1024;

/// Entries of one list: globs and labels are looked at for every file and line.
const MAX_ENTRIES: usize = 1_000;

/// What a project says about its own files. Every key may be left out.
// As written: every string keeps its place, so that a later check can point at it.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
#[schemars(title = "caveat.toml")]
pub struct Config {
    /// Whole lines that label what is below them as forbidden, beside the built-in ones.
    #[schemars(with = "Vec<String>", inner(length(min = 1, max = 200)))]
    pub labels: Vec<Spanned<String>>,
    /// Which files address whom.
    pub roles: RoleGlobs,
    /// Files that a folder scan reads beside those it reads anyway: globs as in `.gitignore`.
    #[schemars(with = "Vec<String>")]
    pub include: Vec<Spanned<String>>,
    /// Files and folders that a folder scan leaves out.
    #[schemars(with = "Vec<String>")]
    pub exclude: Vec<Spanned<String>>,
    /// Files that nobody here vouches for: what they say of themselves (suppressions, cues, a caveat.toml among them) does
    /// not count, as with `check --untrusted`.
    #[schemars(with = "Vec<String>")]
    pub untrusted: Vec<Spanned<String>>,
    /// How much is read.
    pub limits: Limits,
    /// How grave rules are, and whether cues for *shown* count: `[rules]` and `stance`.
    #[serde(skip)]
    pub policy: Policy,
    /// The entries of `[rules]`, in the order in which they stand.
    #[serde(skip)]
    pub decisions: Vec<Decision>,
    /// `[[suppressions]]`.
    #[serde(skip)]
    pub accepted: Vec<Suppression>,
    /// `[[commands]]` and `[[phrases]]`, ready to be matched.
    #[serde(skip)]
    pub own: Option<Arc<Own>>,
    /// Where it was read from; `None` for what stands in no file.
    #[serde(skip)]
    pub source: Option<Arc<Origin>>,
    /// Commands that are dangerous here, beside those of the built-in rules: findings of `project-command`. The names of
    /// the keys are those of the built-in rules' own files.
    #[schemars(length(max = 200))]
    commands: Vec<CommandEntry>,
    /// Phrases that nobody is to be told here, beside those of the built-in rules: findings of `project-phrase`. A slot
    /// is words parted by `|`; `?` in front makes it optional.
    #[schemars(length(max = 200))]
    phrases: Vec<PhraseEntry>,
    /// Whether what a text shows, and does not give, is information only; `off`: it counts as given.
    #[schemars(with = "schema::StanceWord")]
    stance: IgnoredAny,
    /// How grave the findings of a rule are, by its id. To switch one off takes a reason.
    #[schemars(with = "schema::Rules")]
    rules: IgnoredAny,
    /// Findings that somebody has looked at and accepts until a day.
    #[schemars(with = "Vec<schema::SuppressionEntry>", length(max = 1000))]
    suppressions: IgnoredAny,
}

/// The text that a configuration was read from.
#[derive(Debug, PartialEq, Eq)]
pub struct Origin {
    /// The file.
    pub file: PathBuf,
    /// All of it.
    pub text: String,
}

/// An entry of `[rules]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The rule.
    pub rule: RuleId,
    /// How grave its findings are; `None`: it is off.
    pub severity: Option<Severity>,
    /// Why. Text of the configuration: see [`shown`].
    pub reason: Option<String>,
    /// Where the rule is named, in bytes of the file.
    pub at: Range<usize>,
    /// One-based line of that.
    pub line: usize,
}

/// An entry of `[[suppressions]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppression {
    /// What it accepts.
    pub accepts: Accepted,
    /// Globs of the files that it is about; `None`: all.
    pub paths: Option<Vec<String>>,
    /// Why. Text of the configuration: see [`shown`].
    pub reason: String,
    /// Where its parts stand, in bytes of the file.
    pub at: Parts,
}

/// Where the parts of an entry of `[[suppressions]]` stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The entry's head.
    pub entry: Range<usize>,
    /// The rule's name.
    pub rule: Range<usize>,
    /// The last day.
    pub expires: Range<usize>,
    /// The reason.
    pub reason: Range<usize>,
}

/// A reason as it may be shown in an audit: not at all where a rule of ours fires on it, for whoever reads the audit may
/// be the one that it is meant for.
#[must_use]
pub fn shown(reason: &str) -> Option<&str> {
    said::is_harmless(reason).then_some(reason)
}

/// The globs of `[roles]`. They stand above the built-in ones; where several tables match a file, `instructions` goes
/// before `runbook` before `reference`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct RoleGlobs {
    /// Files that instruct agents.
    #[schemars(with = "Vec<String>")]
    pub instructions: Vec<Spanned<String>>,
    /// Files that instruct operators.
    #[schemars(with = "Vec<String>")]
    pub runbook: Vec<Spanned<String>>,
    /// Files that are read by both, but instruct nobody.
    #[schemars(with = "Vec<String>")]
    pub reference: Vec<Spanned<String>>,
}

/// `[limits]`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Limits {
    /// The largest file that is read, in bytes; at most 2 MiB.
    #[schemars(with = "u64", range(min = 1, max = 2_097_152))]
    pub max_file_bytes: Option<Spanned<u64>>,
}

impl Config {
    /// The largest file that is read, in bytes.
    #[must_use]
    pub fn max_file_bytes(&self) -> u64 {
        self.limits.max_file_bytes.as_ref().map_or(MAX_FILE_BYTES, |n| *n.get_ref())
    }
}

#[cfg(test)]
mod tests;
