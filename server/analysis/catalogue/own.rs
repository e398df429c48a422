//! A project's own commands and phrases: entries of `caveat.toml` that are read and matched like those of the catalogue.
//!
//! Whoever writes a repository writes its configuration, so nothing here may cost more than a bounded amount, and of its
//! texts only the entries' ids, which are slugs, ever leave it. Ids live as long as the process, as those of the
//! catalogue do: findings name their pattern by a static word.

use std::collections::HashSet;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::{
    Catalogue, CommandEntry, Example, Form, GateHits, PhraseEntry, Phrases, Rule, RuleId, Severity, load,
};

/// The rule that own commands are findings of.
const COMMANDS: &str = "project-command";
/// The rule that own phrases are findings of.
const PHRASES: &str = "project-phrase";
/// The most own entries of a kind.
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
/// The most slots of a phrase, and the most words between two of them: the work is their product.
const MAX_SLOTS: usize = 8;
const MAX_GAP: u8 = 8;
/// The most words that a phrase names in one place.
const MAX_SPECS: usize = 50;
/// The longest example, in bytes.
const MAX_EXAMPLE: usize = 2_000;
/// The most ids that are kept; beyond them a finding's pattern is [`ANY_ID`]. A server sees many as somebody types one.
const MAX_IDS: usize = 50_000;
const ANY_ID: &str = "own";

/// A project's own commands and phrases, ready to be matched.
#[derive(Debug)]
pub struct Own {
    /// Two rules: that of the commands, that of the phrases.
    catalogue: Catalogue,
    /// The same two in the built-in catalogue.
    rules: [RuleId; 2],
    commands: Vec<&'static str>,
    phrases: Vec<&'static str>,
}

impl PartialEq for Own {
    fn eq(&self, other: &Own) -> bool {
        self.commands() == other.commands() && self.phrase_entries() == other.phrase_entries()
    }
}

impl Eq for Own {}

/// Why own entries are not taken. Carries no text of theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnFault {
    /// Whether it is about the phrases, and not about the commands.
    pub in_phrases: bool,
    /// The zero-based number of the entry; `None` where it is all of them.
    pub entry: Option<usize>,
    /// What is wrong, in a sentence of ours.
    pub what: &'static str,
}

impl Own {
    /// Makes `commands` and `phrases` ready.
    ///
    /// # Errors
    /// An entry is not as those of the catalogue have to be, or there is too much of something.
    pub fn new(commands: Vec<CommandEntry>, phrases: Vec<PhraseEntry>) -> Result<Own, OwnFault> {
        check(&commands).map_err(|(entry, what)| OwnFault { in_phrases: false, entry, what })?;
        check_phrases(&phrases).map_err(|(entry, what)| OwnFault { in_phrases: true, entry, what })?;
        let in_phrases = !phrases.is_empty();
        let whole = |what| OwnFault { in_phrases, entry: None, what };
        let rule =
            |name| Catalogue::get().by_name(name).ok_or(whole("own entries have no rule to belong to"));
        let rules = [rule(COMMANDS)?, rule(PHRASES)?];
        let command_ids = commands.iter().map(|entry| interned(&entry.id)).collect();
        let phrase_ids = phrases.iter().map(|entry| interned(&entry.id)).collect();
        let own =
            vec![Rule { commands, ..rules[0].rule().clone() }, Rule { phrases, ..rules[1].rule().clone() }];
        let catalogue = load::build(own).map_err(|error| whole(error.what))?;
        Ok(Own { catalogue, rules, commands: command_ids, phrases: phrase_ids })
    }

    /// The commands, in their order.
    #[must_use]
    pub fn commands(&self) -> &[CommandEntry] {
        self.catalogue.rules.first().map(|rule| rule.commands.as_slice()).unwrap_or_default()
    }

    /// The phrases, in their order.
    #[must_use]
    pub fn phrase_entries(&self) -> &[PhraseEntry] {
        self.catalogue.rules.get(1).map(|rule| rule.phrases.as_slice()).unwrap_or_default()
    }

    /// Runs the gate of these entries over `line`; `hits` is overwritten.
    pub fn look(&self, line: &str, hits: &mut GateHits) {
        self.catalogue.gate(line, hits);
    }

    /// The phrases as they are matched.
    pub(crate) fn phrases(&self) -> &Phrases {
        self.catalogue.phrases()
    }

    /// The rule and the id of the entry that `form` is made of.
    pub(crate) fn named(&self, form: &Form) -> (RuleId, &'static str) {
        (self.rules[1], self.phrases[usize::from(form.entry)])
    }

