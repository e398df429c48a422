//! A command's words, told apart: options, their values, operands.
//!
//! `-rf`, `-r -f`, `--recursive` and `--rec` are one thing; `-e "-f"` and `-- -f` are another. What is an option
//! depends on the program, so the entry says which options take a value and how the program writes them.

use super::super::command::Word;
use crate::catalogue::{CommandEntry, LastWins, Style};

/// An option as it was written: `-r`, `--force`, `--interactive` with its value.
struct Flag<'a> {
    name: String,
    value: Option<&'a str>,
}

/// The words after a program's name, told apart.
pub(super) struct Arguments<'a> {
    all: &'a [Word],
    flags: Vec<Flag<'a>>,
    operands: Vec<&'a Word>,
}

impl<'a> Arguments<'a> {
    /// Reads `words`, those after the program's name, as `entry` says that the program does.
    pub(super) fn read(entry: &CommandEntry, words: &'a [Word]) -> Arguments<'a> {
        let mut read = Arguments { all: words, flags: Vec::new(), operands: Vec::new() };
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            let value = word.value.as_str();
            match entry.style {
                Style::Words => read.operands.push(word),
                Style::Slash if value.len() > 1 && value.starts_with('/') => {
                    let names =
                        value.split('/').skip(1).map(|name| format!("/{}", name.to_ascii_lowercase()));
                    read.flags.extend(names.map(|name| Flag { name, value: None }));
                }
                Style::Slash => read.operands.push(word),
                Style::Powershell => {
                    let letter =
                        value.strip_prefix('-').is_some_and(|name| name.starts_with(char::is_alphabetic));
                    if letter {
                        let (name, joined) = split(value, ':');
                        read.take(entry, name.to_ascii_lowercase(), joined, &mut rest);
                    } else {
                        read.operands.push(word);
                    }
                }
                Style::Gnu | Style::Go if value == "--" => {
                    read.operands.extend(rest.by_ref());
                }
                Style::Go if value.len() > 1 && value.starts_with('-') => {
                    let (name, joined) = split(value, '=');
                    read.take(entry, format!("-{}", name.trim_start_matches('-')), joined, &mut rest);
                }
                Style::Gnu if value.starts_with("--") => {
                    let (name, joined) = split(value, '=');
                    read.take(entry, name.to_owned(), joined, &mut rest);
                }
                Style::Gnu if value.len() > 1 && value.starts_with('-') => {
                    read.cluster(entry, value, &mut rest)
                }
                Style::Gnu | Style::Go => read.operands.push(word),
            }
        }
        read
    }

    /// One option with its value: joined to it, or the next word if the option takes one.
    fn take(
        &mut self,
        entry: &CommandEntry,
        name: String,
        joined: Option<&'a str>,
        rest: &mut std::slice::Iter<'a, Word>,
    ) {
        let takes = joined.is_none() && entry.values.iter().any(|spec| same_name(entry, spec, &name));
        let value = if takes { rest.next().map(|word| word.value.as_str()) } else { joined };
        self.flags.push(Flag { name, value });
    }

    /// Short options behind one dash; the first that takes a value takes what is left, or the next word.
    fn cluster(&mut self, entry: &CommandEntry, word: &'a str, rest: &mut std::slice::Iter<'a, Word>) {
        for (at, letter) in word.char_indices().skip(1) {
            let name = format!("-{letter}");
            let takes = entry.values.contains(&name);
            let left = &word[at + letter.len_utf8()..];
            let value = match (takes, left.is_empty()) {
                (false, _) => None,
                (true, false) => Some(left.strip_prefix('=').unwrap_or(left)),
                (true, true) => rest.next().map(|word| word.value.as_str()),
            };
            self.flags.push(Flag { name, value });
            if takes {
                break;
            }
        }
    }

