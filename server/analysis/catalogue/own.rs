//! A project's own commands: entries of `caveat.toml` that are read and matched like those of the catalogue.
//!
//! Whoever writes a repository writes its configuration, so nothing here may cost more than a bounded amount, and of its
//! texts only the entries' ids, which are slugs, ever leave it. Ids live as long as the process, as those of the
//! catalogue do: findings name their pattern by a static word.

use std::collections::HashSet;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::{Catalogue, CommandEntry, Rule, RuleId, Severity, load};

/// The rule that own commands are findings of.
const RULE: &str = "project-command";
/// The most own entries.
const MAX_ENTRIES: usize = 200;
/// The longest id, in bytes.
const MAX_ID: usize = 40;
/// The longest string that an entry matches with, in bytes.
const MAX_WORD: usize = 200;
/// The most such strings over all entries: each may be held against each word of a command.
const MAX_WORDS: usize = 4_000;
/// The most bytes of programs and literals: the gate's automaton grows with them.
const MAX_GATE: usize = 16 * 1024;
/// The most entries about any program: they are held against every command that the gate lets through.
const MAX_ANY: usize = 20;
/// The most examples of a kind.
const MAX_EXAMPLES: usize = 50;
/// The longest example, in bytes.
const MAX_EXAMPLE: usize = 2_000;
/// The most ids that are kept; beyond them a finding's pattern is [`ANY_ID`]. A server sees many as somebody types one.
const MAX_IDS: usize = 50_000;
const ANY_ID: &str = "own";

/// A project's own commands, ready to be matched.
#[derive(Debug)]
pub struct Own {
    catalogue: Catalogue,
    rule: RuleId,
    ids: Vec<&'static str>,
}

impl PartialEq for Own {
    fn eq(&self, other: &Own) -> bool {
        self.commands() == other.commands()
    }
}

impl Eq for Own {}

/// Why own entries are not taken. Carries no text of theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnFault {
    /// The zero-based number of the entry; `None` where it is all of them.
    pub entry: Option<usize>,
    /// What is wrong, in a sentence of ours.
    pub what: &'static str,
}

impl Own {
    /// Makes `commands` ready.
    ///
    /// # Errors
    /// An entry is not as those of the catalogue have to be, or there is too much of something.
    pub fn new(commands: Vec<CommandEntry>) -> Result<Own, OwnFault> {
        check(&commands)?;
        let Some(rule) = Catalogue::get().by_name(RULE) else {
            return Err(OwnFault { entry: None, what: "own commands have no rule to belong to" });
        };
        let ids = commands.iter().map(|entry| interned(&entry.id)).collect();
        let own = Rule { commands, raised_by: None, ..rule.rule().clone() };
        let catalogue = load::build(vec![own])
            .map_err(|_| OwnFault { entry: None, what: "there are more literals than can be looked for" })?;
        Ok(Own { catalogue, rule, ids })
    }

    /// The entries, in their order.
    #[must_use]
    pub fn commands(&self) -> &[CommandEntry] {
        self.catalogue.rules.first().map(|rule| rule.commands.as_slice()).unwrap_or_default()
    }

    /// Whether one of the commands may stand in `line`. `hits` is overwritten.
    #[must_use]
    pub fn opens(&self, line: &str, hits: &mut super::GateHits) -> bool {
        self.catalogue.gate(line, hits);
        hits.commands()
    }

    /// The entries that may match a command called `program` (lower case, without path and `.exe`): the rule, the entry,
    /// its id.
    pub fn entries_for(&self, program: &str) -> impl Iterator<Item = (RuleId, &CommandEntry, &'static str)> {
        self.catalogue.ids_for(program).map(|id| {
            let at = usize::from(id.index);
            (self.rule, &self.commands()[at], self.ids[at])
        })
    }
}

/// The id as a word that lives as long as the process.
fn interned(id: &str) -> &'static str {
    static IDS: LazyLock<Mutex<HashSet<&'static str>>> = LazyLock::new(Mutex::default);
    let mut ids = IDS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = ids.get(id) {
        return known;
    }
    if ids.len() >= MAX_IDS {
        return ANY_ID;
    }
    let kept: &'static str = Box::leak(id.to_owned().into_boxed_str());
    ids.insert(kept);
    kept
}

fn check(commands: &[CommandEntry]) -> Result<(), OwnFault> {
    let whole = |what| Err(OwnFault { entry: None, what });
    if commands.len() > MAX_ENTRIES {
        return whole("there are more than 200 entries");
    }
    let mut ids = HashSet::new();
    let (mut words, mut gate, mut any) = (0, 0, 0);
    for (at, entry) in commands.iter().enumerate() {
        if let Some(what) = fault(entry) {
            return Err(OwnFault { entry: Some(at), what });
        }
        if !ids.insert(&entry.id) {
            return Err(OwnFault { entry: Some(at), what: "another entry has the same id" });
        }
        words += strings(entry).count();
        gate += entry.programs.iter().chain(&entry.literals).map(String::len).sum::<usize>();
        any += usize::from(entry.programs.iter().any(|name| name == "*"));
        if words > MAX_WORDS || gate > MAX_GATE {
            return Err(OwnFault {
                entry: Some(at),
                what: "with this entry there are too many words to look for",
            });
        }
        if any > MAX_ANY {
            return Err(OwnFault {
                entry: Some(at),
                what: "there are more than 20 entries about any program",
            });
        }
    }
    Ok(())
}

