//! `[[commands]]`: entries like those of the catalogue, each held to its own examples.

use std::ops::Range;
use std::sync::Arc;

use caveat_analysis::catalogue::{CommandEntry, Example, Own};
use caveat_analysis::facts::matching::in_example;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Problem;

type Fault = (Problem, Range<usize>);

/// Makes `commands`, which stand in `tree`, ready, and runs their examples.
pub(super) fn read(
    tree: &DeTable<'_>,
    commands: &[Spanned<CommandEntry>],
) -> Result<Option<Arc<Own>>, Fault> {
    if commands.is_empty() {
        return Ok(None);
    }
    let place = |entry: Option<usize>| {
        let at = entry.and_then(|entry| part(tree, entry, "id"));
        at.or_else(|| tree.get("commands").map(Spanned::span)).unwrap_or(0..0)
    };
    let entries = commands.iter().map(|entry| entry.get_ref().clone()).collect();
    let own = Own::new(entries).map_err(|fault| (Problem::BadEntry(fault.what), place(fault.entry)))?;
    for (at, entry) in own.commands().iter().enumerate() {
        let finds = |example: &Example| {
            let hits = in_example(example, Some(&own));
            let mut hits = hits.iter().filter(|hit| hit.rule.name() == "project-command");
            hits.find(|hit| hit.pattern == entry.id).map(|hit| hit.severity)
        };
        for (number, example) in entry.hits.iter().enumerate() {
            let told = match finds(example) {
                None => Problem::MissedExample,
                Some(found) if example.severity.is_some_and(|wanted| wanted != found) => {
                    Problem::ExampleSeverity
                }
                Some(_) => continue,
            };
            return Err((told, example_at(tree, at, "hits", number).unwrap_or_else(|| place(Some(at)))));
        }
        for (number, example) in entry.honest.iter().enumerate() {
            if finds(example).is_some() {
                let range = example_at(tree, at, "honest", number).unwrap_or_else(|| place(Some(at)));
                return Err((Problem::CaughtHonest, range));
            }
        }
    }
    Ok(Some(Arc::new(own)))
}

fn entry<'a, 'b>(tree: &'a DeTable<'b>, at: usize) -> Option<&'a Spanned<DeValue<'b>>> {
    match tree.get("commands")?.get_ref() {
        DeValue::Array(entries) => entries.get(at),
        _ => None,
    }
}

/// Where the value of `key` of the entry `at` stands; the entry itself where it has none.
fn part(tree: &DeTable<'_>, at: usize, key: &str) -> Option<Range<usize>> {
    let entry = entry(tree, at)?;
    match entry.get_ref() {
        DeValue::Table(table) => Some(table.get(key).map_or(entry.span(), Spanned::span)),
        _ => None,
    }
}

fn example_at(tree: &DeTable<'_>, at: usize, key: &str, number: usize) -> Option<Range<usize>> {
    match entry(tree, at)?.get_ref() {
        DeValue::Table(table) => match table.get(key)?.get_ref() {
            DeValue::Array(examples) => examples.get(number).map(Spanned::span),
            _ => None,
        },
        _ => None,
    }
}
