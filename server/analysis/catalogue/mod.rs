//! The rules, as data: one file per rule under `rules/`, read once.
//!
//! A rule that is data can be read by whoever has to trust it, has one page, and carries its own examples: a test runs
//! every one. What a rule is called, how grave it is and what to do about it stand in its file and nowhere else; code
//! names a rule only where code raises it.

mod entry;
mod files;
mod gate;
mod lexicon;
mod load;
mod own;
mod page;
mod phrase;
pub(crate) mod vocabulary;
pub(crate) mod words;

use std::collections::HashMap;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use entry::{
    Check, CommandEntry, DialectName, Example, Grade, LastWins, OperandTests, PatternEntry, Pipe, Place,
    RedirectTests, Special, Style, Swap,
};
pub use gate::{GateCues, GateHits};
pub use load::LoadError;
pub use own::{Own, OwnFault};
pub(crate) use phrase::{Begins, CALLS, Class, Form, Forms, Frame, Phrases};
pub use phrase::{Order, PhraseEntry};

/// A rule's place in the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleId(pub u16);

impl RuleId {
    /// The id as it is written: `rm-rf`.
    #[must_use]
    pub fn name(self) -> &'static str {
        &Catalogue::get().rule(self).id
    }

    /// The rule itself.
    #[must_use]
    pub fn rule(self) -> &'static Rule {
        Catalogue::get().rule(self)
    }
}

/// How grave a finding is. Ordered from the least to the gravest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Worth a look.
    Warning,
    /// To be mended.
    Error,
}

impl Severity {
    /// The word for it, as in the report.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// The groups of rules, in the order that breaks ties between findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
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

impl Group {
    /// The word for it, as in the report.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Group::Danger => "danger",
            Group::Injection => "injection",
            Group::Notice => "notice",
            Group::Secret => "secret",
            Group::Path => "path",
            Group::Quality => "quality",
            Group::Suppression => "suppression",
            Group::Channel => "channel",
            Group::Request => "request",
            Group::Config => "config",
        }
    }
}

/// How a rule looks in documents of one role (CONTRACTS, "Roles").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Look {
    /// At its full severity.
    Yes,
    /// At most as information.
    Info,
    /// Not at all.
    No,
}

/// In which roles a rule looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Roles {
    /// Files that instruct agents.
    pub instructions: Look,
    /// Files that instruct operators.
    pub runbook: Look,
    /// Everything else.
    pub reference: Look,
}

impl Roles {
    /// Where rules of `group` look unless their file says otherwise.
    fn of(group: Group) -> Roles {
        let reference = if group == Group::Danger { Look::Info } else { Look::Yes };
        Roles { instructions: Look::Yes, runbook: Look::Yes, reference }
    }
}

/// A form of text that code finds: what findings call it, and what a page says of it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// The pattern id, unique in the rule.
    pub id: String,
    /// The form in words, without an example.
    pub about: String,
}

/// One rule: its header and its entries.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The id: the file's name.
    pub id: String,
    /// The group.
    pub group: Group,
    /// How grave a finding is unless its entry or grade says otherwise.
    pub severity: Severity,
    /// What happens, in one sentence without a full stop: the finding's message.
    pub summary: String,
    /// Why that is dangerous.
    pub why: String,
    /// What to write instead.
    pub remedy: String,
    /// Where it looks, where that differs from its group.
    #[serde(default, rename = "roles")]
    own_roles: Option<Roles>,
    /// Never fails a run, and cannot be made to.
    #[serde(default)]
    pub advisory: bool,
    /// Off until a configuration turns it on.
    #[serde(default)]
    pub off: bool,
    /// A phrase of it that a text only mentions, in quotes and governed by a verb that detects, is information.
    #[serde(default)]
    pub mentionable: bool,
    /// A label that forbids instructions (not: commands) exempts it, as a dangerous command is exempted.
    #[serde(default)]
    pub label_exempts: bool,
    /// The stage that raises it, for a rule without entries.
    #[serde(default)]
    pub raised_by: Option<String>,
    /// The forms that the stage which raises it tells apart.
    #[serde(default, rename = "form")]
    pub forms: Vec<Shape>,
    /// Commands that it finds.
    #[serde(default, rename = "command")]
    pub commands: Vec<CommandEntry>,
    /// Phrases that it finds.
    #[serde(default, rename = "phrase")]
    pub phrases: Vec<PhraseEntry>,
    /// Raw patterns that it finds.
    #[serde(default, rename = "pattern")]
    pub patterns: Vec<PatternEntry>,
}

