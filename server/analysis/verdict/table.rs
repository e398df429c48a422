//! Replacement tables: a table is exempt where an earlier sentence of its section forbids the same program and
//! subcommand with a subset of its flags (CONTRACTS, "Scopes").
//!
//! The scopes only say that there is such a sentence; which commands it names is read from the text when a table asks.

use std::collections::BTreeSet;

use super::grounds::Grounds;
use super::stance;
use crate::facts::command::{Place, Simple, candidates};
use crate::facts::cue::{self, Turn};
use crate::facts::{By, ByKind, Hit, Says};
use crate::lines::Lang;
use crate::scope::{BlockKind, LabelAt};
use crate::text::Source;

/// At most this many sentences of a section count, the nearest ones.
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

/// A command that a sentence forbids, and where that sentence stands.
pub(super) struct Ban {
    command: Key,
    at: LabelAt,
}

/// What makes two commands the same for a table.
struct Key {
    program: String,
    subcommand: Option<String>,
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
        Key { program: command.program.clone(), subcommand, flags }
    }
}

/// What the sentences above table `index`, which begins on line `line`, forbid: back to the heading, thematic break or
/// fence that begins the section.
pub(super) fn bans<S: Source>(grounds: &Grounds<'_, S>, index: usize, line: usize) -> Vec<Ban> {
    let mut bans = Vec::new();
    if is_procedure(&grounds.source.line(line)) {
        return bans;
    }
    let mut line = line;
    for index in (0..index).rev() {
        let Some(block) = grounds.blocks.get(index) else { break };
        if matches!(block.kind, BlockKind::Heading | BlockKind::Rule | BlockKind::Fence) || bans.len() >= MOST
        {
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
                bans.extend(keys(&text).map(|command| Ban { command, at: stance::at(at, by) }));
            }
        }
    }
    bans
}

/// Whether a table with this header tells its reader what to do, and replaces nothing.
fn is_procedure(header: &str) -> bool {
    let cells: Vec<&str> = cue::cells(header).into_iter().map(|cell| &header[cell]).collect();
    let has =
        |words: &[&str]| cells.iter().any(|cell| words.iter().any(|word| cell.eq_ignore_ascii_case(word)));
    let bad = cells.iter().any(|cell| cue::column(cell) == Some(Turn::Bad));
    !bad && has(&["do", "run", "execute", "to do"])
}

/// Where the sentence stands that forbids the command `text` of a table's row.
pub(super) fn forbids(bans: &[Ban], text: &str) -> Option<LabelAt> {
    let mut commands = keys(text).peekable();
    commands.peek()?;
    // Every command of the stretch has to be forbidden: one that is not would pass in the shadow of another.
    let mut at = None;
    for command in commands {
        let ban = bans.iter().find(|ban| {
            let Key { program, subcommand, flags } = &ban.command;
            *program == command.program
                && *subcommand == command.subcommand
                && flags.is_subset(&command.flags)
        })?;
        at = Some(ban.at);
    }
    at
}

fn keys(text: &str) -> impl Iterator<Item = Key> {
    let commands = candidates(text, Place::Code(Lang::Shell))
        .into_iter()
        .flat_map(|candidate| candidate.script.commands);
    commands.filter(|command| !command.program.is_empty()).map(|command| Key::of(&command))
}