/// What is wrong with one entry by itself.
fn fault(entry: &CommandEntry) -> Option<&'static str> {
    let slug = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let mild = |severity: Severity| severity == Severity::Info;
    let mut examples = entry.hits.iter().chain(&entry.honest);
    let fault = if entry.id.is_empty() || entry.id.len() > MAX_ID || !entry.id.bytes().all(slug) {
        "an entry's id has 1 to 40 characters out of a-z, 0-9 and `-`"
    } else if strings(entry).any(|word| word.is_empty() || word.len() > MAX_WORD) {
        "a word is empty or longer than 200 bytes"
    } else if entry.severity.is_some_and(mild) || entry.severity_when.iter().any(|grade| mild(grade.severity))
    {
        "a dangerous command is a warning or an error"
    } else if entry.hits.is_empty() || entry.honest.is_empty() {
        "an entry has examples: `hits` that it must find, and `honest` neighbours that it must not"
    } else if entry.hits.len() > MAX_EXAMPLES || entry.honest.len() > MAX_EXAMPLES {
        "an entry has at most 50 examples of a kind"
    } else if examples.any(|example| example.text.len() > MAX_EXAMPLE) {
        "an example has at most 2000 bytes"
    } else {
        return load::command_fault(entry);
    };
    Some(fault)
}

/// The strings that an entry matches with.
fn strings(entry: &CommandEntry) -> impl Iterator<Item = &String> {
    let operands =
        [&entry.operands].into_iter().chain(entry.severity_when.iter().map(|grade| &grade.operands));
    let operands = operands.flat_map(|tests| {
        [&tests.first, &tests.last, &tests.some, &tests.all, &tests.none].into_iter().flatten()
    });
    let graded = entry.severity_when.iter().flat_map(|grade| grade.flags.iter().chain(&grade.words));
    let pairs = entry.last_wins.iter().flat_map(|pair| pair.defuses.iter().chain(&pair.arms));
    [
        &entry.programs,
        &entry.literals,
        &entry.near,
        &entry.wrapped_by,
        &entry.inside,
        &entry.words,
        &entry.sub,
        &entry.values,
        &entry.without,
        &entry.defused_by,
        &entry.redirects.to,
    ]
    .into_iter()
    .chain(&entry.flags)
    .flatten()
    .chain(operands)
    .chain(graded)
    .chain(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Group;
    use crate::facts::matching::in_example;

    fn entry(toml: &str) -> CommandEntry {
        toml::from_str(toml).expect("an entry")
    }

    const WIPE: &str = "id = 'wipe'\nprograms = ['fleetctl']\nsub = ['wipe']\nflags = [['--all']]\n\
                        hits = ['fleetctl wipe --all']\nhonest = ['fleetctl status']\n";

    fn told(entries: Vec<CommandEntry>) -> Result<(), (Option<usize>, &'static str)> {
        Own::new(entries).map(|_| ()).map_err(|fault| (fault.entry, fault.what))
    }

    #[test]
    fn an_own_command_is_found_like_any_other() {
        let own = Own::new(vec![entry(WIPE)]).expect("an entry");
        let hits = in_example(&own.commands()[0].hits[0], Some(&own));
        assert_eq!((hits[0].rule.name(), hits[0].pattern), (RULE, "wipe"));
        assert_eq!((hits[0].severity, hits[0].rule.rule().group), (Severity::Warning, Group::Danger));
        assert!(in_example(&own.commands()[0].honest[0], Some(&own)).is_empty());
        assert!(in_example(&own.commands()[0].hits[0], None).is_empty());
    }

    #[test]
    fn what_is_no_entry_is_refused() {
        let changed = |from: &str, to: &str| vec![entry(&WIPE.replace(from, to))];
        let starts = |entries: Vec<CommandEntry>, what: &str| {
            let fault = told(entries).expect_err(what);
            assert!(fault.1.starts_with(what), "{fault:?}");
        };
        assert_eq!(told(vec![entry(WIPE)]), Ok(()));
        assert_eq!(told(vec![]), Ok(()));
        starts(changed("'wipe'\np", "'Wipe it'\np"), "an entry's id");
        starts(changed("'wipe'\np", "''\np"), "an entry's id");
        starts(changed("['--all']", "['']"), "a word is empty");
        starts(changed("['fleetctl wipe --all']", "[]"), "an entry has examples");
        starts(changed("['fleetctl status']", "[]"), "an entry has examples");
        starts(changed("sub =", "severity = 'info'\nsub ="), "a dangerous command is");
        starts(changed("'fleetctl']", "'Fleetctl']"), "a command entry names");
        starts(changed("'fleetctl']", "'*']"), "a command entry has neither");
        starts(vec![entry(WIPE), entry(WIPE)], "another entry");
        let many =
            |count: usize| (0..count).map(|n| entry(&WIPE.replace("'wipe'\np", &format!("'w{n}'\np"))));
        assert_eq!(told(many(MAX_ENTRIES).collect()), Ok(()));
        starts(many(MAX_ENTRIES + 1).collect(), "there are more than 200 entries");
        let long = WIPE.replace("['--all']", &format!("[{}]", "'--all',".repeat(MAX_WORDS)));
        starts(vec![entry(&long)], "with this entry");
    }

    #[test]
    fn ids_are_kept_once() {
        let (one, two) = (interned("fleet-wipe"), interned(&"fleet-wipe".to_owned()));
        assert!(std::ptr::eq(one, two));
    }
}