    /// The operands behind the entry's subcommand; `None` if the command has another one.
    pub(super) fn after_sub(&self, entry: &CommandEntry) -> Option<Vec<&'a Word>> {
        let mut left = self.operands.iter();
        for words in &entry.sub {
            let fits = |word: &&&Word| {
                words
                    .split('|')
                    .any(|choice| super::operand::like(choice, &word.value, entry.operands.any_case))
            };
            if entry.gaps {
                left.find(fits)?;
            } else {
                left.next().filter(fits)?;
            }
        }
        Some(left.copied().collect())
    }

    /// All words.
    pub(super) fn words(&self) -> impl Iterator<Item = &'a Word> {
        self.all.iter()
    }

    /// Whether one of the options `specs` is present.
    pub(super) fn has_any(&self, entry: &CommandEntry, specs: &[String]) -> bool {
        specs.iter().any(|spec| self.last(entry, spec).is_some())
    }

    /// Whether one of the options `specs` is present, and no later `--no-` or `=false` of it takes it back:
    /// `--dry-run --no-dry-run`.
    pub(super) fn holds_any(&self, entry: &CommandEntry, specs: &[String]) -> bool {
        specs.iter().any(|spec| self.last(entry, spec).is_some_and(|at| !self.taken_back(entry, at, specs)))
    }

    /// Whether an option behind the one at `at` takes one of `specs` back.
    fn taken_back(&self, entry: &CommandEntry, at: usize, specs: &[String]) -> bool {
        matches!(entry.style, Style::Gnu | Style::Go)
            && self.flags.iter().skip(at + 1).any(|flag| {
                let bare = flag.name.trim_start_matches('-');
                let no = bare.strip_prefix("no-");
                specs.iter().any(|spec| {
                    let spec = spec.trim_start_matches('-');
                    no == Some(spec)
                        || (bare == spec && flag.value.is_some_and(|value| value == "false" || value == "0"))
                })
            })
    }

    /// Whether the tool is only asked for help.
    pub(super) fn asks_for_help(&self, entry: &CommandEntry) -> bool {
        match entry.style {
            Style::Gnu => {
                let help = |flag: &Flag| matches!(flag.name.as_str(), "--help" | "--version");
                self.flags.iter().any(|flag| help(flag) && flag.value.is_none())
            }
            Style::Go => {
                self.flags.iter().any(|flag| matches!(flag.name.as_str(), "-help" | "-h" | "-version"))
            }
            Style::Words => {
                matches!(self.operands.as_slice(), [only] if matches!(only.value.as_str(), "--help" | "-help" | "--version"))
            }
            Style::Powershell => self.flags.iter().any(|flag| flag.name == "-?"),
            Style::Slash => self.flags.iter().any(|flag| flag.name == "/?"),
        }
    }

    /// Whether the later of the pair is the one that defuses.
    pub(super) fn defused(&self, entry: &CommandEntry, pair: &LastWins) -> bool {
        let last = |specs: &[String]| specs.iter().filter_map(|spec| self.last(entry, spec)).max();
        last(&pair.defuses).is_some_and(|defused| last(&pair.arms).is_none_or(|armed| armed < defused))
    }

    /// The place among the options of the last that `spec` names.
    fn last(&self, entry: &CommandEntry, spec: &str) -> Option<usize> {
        if entry.style == Style::Words {
            return self.operands.iter().rposition(|word| super::operand::like(spec, &word.value, false));
        }
        let (name, wanted) = split(spec, if entry.style == Style::Powershell { ':' } else { '=' });
        self.flags.iter().rposition(|flag| {
            same_name(entry, name, &flag.name)
                && match (wanted, flag.value) {
                    (Some(wanted), Some(value)) => match wanted.strip_prefix('@') {
                        Some(kind) => super::operand::is_kind(kind, value),
                        None => super::operand::like(wanted, value, true),
                    },
                    (Some(_), None) => false,
                    (None, Some(value)) => matches!(value, "true" | "$true" | "1" | ""),
                    (None, None) => true,
                }
        })
    }
}

/// Whether the option `name`, as it was written, is the one that the catalogue writes `spec`.
fn same_name(entry: &CommandEntry, spec: &str, name: &str) -> bool {
    match entry.style {
        Style::Go => spec.trim_start_matches('-') == name.trim_start_matches('-'),
        Style::Powershell => name.len() > 1 && spec.to_ascii_lowercase().starts_with(name),
        Style::Slash => spec == name,
        Style::Gnu | Style::Words => {
            spec == name
                || (entry.abbreviated && name.len() > 2 && name.starts_with("--") && spec.starts_with(name))
        }
    }
}

fn split(word: &str, by: char) -> (&str, Option<&str>) {
    word.split_once(by).map_or((word, None), |(name, value)| (name, Some(value)))
}