impl Rule {
    /// In which roles it looks.
    #[must_use]
    pub fn roles(&self) -> Roles {
        self.own_roles.unwrap_or_else(|| Roles::of(self.group))
    }

    /// In which roles its entry `pattern` looks: as the entry says, else as the rule does.
    #[must_use]
    pub fn roles_of(&self, pattern: &str) -> Roles {
        let phrases = self.phrases.iter().map(|entry| (&entry.id, entry.roles));
        let patterns = self.patterns.iter().map(|entry| (&entry.id, entry.roles));
        let own = phrases.chain(patterns).find(|(id, _)| *id == pattern).and_then(|(_, roles)| roles);
        own.unwrap_or_else(|| self.roles())
    }
}

/// A command entry's place: the rule, and the entry's index in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntryId {
    /// The rule.
    pub rule: RuleId,
    /// Zero-based index among the rule's entries of that kind.
    pub index: u16,
}

/// All rules, and the gate over their literals.
#[derive(Debug)]
pub struct Catalogue {
    rules: Vec<Rule>,
    by_name: HashMap<String, RuleId>,
    by_program: HashMap<String, Vec<EntryId>>,
    any_program: Vec<EntryId>,
    families: Vec<(String, EntryId)>,
    patterns: Vec<EntryId>,
    phrases: Phrases,
    gate: gate::Gate,
}

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| match load::catalogue(files::FILES) {
    Ok(catalogue) => catalogue,
    // The files are compiled in and a test reads each of them: a fault here is ours, and no document can cause it.
    Err(error) => panic!("{error}"),
});

impl Catalogue {
    /// The built-in catalogue, read on first use.
    #[must_use]
    pub fn get() -> &'static Catalogue {
        &CATALOGUE
    }

    /// The rule `id`. Panics if the id is not one of this catalogue's.
    #[must_use]
    pub fn rule(&self, id: RuleId) -> &Rule {
        &self.rules[usize::from(id.0)]
    }

    /// The rule called `name`, case-sensitive.
    #[must_use]
    pub fn by_name(&self, name: &str) -> Option<RuleId> {
        self.by_name.get(name).copied()
    }

    /// Every rule with its id, in the order in which CONTRACTS lists them.
    pub fn rules(&self) -> impl ExactSizeIterator<Item = (RuleId, &Rule)> + Clone {
        self.rules.iter().enumerate().map(|(at, rule)| (RuleId(at as u16), rule))
    }

    /// The command entries that may match a command called `program` (lower case, without path and `.exe`).
    pub fn entries_for(&self, program: &str) -> impl Iterator<Item = (RuleId, &CommandEntry)> {
        self.ids_for(program).map(|id| (id.rule, &self.rule(id.rule).commands[usize::from(id.index)]))
    }

    fn ids_for(&self, program: &str) -> impl Iterator<Item = EntryId> {
        let exact = self.by_program.get(program).map(Vec::as_slice).unwrap_or_default();
        let family = self
            .families
            .iter()
            .filter(move |(stem, _)| program.starts_with(stem.as_str()))
            .map(|(_, id)| id);
        exact.iter().chain(family).chain(&self.any_program).copied()
    }

    /// Whether a command entry names the program `program`, given in lower case.
    #[must_use]
    pub fn has_program(&self, program: &str) -> bool {
        self.by_program.contains_key(program)
    }

    /// The pattern entry with the gate's number `number`, and its rule. Panics if there is none.
    #[must_use]
    pub fn pattern(&self, number: u16) -> (RuleId, &PatternEntry) {
        let id = self.patterns[usize::from(number)];
        (id.rule, &self.rule(id.rule).patterns[usize::from(id.index)])
    }

    /// The phrases of all rules in all languages.
    pub(crate) fn phrases(&self) -> &Phrases {
        &self.phrases
    }

    /// The entry that `form` is made of.
    pub(crate) fn phrase(&self, form: &Form) -> &PhraseEntry {
        &self.rule(form.rule).phrases[usize::from(form.entry)]
    }

    /// Runs the gate over `line`, once: see [`GateHits`]. `hits` is emptied first.
    pub fn gate(&self, line: &str, hits: &mut GateHits) {
        self.gate.scan(line, hits);
    }
}

#[cfg(test)]
mod examples;
#[cfg(test)]
mod tests;
