//! Replacement tables: a table is exempt where an earlier sentence of its section forbids the same program and
//! subcommand with a subset of its flags (CONTRACTS, "Scopes").
//!
//! The scopes only say that there is such a sentence; which commands it names is read from the text when a table asks.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, VecDeque};

use super::grounds::Grounds;
use super::stance;
use crate::facts::command::{Place, Simple, candidates};
use crate::facts::cue::{self, Turn};
use crate::facts::{By, ByKind, Governs, Hit, Record, Says};
use crate::lines::Lang;
use crate::scope::{BlockKind, LabelAt};
use crate::text::Source;

/// At most this many sentences of a section count for one program and subcommand: those of the nearest block, in their
/// order, then those of the blocks above it.
const MOST: usize = 64;

/// Programs whose first word after the options names what they do.
const WITH_SUBCOMMANDS: [&str; 24] = [
    "git",
    "docker",
    "podman",
    "kubectl",
    "helm",
    "terraform",
    "tofu",
    "pulumi",
    "cdk",
    "aws",
    "gcloud",
    "az",
    "npm",
    "pnpm",
    "yarn",
    "cargo",
    "pip",
    "brew",
    "gh",
    "systemctl",
    "heroku",
    "fly",
    "doctl",
    "redis-cli",
];

/// What the sentences forbid that stand above a table, back to the heading, thematic break or fence that begins its
/// section. The next table goes on from there: a section's text is read once, however many tables it has.
#[derive(Default)]
pub(super) struct Bans {
    /// By what is forbidden, the nearest sentence first.
    known: HashMap<Name, VecDeque<Ban>>,
    /// The block up to which they are known.
    upto: usize,
    /// The block at hand is a table of replacements.
    applies: bool,
    /// Its columns that hold what is to be done.
    given: Vec<u8>,
}

/// A program and its subcommand.
type Name = (String, Option<String>);

/// The flags with which a command is forbidden, and where that sentence stands.
struct Ban {
    flags: BTreeSet<String>,
    at: LabelAt,
}

/// What makes two commands the same for a table.
struct Key {
    name: Name,
    flags: BTreeSet<String>,
}

impl Key {
    fn of(command: &Simple) -> Key {
        let mut flags = BTreeSet::new();
        let mut subcommand = None;
        for word in command.args() {
            let value = word.value.as_str();
            if let Some(long) = value.strip_prefix("--") {
                flags.insert(format!("--{}", long.split('=').next().unwrap_or(long)));
            } else if let Some(short) = value.strip_prefix('-') {
                flags.extend(short.chars().map(|c| format!("-{c}")));
            } else if subcommand.is_none() {
                subcommand = Some(value.to_owned());
            }
        }
        let subcommand = subcommand.filter(|_| WITH_SUBCOMMANDS.contains(&command.program.as_str()));
        Key { name: (command.program.clone(), subcommand), flags }
    }
}

impl Bans {
    /// The same for block `index`, which begins on line `line` and stands below all for which they were asked before.
    pub(super) fn below<S: Source>(mut self, grounds: &Grounds<'_, S>, index: usize, line: usize) -> Bans {
        let Some(block) = grounds.blocks.get(index) else { return self };
        self.applies = block.kind == BlockKind::Table
            && block.entry.banned
            && block.entry.myth == 0
            && !is_procedure(&grounds.source.line(line))
            && !leads_elsewhere(grounds, index, line);
        self.given.clear();
        for fact in grounds.records.get(line).map(Record::facts).unwrap_or_default() {
            if let Says::Turn(Turn::Good, Governs::Column(column)) = fact.says {
                self.given.push(column);
            }
        }
        if !self.applies {
            return self;
        }
        let (mut fresh, mut line) = (Vec::new(), line);
        for index in (self.upto..index).rev() {
            let Some(block) = grounds.blocks.get(index) else { break };
            if matches!(block.kind, BlockKind::Heading | BlockKind::Rule | BlockKind::Fence) {
                self.known.clear();
                break;
            }
            let end = line;
            line -= block.lines as usize;
            for (at, record) in (line..end).zip(grounds.records.iter_range(line..end)) {
                for fact in record.facts() {
                    let Says::Hit(Hit { by: Some(by @ By { kind: ByKind::Ban, .. }), .. }) = fact.says else {
                        continue;
                    };
                    let start = grounds.source.line_start(at) + fact.start as usize;
                    let end = grounds.source.line_start(at + usize::from(fact.end_line)) + fact.end as usize;
                    let text = grounds.source.slice(start..end);
                    fresh.extend(keys(&text).map(|key| (key, stance::at(at, by))));
                }
            }
        }
        for (key, at) in fresh.into_iter().rev() {
            self.add(key, at);
        }
        self.upto = index;
        self
    }

    /// Adds what is forbidden at `at`, nearer than all that is known.
    fn add(&mut self, Key { name, flags }: Key, at: LabelAt) {
        let known = self.known.entry(name).or_default();
        // One that forbids no more than this one does is never asked again.
        known.retain(|farther| !flags.is_subset(&farther.flags));
        known.truncate(MOST - 1);
        known.push_front(Ban { flags, at });
    }