    /// The entries that may match a command called `program` (lower case, without path and `.exe`): the rule, the entry,
    /// its id.
    pub fn entries_for(&self, program: &str) -> impl Iterator<Item = (RuleId, &CommandEntry, &'static str)> {
        self.catalogue.ids_for(program).map(|id| {
            let at = usize::from(id.index);
            (self.rules[0], &self.commands()[at], self.commands[at])
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

/// The number of the entry that is wrong, if it is one, and what is wrong.
type Fault = (Option<usize>, &'static str);

fn check(commands: &[CommandEntry]) -> Result<(), Fault> {
    if commands.len() > MAX_ENTRIES {
        return Err((None, "there are more than 200 entries"));
    }
    let mut ids = HashSet::new();
    let (mut words, mut gate, mut any) = (0, 0, 0);
    for (at, entry) in commands.iter().enumerate() {
        let fail = |what| Err((Some(at), what));
        if let Some(what) = fault(entry) {
            return fail(what);
        }
        if !ids.insert(&entry.id) {
            return fail("another entry has the same id");
        }
        words += strings(entry).count();
        gate += entry.programs.iter().chain(&entry.literals).map(String::len).sum::<usize>();
        any += usize::from(entry.programs.iter().any(|name| name == "*"));
        if words > MAX_WORDS || gate > MAX_GATE {
            return fail("with this entry there are too many words to look for");
        }
        if any > MAX_ANY {
            return fail("there are more than 20 entries about any program");
        }
    }
    Ok(())
}

fn check_phrases(phrases: &[PhraseEntry]) -> Result<(), Fault> {
    if phrases.len() > MAX_ENTRIES {
        return Err((None, "there are more than 200 entries"));
    }
    let mut ids = HashSet::new();
    let mut bytes = 0;
    for (at, entry) in phrases.iter().enumerate() {
        let fail = |what| Err((Some(at), what));
        let words = [&entry.slots, &entry.not_before, &entry.not_after, &entry.without];
        let mut specs = words.iter().copied().flatten();
        let common = common_fault(&entry.id, entry.severity, &entry.hits, &entry.honest);
        if let Some(what) = common {
            return fail(what);
        }
        if entry.slots.is_empty()
            || entry.slots.len() > MAX_SLOTS
            || entry.gap.is_some_and(|gap| gap > MAX_GAP)
        {
            return fail("a phrase has 1 to 8 slots, and at most 8 words between two of them");
        }
        if specs.clone().any(|spec| spec.split('|').any(|part| part.trim_matches(['?', ' ']).is_empty())) {
            return fail("a word is empty");
        }
        if specs.clone().any(|spec| spec.len() > MAX_WORD)
            || words.iter().any(|words| words.len() > MAX_SPECS)
        {
            return fail("a word is longer than 200 bytes, or there are more than 50 of them");
        }
        if entry.roles.is_some() {
            return fail("an own phrase is looked for wherever its rule is");
        }
        if !ids.insert(&entry.id) {
            return fail("another entry has the same id");
        }
        bytes += specs.by_ref().map(String::len).sum::<usize>();
        if bytes > MAX_GATE {
            return fail("with this entry there are too many words to look for");
        }
    }
    Ok(())
}

/// What is wrong with one command by itself.
fn fault(entry: &CommandEntry) -> Option<&'static str> {
    if let Some(what) = common_fault(&entry.id, entry.severity, &entry.hits, &entry.honest) {
        Some(what)
    } else if strings(entry).any(|word| word.is_empty() || word.len() > MAX_WORD) {
        Some("a word is empty or longer than 200 bytes")
    } else if entry.severity_when.iter().any(|grade| grade.severity == Severity::Info) {
        Some(MILD)
    } else if entry.safer.len() > MAX_EXAMPLES
        || entry.safer.iter().any(|swap| !is_word(&swap.from) || swap.to.len() > MAX_WORD)
        || entry.safer.iter().any(|swap| swap.to.contains(char::is_control))
    {
        Some("what is safer is a word for a word, each of at most 200 bytes")
    } else {
        load::command_fault(entry)
    }
}

fn is_word(text: &str) -> bool {
    (1..=MAX_WORD).contains(&text.len()) && !text.contains(|c: char| c.is_control() || c.is_whitespace())
}

const MILD: &str = "an own entry is a warning or an error";

/// What is wrong with what all entries have.
fn common_fault(
    id: &str,
    severity: Option<Severity>,
    hits: &[Example],
    honest: &[Example],
) -> Option<&'static str> {
    let slug = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if id.is_empty() || id.len() > MAX_ID || !id.bytes().all(slug) {
        Some("an entry's id has 1 to 40 characters out of a-z, 0-9 and `-`")
    } else if severity == Some(Severity::Info) {
        Some(MILD)
    } else if hits.is_empty() || honest.is_empty() {
        Some("an entry has examples: `hits` that it must find, and `honest` neighbours that it must not")
    } else if hits.len() > MAX_EXAMPLES || honest.len() > MAX_EXAMPLES {
        Some("an entry has at most 50 examples of a kind")
    } else if hits.iter().chain(honest).any(|example| example.text.len() > MAX_EXAMPLE) {
        Some("an example has at most 2000 bytes")
    } else {
        None
    }
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
    use crate::facts::phrase;

    fn entry(toml: &str) -> CommandEntry {
        toml::from_str(toml).expect("an entry")
    }

    const SEAL: &str = "id = 'seal'\nslots = ['break|breaks', 'the', 'seal']\nhits = ['Now break the red seal.']\n\
                        honest = ['The seal breaks.', 'Never break the seal.']\n";

    const WIPE: &str = "id = 'wipe'\nprograms = ['fleetctl']\nsub = ['wipe']\nflags = [['--all']]\n\
                        hits = ['fleetctl wipe --all']\nhonest = ['fleetctl status']\n";

    fn told(entries: Vec<CommandEntry>) -> Result<(), (Option<usize>, &'static str)> {
        Own::new(entries, vec![]).map(|_| ()).map_err(|fault| (fault.entry, fault.what))
    }

    #[test]
    fn an_own_command_is_found_like_any_other() {
        let own = Own::new(vec![entry(WIPE)], vec![]).expect("an entry");
        let hits = in_example(&own.commands()[0].hits[0], Some(&own));
        assert_eq!((hits[0].rule.name(), hits[0].pattern), (COMMANDS, "wipe"));
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
        starts(changed("sub =", "severity = 'info'\nsub ="), "an own entry is a warning");
        starts(changed("'fleetctl']", "'Fleetctl']"), "a command entry names");
        starts(changed("'fleetctl']", "'*']"), "a command entry has neither");
        starts(changed("hits =", "safer = [{ from = '--all', to = \"x\\ny\" }]\nhits ="), "what is safer");
        starts(vec![entry(WIPE), entry(WIPE)], "another entry");
        let many =
            |count: usize| (0..count).map(|n| entry(&WIPE.replace("'wipe'\np", &format!("'w{n}'\np"))));
        assert_eq!(told(many(MAX_ENTRIES).collect()), Ok(()));
        starts(many(MAX_ENTRIES + 1).collect(), "there are more than 200 entries");
        let long = WIPE.replace("['--all']", &format!("[{}]", "'--all',".repeat(MAX_WORDS)));
        starts(vec![entry(&long)], "with this entry");
    }

    #[test]
    fn an_own_phrase_is_found_like_any_other() {
        let phrase = |toml: &str| -> PhraseEntry { toml::from_str(toml).expect("a phrase") };
        let own = Own::new(vec![], vec![phrase(SEAL)]).expect("a phrase");
        let entry = &own.phrase_entries()[0];
        let hits = phrase::in_example(&entry.hits[0], &own);
        assert_eq!(
            (hits[0].rule.name(), hits[0].pattern, hits[0].severity),
            (PHRASES, "seal", Severity::Warning)
        );
        assert!(entry.honest.iter().all(|example| phrase::in_example(example, &own).is_empty()));
        let starts = |from: &str, to: &str, what: &str| {
            let fault = Own::new(vec![], vec![phrase(&SEAL.replace(from, to))]).expect_err(what);
            assert!(fault.in_phrases && fault.what.starts_with(what), "{fault:?}");
        };
        starts("'the'", "'@hunter2'", "a slot names a class");
        starts("'break|breaks'", "'break|'", "a word is empty");
        starts("'break|breaks'", "'?break'", "the first slot");
        starts("'the',", "'the','the','the','the','the','the','the','the',", "a phrase has 1 to 8 slots");
        starts("hits =", "gap = 9\nhits =", "a phrase has 1 to 8 slots");
        starts("hits =", "severity = 'info'\nhits =", "an own entry is a warning");
        starts(
            "hits =",
            "roles = { instructions = 'no', runbook = 'no', reference = 'no' }\nhits =",
            "an own phrase is",
        );
    }

    #[test]
    fn ids_are_kept_once() {
        let id = String::from("fleet-wipe");
        let (one, two) = (interned("fleet-wipe"), interned(&id));
        assert!(std::ptr::eq(one, two));
    }
}
