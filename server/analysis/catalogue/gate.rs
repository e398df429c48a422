//! One pass over a line tells which entries need a closer look.
//!
//! Nearly every line of a document holds no command, no credential and no word that matters to a scope. (Phrases have a
//! gate of their own, over words: see `phrase::Forms`.) One
//! Aho-Corasick automaton over all literals says so at a few nanoseconds a byte; only what it lets through is read
//! closely. It must never let less through than the closer look would find, so it errs towards "maybe".

use std::collections::BTreeMap;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind, StartKind};

use super::{CommandEntry, Rule};

/// Words that matter to scopes, whole and in any ASCII case: a set of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct GateCues(u8);

impl GateCues {
    /// An exception word: `but`, `however`, `except`, `unless` (seed 1).
    pub const EXCEPTION: GateCues = GateCues(1);
    /// A noun that every label has: `command`, `commands`, `instruction`, `instructions`.
    pub const LABEL_NOUN: GateCues = GateCues(2);
    /// An affirmative word: `always`, `must`, `run`, `execute`, `use`, `follow` (seed 1).
    pub const AFFIRMATIVE: GateCues = GateCues(4);

    /// Whether all of `cues` are set.
    #[must_use]
    pub fn has(self, cues: GateCues) -> bool {
        self.0 & cues.0 == cues.0
    }
}

impl std::ops::BitOrAssign for GateCues {
    fn bitor_assign(&mut self, other: GateCues) {
        self.0 |= other.0;
    }
}

const CUES: [(&str, GateCues); 14] = [
    ("but", GateCues::EXCEPTION),
    ("however", GateCues::EXCEPTION),
    ("except", GateCues::EXCEPTION),
    ("unless", GateCues::EXCEPTION),
    ("command", GateCues::LABEL_NOUN),
    ("commands", GateCues::LABEL_NOUN),
    ("instruction", GateCues::LABEL_NOUN),
    ("instructions", GateCues::LABEL_NOUN),
    ("always", GateCues::AFFIRMATIVE),
    ("must", GateCues::AFFIRMATIVE),
    ("run", GateCues::AFFIRMATIVE),
    ("execute", GateCues::AFFIRMATIVE),
    ("use", GateCues::AFFIRMATIVE),
    ("follow", GateCues::AFFIRMATIVE),
];

/// A place where a pattern entry's literal begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PatternAt {
    /// The entry's number: see `Catalogue::pattern`.
    pub(crate) entry: u16,
    /// Byte offset in the line.
    pub(crate) at: u32,
}

/// What the gate saw in a line. Kept by the caller and reused, so that a quiet line allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct GateHits {
    pub(crate) patterns: Vec<PatternAt>,
    commands: bool,
    cues: GateCues,
    plain: String,
}

impl GateHits {
    /// Whether a command of the catalogue may stand in the line: a program's name, or another mark that the command
    /// reader has to look at.
    #[must_use]
    pub fn commands(&self) -> bool {
        self.commands
    }

    /// Whether a pattern entry's literal stands in the line.
    #[must_use]
    pub fn patterns(&self) -> bool {
        !self.patterns.is_empty()
    }

    /// The words that matter to scopes.
    #[must_use]
    pub fn cues(&self) -> GateCues {
        self.cues
    }
}

/// How far behind a literal the words may stand that must follow it, in bytes.
const NEAR: usize = 512;

/// What a literal stands for.
#[derive(Clone, Debug)]
enum Meaning {
    /// A program's name, or the beginning of one.
    Program {
        family: bool,
        /// One of these stands behind it, in lower case; none named, anything.
        near: Box<[String]>,
    },
    /// A mark that the command reader has to look at, wherever it stands.
    Mark { near: Box<[String]> },
    /// A pattern entry's literal.
    Pattern {
        entry: u16,
        /// It may follow a letter, digit or underscore.
        inside: bool,
    },
    /// A whole word that matters to scopes.
    Cue(GateCues),
}

/// The automaton, and what its literals mean.
#[derive(Debug)]
pub(super) struct Gate {
    automaton: AhoCorasick,
    meanings: Vec<Meaning>,
}

/// The words of which one must stand behind an entry's program or literal: as the entry says, else its last
/// subcommand's, where that has no wildcard. Unknown (empty) lets everything through.
fn near(entry: &CommandEntry) -> Vec<String> {
    let sub = entry.sub.last().filter(|sub| !sub.contains(['*', '?']));
    match (entry.near.is_empty(), sub) {
        (false, _) => entry.near.iter().map(|word| word.to_ascii_lowercase()).collect(),
        (true, Some(sub)) => sub.split('|').map(str::to_ascii_lowercase).collect(),
        (true, None) => Vec::new(),
    }
}

