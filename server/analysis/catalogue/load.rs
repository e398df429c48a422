//! Rules read from their files, with errors in our own words: file, line, column, and never a value from the file.

use std::collections::HashMap;
use std::fmt;

use serde::de::DeserializeOwned;

use super::gate::Gate;
use super::lexicon::{self, Lexicon};
use super::{Catalogue, CommandEntry, EntryId, Rule, RuleId, phrase};

/// Why a rule's file was not read. Carries no text of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    /// The rule that the file is named after.
    pub file: &'static str,
    /// One-based line; 1 where the fault is the whole file's.
    pub line: usize,
    /// One-based column in Unicode scalar values.
    pub column: usize,
    /// What is wrong.
    pub what: &'static str,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.toml:{}:{}: {}", self.file, self.line, self.column, self.what)
    }
}

impl std::error::Error for LoadError {}

/// The library's message may quote the file, so only its kind is kept.
fn in_our_words(message: &str) -> &'static str {
    const KINDS: [(&str, &str); 6] = [
        ("unknown field", "there is no such key here"),
        ("missing field", "a key is missing"),
        ("unknown variant", "this value is none of those that the key takes"),
        ("invalid type", "the value is of the wrong kind"),
        ("duplicate", "the key stands here twice"),
        ("data did not match", "the value is of the wrong kind"),
    ];
    KINDS.iter().find(|(kind, _)| message.starts_with(kind)).map_or("this is not TOML", |(_, words)| words)
}

/// Reads the file `text` of the rule `file`.
pub(super) fn rule(file: &'static str, text: &str) -> Result<Rule, LoadError> {
    let rule: Rule = parse(file, text)?;
    check(&rule, file).map_err(|what| fault(file, text, 0, what))?;
    Ok(rule)
}

/// Reads the file `text` of the language `file`.
pub(super) fn lexicon(file: &'static str, text: &str) -> Result<Lexicon, LoadError> {
    let lexicon: Lexicon = parse(file, text)?;
    match lexicon.language == file {
        true => Ok(lexicon),
        false => Err(fault(file, text, 0, "the language is not the file's name")),
    }
}

fn parse<T: DeserializeOwned>(file: &'static str, text: &str) -> Result<T, LoadError> {
    toml::from_str(text).map_err(|error| {
        fault(file, text, error.span().map_or(0, |span| span.start), in_our_words(error.message()))
    })
}

/// A fault at byte `at` of a file's text.
fn fault(file: &'static str, text: &str, at: usize, what: &'static str) -> LoadError {
    let before = text.get(..at).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    LoadError {
        file,
        line: before.matches('\n').count() + 1,
        column: before[start..].chars().count() + 1,
        what,
    }
}

/// What the types cannot say about a rule.
fn check(rule: &Rule, file: &str) -> Result<(), &'static str> {
    let mut ids: Vec<&str> = rule.commands.iter().map(|entry| entry.id.as_str()).collect();
    ids.extend(rule.patterns.iter().map(|entry| entry.id.as_str()));
    ids.extend(rule.phrases.iter().map(|entry| entry.id.as_str()));
    let entries = ids.len();
    ids.extend(rule.forms.iter().map(|form| form.id.as_str()));
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    let mut literals = rule.patterns.iter().flat_map(|entry| &entry.literals);
    if rule.id != file {
        Err("the id is not the file's name")
    } else if ids.len() != all {
        Err("two entries have the same id")
    } else if (entries == 0) != rule.raised_by.is_some() {
        Err("a rule has either entries or a `raised_by`")
    } else if rule
        .commands
        .iter()
        .map(|entry| &entry.about)
        .chain(rule.phrases.iter().map(|entry| &entry.about))
        .any(String::is_empty)
    {
        Err("an entry says not what it is about")
    } else if literals.any(|literal| short(literal)) {
        Err("an entry has a literal with white space or of less than two bytes")
    } else {
        rule.commands.iter().find_map(command_fault).map_or(Ok(()), Err)
    }
}

fn short(literal: &str) -> bool {
    literal.len() < 2 || literal.contains(char::is_whitespace)
}

/// What the types cannot say about a command entry.
pub(super) fn command_fault(entry: &CommandEntry) -> Option<&'static str> {
    let gated = entry.programs.iter().any(|name| name.len() > 1) || !entry.literals.is_empty();
    if entry.literals.iter().any(|literal| short(literal)) {
        Some("a command entry has a literal with white space or of less than two bytes")
    } else if entry.programs.iter().any(|name| *name != name.to_ascii_lowercase()) {
        Some("a command entry names a program in upper case")
    } else if !gated || (entry.programs.iter().any(|name| name == "*") && entry.literals.is_empty()) {
        Some("a command entry has neither a program nor a literal")
    } else {
        None
    }
}

/// Reads all `files` in order, each a rule's id and its text. Every start of the program waits for that, so two threads
/// share it.
pub(super) fn catalogue(files: &[(&'static str, &str)]) -> Result<Catalogue, LoadError> {
    let read = |files: &[(&'static str, &str)]| -> Result<Vec<Rule>, LoadError> {
        files.iter().map(|(file, text)| rule(file, text)).collect()
    };
    let (first, second) = files.split_at(files.len() / 2);
    let (first, second) = std::thread::scope(|scope| {
        let second = scope.spawn(|| read(second));
        (read(first), second.join())
    });
    let mut rules = first?;
    rules.extend(second.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
    build(rules)
}

/// Makes `rules` ready to be looked up, and builds the gate over them.
pub(super) fn build(rules: Vec<Rule>) -> Result<Catalogue, LoadError> {
    let mut by_name = HashMap::new();
    let mut by_program: HashMap<String, Vec<EntryId>> = HashMap::new();
    let (mut any_program, mut families, mut patterns) = (Vec::new(), Vec::new(), Vec::new());
    for (at, rule) in rules.iter().enumerate() {
        let id = RuleId(at as u16);
        by_name.insert(rule.id.clone(), id);
        for (index, entry) in rule.commands.iter().enumerate() {
            let entry_id = EntryId { rule: id, index: index as u16 };
            for name in &entry.programs {
                match name.strip_suffix('*') {
                    Some("") => any_program.push(entry_id),
                    Some(stem) => families.push((stem.to_owned(), entry_id)),
                    None => by_program.entry(name.clone()).or_default().push(entry_id),
                }
            }
        }
        patterns.extend((0..rule.patterns.len()).map(|index| EntryId { rule: id, index: index as u16 }));
    }
    // Only the built-in rules have phrases: a project's own commands are spared the lexicons.
    let files = if rules.iter().all(|rule| rule.phrases.is_empty()) { &[] } else { lexicon::FILES };
    let lexicons = files.iter().map(|(file, text)| lexicon(file, text));
    let lexicons = lexicons.collect::<Result<Vec<Lexicon>, LoadError>>()?;
    let whole = |file, what| LoadError { file, line: 1, column: 1, what };
    // Every start of the program waits for both, and neither needs the other.
    let (phrases, gate) = std::thread::scope(|scope| {
        let gate = scope.spawn(|| Gate::new(&rules));
        let phrases = phrase::compile(&rules, &lexicons);
        (phrases, gate.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    let phrases = phrases.map_err(|what| whole("lexicon", what))?;
    let gate = gate.map_err(|what| whole("gate", what))?;
    Ok(Catalogue { rules, by_name, by_program, any_program, families, patterns, phrases, gate })
}