    /// Where the sentence stands that forbids the command `text` of a table's row; `None` also where there is no table.
    pub(super) fn forbids<'t>(&self, hit: Hit, text: impl FnOnce() -> Cow<'t, str>) -> Option<LabelAt> {
        let given = self.given.contains(&hit.cell)
            || hit
                .by
                .is_some_and(|by| matches!(by.kind, ByKind::Cell(Turn::Good) | ByKind::Says(Turn::Good)));
        if !self.applies || self.known.is_empty() || given {
            return None;
        }
        // Every command of the stretch has to be forbidden: one that is not would pass in the shadow of another.
        let mut at = None;
        for Key { name, flags } in keys(&text()) {
            at = Some(self.known.get(&name)?.iter().find(|ban| ban.flags.is_subset(&flags))?.at);
        }
        at
    }
}

/// Whether a table with this header tells its reader what to do, and replaces nothing.
fn is_procedure(header: &str) -> bool {
    const FIRST: [&str; 24] = [
        "do",
        "run",
        "execute",
        "to",
        "step",
        "steps",
        "order",
        "phase",
        "task",
        "tasks",
        "when",
        "if",
        "situation",
        "allowed",
        "permitted",
        "required",
        "needed",
        "at",
        "start",
        "exception",
        "exceptions",
        "stage",
        "then",
        "todo",
    ];
    let cells: Vec<&str> = cue::cells(header).into_iter().map(|cell| &header[cell]).collect();
    let bad = cells.iter().any(|cell| cue::column(cell) == Some(Turn::Bad));
    let tells = |cell: &&str| {
        let plain = cell.trim_matches(|c: char| !c.is_alphanumeric() && c != '#');
        let first = plain.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        // "Safe alternative" names what replaces, "Safe" what may be done.
        let all = ["#", "no.", "good", "safe", "ok"].iter().any(|word| plain.eq_ignore_ascii_case(word));
        all || FIRST.iter().any(|word| first.eq_ignore_ascii_case(word))
    };
    !bad && cells.iter().any(tells)
}

/// Whether the line above the table, which begins on line `line`, says that it holds something else than replacements:
/// "To release:".
fn leads_elsewhere<S: Source>(grounds: &Grounds<'_, S>, index: usize, mut line: usize) -> bool {
    const REPLACES: [&str; 22] = [
        "instead",
        "replace",
        "replaces",
        "replaced",
        "replacing",
        "replacement",
        "replacements",
        "alternative",
        "alternatives",
        "substitute",
        "substitutes",
        "rather",
        "use",
        "equivalent",
        "equivalents",
        "safer",
        "avoid",
        "never",
        "forbidden",
        "blocked",
        "prohibited",
        "prefer",
    ];
    for above in (0..index).rev().take(2) {
        let Some(block) = grounds.blocks.get(above) else { return false };
        if block.kind == BlockKind::Blank {
            line -= block.lines as usize;
            continue;
        }
        let text = grounds.source.line(line.saturating_sub(1));
        let text = text.trim().trim_end_matches(['*', '_']);
        let words: Vec<String> = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_ascii_lowercase)
            .collect();
        let step =
            words.first().is_some_and(|first| matches!(first.as_str(), "to" | "then" | "now" | "first"));
        let replaces = words.iter().any(|word| REPLACES.contains(&word.as_str()));
        return text.ends_with(':') && block.kind != BlockKind::Heading && (step || !replaces);
    }
    false
}

fn keys(text: &str) -> impl Iterator<Item = Key> {
    let commands = candidates(text, Place::Code(Lang::Shell))
        .into_iter()
        .flat_map(|candidate| candidate.script.commands);
    commands.filter(|command| !command.program.is_empty()).map(|command| Key::of(&command))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{Catalogue, Severity};

    fn key(text: &str) -> Key {
        keys(text).next().expect("a command")
    }

    #[test]
    fn many_sentences_are_kept_by_what_they_forbid_and_few_of_each() {
        let mut bans = Bans { applies: true, ..Bans::default() };
        let at = |line| LabelAt { line, start: 0, end: 1 };
        for line in 0..500 {
            bans.add(key(&format!("tool{line} --force")), at(line));
            bans.add(key(&format!("git push --f{line} --force")), at(line));
            bans.add(key("npm publish --force"), at(line));
        }
        let hit = Hit::new(Catalogue::get().by_name("rm-rf").expect("a rule"), "rm", Severity::Error);
        let forbids = |text: &str| bans.forbids(hit, || Cow::Borrowed(text)).map(|at| at.line);
        assert_eq!(bans.known.len(), 502);
        assert!(bans.known.values().all(|known| known.len() <= MOST));
        assert_eq!(forbids("tool7 --force --all"), Some(7));
        assert_eq!(forbids("tool7"), None);
        assert_eq!(forbids("git push --force --f499"), Some(499));
        assert_eq!(forbids("git push --force"), None);
        assert_eq!(forbids("npm publish --force now"), Some(499));
        assert_eq!(bans.known.values().map(VecDeque::len).sum::<usize>(), 500 + MOST + 1);
        assert_eq!(Bans { applies: false, ..bans }.forbids(hit, || "tool7 --force".into()), None);
    }
}