impl Gate {
    /// Builds the gate over the literals of all `rules`.
    pub(super) fn new(rules: &[Rule]) -> Result<Gate, &'static str> {
        // By literal, so that each is told once: what must stand behind it, over all entries that name it.
        let mut programs: BTreeMap<(String, bool), Vec<String>> = BTreeMap::new();
        // `$'…'` may spell any name.
        let mut marks: BTreeMap<String, Vec<String>> = BTreeMap::from([("$'".to_owned(), Vec::new())]);
        let widen = |known: &mut Vec<String>, new: bool, near: Vec<String>| {
            if near.is_empty() || (known.is_empty() && !new) {
                known.clear();
            } else {
                known.extend(near);
            }
        };
        for entry in rules.iter().flat_map(|rule| &rule.commands) {
            for literal in &entry.literals {
                let new = !marks.contains_key(literal);
                widen(marks.entry(literal.clone()).or_default(), new, near(entry));
            }
            for name in entry.programs.iter().filter(|_| entry.literals.is_empty()) {
                let (stem, family) =
                    name.strip_suffix('*').map_or((name.as_str(), false), |stem| (stem, true));
                let key = (stem.to_owned(), family);
                let new = !programs.contains_key(&key);
                widen(programs.entry(key).or_default(), new, near(entry));
            }
        }
        let sorted = |mut near: Vec<String>| {
            near.sort_unstable();
            near.dedup();
            near.into_boxed_slice()
        };
        let mut literals: Vec<(String, Meaning)> =
            CUES.iter().map(|(word, cue)| ((*word).to_owned(), Meaning::Cue(*cue))).collect();
        literals.extend(
            programs
                .into_iter()
                .map(|((name, family), near)| (name, Meaning::Program { family, near: sorted(near) })),
        );
        literals.extend(marks.into_iter().map(|(mark, near)| (mark, Meaning::Mark { near: sorted(near) })));
        for (number, entry) in rules.iter().flat_map(|rule| &rule.patterns).enumerate() {
            let meaning = Meaning::Pattern { entry: number as u16, inside: entry.inside_word };
            literals.extend(entry.literals.iter().map(|literal| (literal.clone(), meaning.clone())));
        }
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .start_kind(StartKind::Unanchored)
            .kind(Some(AhoCorasickKind::DFA))
            .build(literals.iter().map(|(literal, _)| literal))
            .map_err(|_| "the automaton is too large")?;
        let meanings = literals.into_iter().map(|(_, meaning)| meaning).collect();
        Ok(Gate { automaton, meanings })
    }

    /// Looks through `line` once; `hits` is emptied first.
    pub(super) fn scan(&self, line: &str, hits: &mut GateHits) {
        hits.patterns.clear();
        hits.commands = false;
        hits.cues = GateCues::default();
        for found in self.automaton.find_overlapping_iter(line) {
            let (start, end) = (found.start(), found.end());
            match &self.meanings[found.pattern().as_usize()] {
                Meaning::Pattern { entry, inside } => {
                    let inner = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
                    if *inside || !line.as_bytes()[..start].last().is_some_and(inner) {
                        hits.patterns.push(PatternAt { entry: *entry, at: start as u32 });
                    }
                }
                Meaning::Cue(cue) => {
                    if !hits.cues.has(*cue) && is_word(line, start, end) {
                        hits.cues |= *cue;
                    }
                }
                command => hits.commands = hits.commands || opens(command, line, start, end),
            }
        }
        if !hits.commands && broken_word(line.as_bytes()) {
            let mut plain = std::mem::take(&mut hits.plain);
            plain.clear();
            plain.extend(line.chars().filter(|c| !matches!(c, '\'' | '"' | '\\' | '^' | '`')));
            hits.commands = self.automaton.find_overlapping_iter(&plain).any(|found| {
                opens(&self.meanings[found.pattern().as_usize()], &plain, found.start(), found.end())
            });
            hits.plain = plain;
        }
    }
}

/// Whether the literal at `start..end` with this meaning may begin a command of the catalogue.
fn opens(meaning: &Meaning, line: &str, start: usize, end: usize) -> bool {
    match meaning {
        Meaning::Program { family, near } => {
            (if *family { begins_name(line, start) } else { is_name(line, start, end) })
                && followed(line, end, near)
        }
        Meaning::Mark { near } => followed(line, end, near),
        Meaning::Pattern { .. } | Meaning::Cue(_) => false,
    }
}

/// Whether one of `near` stands within reach behind `end`, in any ASCII case. Beyond the reach it is taken for granted.
fn followed(line: &str, end: usize, near: &[String]) -> bool {
    let behind = &line.as_bytes()[end..];
    if near.is_empty() || behind.len() > NEAR {
        return true;
    }
    near.iter()
        .any(|word| behind.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word.as_bytes())))
}

