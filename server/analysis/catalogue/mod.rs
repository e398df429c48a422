//! The rules, as data: one file per rule under `rules/`.

/// A rule's place in the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleId(pub u16);

impl RuleId {
    /// The id as it is written: `rm-rf`.
    #[must_use]
    pub fn name(self) -> &'static str {
        ""
    }
}

/// How grave a finding is. Ordered from the least to the gravest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Worth a look.
    Warning,
    /// To be mended.
    Error,
}

/// The groups of rules, in the order that breaks ties between findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// Dangerous commands.
    Danger,
    /// Text that turns on its reader.
    Injection,
    /// Advisory notices.
    Notice,
    /// Credentials.
    Secret,
    /// Paths that lead nowhere.
    Path,
    /// The document's own soundness.
    Quality,
    /// Suppressions that do not hold.
    Suppression,
    /// Prompt templates that do not separate their channels.
    Channel,
    /// Requests.
    Request,
    /// Configuration.
    Config,
}