fn begins_name(line: &str, start: usize) -> bool {
    let before = &line.as_bytes()[..start];
    match before.last() {
        None => true,
        // the mark of a recipe of make at the line's start, and of a variable's default: `-rm`, `@-rm`, `${X:-rm}`
        Some(b'-') => {
            let line = &before[..before.len() - 1];
            let mark = line.iter().rev().find(|byte| !matches!(byte, b' ' | b'\t' | b'@' | b'+'));
            line.ends_with(b":") || matches!(mark, None | Some(b'\n'))
        }
        Some(byte) => !is_name_byte(*byte),
    }
}

/// Whether `start..end` is a whole program name. A hyphen belongs to a name: `--rm` and `rm-old` are not `rm`. Nor is the
/// scheme of an address a program, though there is one called `http`.
fn is_name(line: &str, start: usize, end: usize) -> bool {
    let after = &line.as_bytes()[end..];
    begins_name(line, start)
        && after.first().is_none_or(|byte| !is_name_byte(*byte))
        && !after.starts_with(b"://")
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Whether `start..end` is a whole word: no letter, digit or underscore, ASCII or not, beside it.
fn is_word(line: &str, start: usize, end: usize) -> bool {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    !line[..start].chars().next_back().is_some_and(inside) && !line[end..].chars().next().is_some_and(inside)
}

/// Whether a quote or an escape stands inside a word, so that a name may be spelled `r''m` or `r\m`.
fn broken_word(line: &[u8]) -> bool {
    let mark = |byte: u8| MARKS[usize::from(byte)];
    line.windows(3)
        .any(|w| mark(w[1]) && w[0].is_ascii_alphanumeric() && (w[2].is_ascii_alphanumeric() || mark(w[2])))
}

/// The quotes and escapes of all shells.
const MARKS: [bool; 256] = {
    let mut marks = [false; 256];
    let (bytes, mut at) = (br#"'"\^`"#, 0);
    while at < bytes.len() {
        marks[bytes[at] as usize] = true;
        at += 1;
    }
    marks
};

#[cfg(test)]
mod tests {
    use super::GateCues;
    use crate::catalogue::{Catalogue, GateHits};

    fn scan(line: &str) -> GateHits {
        let mut hits = GateHits::default();
        Catalogue::get().gate(line, &mut hits);
        hits
    }

    #[test]
    fn a_program_is_a_whole_name() {
        for line in [
            "rm -rf x",
            "/bin/rm x",
            "sudo RM x",
            "`rm`",
            "\\rm x",
            "r''m x",
            "r\\m x",
            "r\"m\" x",
            "'rm' x",
            "x;rm y",
            "$(rm x)",
            "rm.exe x",
            "$'\\x72\\x6d' x",
            "é rm x",
            "-rm x",
            "\t@-rm x",
            "${X:-rm} x",
        ] {
            assert!(scan(line).commands(), "{line}");
        }
        for line in
            ["form", "the arm, rms", "docker-run --rm", "rm-old", "don't warm it", "", "größe", "rm_all"]
        {
            assert!(!scan(line).commands(), "{line}");
        }
    }

    #[test]
    fn cues_are_whole_words_in_any_case() {
        let all = [GateCues::EXCEPTION, GateCues::LABEL_NOUN, GateCues::AFFIRMATIVE];
        let cases: [(&str, [bool; 3]); 12] = [
            ("Never run these Commands:", [false, true, true]),
            ("BUT not here", [true, false, false]),
            ("this \u{2014}but\u{2014} is", [true, false, false]),
            ("button, attribute, debut", [false, false, false]),
            ("unless_x and \u{e9}but", [false, false, false]),
            ("except, however; unless.", [true, false, false]),
            ("exceptional", [false, false, false]),
            ("instruction", [false, true, false]),
            ("the commandline", [false, false, false]),
            ("must\u{2019}ve", [false, false, true]),
            ("because of trunk", [false, false, false]),
            ("Follow **use** it", [false, false, true]),
        ];
        for (line, expected) in cases {
            assert_eq!(all.map(|cue| scan(line).cues().has(cue)), expected, "{line}");
        }
    }

    #[test]
    fn a_second_line_starts_afresh() {
        let mut hits = GateHits::default();
        Catalogue::get().gate("but rm -rf x AKIA", &mut hits);
        assert!(hits.commands() && hits.patterns() && hits.cues().has(GateCues::EXCEPTION));
        Catalogue::get().gate("quiet", &mut hits);
        assert!(!hits.commands() && !hits.patterns());
        assert_eq!(hits.cues(), GateCues::default());
    }
}
