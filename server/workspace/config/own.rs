//! `[[commands]]` and `[[phrases]]`: entries like those of the catalogue, each held to its own examples.

use std::ops::Range;
use std::sync::Arc;

use caveat_analysis::catalogue::{Catalogue, CommandEntry, Example, Own, PhraseEntry, Severity};
use caveat_analysis::facts::{matching, phrase};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Problem;

type Fault = (Problem, Range<usize>);

/// Makes the entries, which stand in `tree`, ready, and runs their examples.
pub(super) fn read(
    tree: &DeTable<'_>,
    commands: &[CommandEntry],
    phrases: &[PhraseEntry],
) -> Result<Option<Arc<Own>>, Fault> {
    if commands.is_empty() && phrases.is_empty() {
        return Ok(None);
    }
    // Its findings would look like those of a rule that the report knows already.
    let ids = commands.iter().map(|entry| ("commands", &entry.id)).enumerate();
    let ids = ids.chain(phrases.iter().map(|entry| ("phrases", &entry.id)).enumerate());
    for (at, (list, id)) in ids {
        if Catalogue::get().by_name(id).is_some() {
            let place = Place { tree, list, entry: Some(at) };
            return Err((Problem::BadEntry("this id is that of a rule of caveat's own"), place.of("id")));
        }
    }
    let own = Own::new(commands.to_vec(), phrases.to_vec()).map_err(|fault| {
        let list = if fault.in_phrases { "phrases" } else { "commands" };
        (Problem::BadEntry(fault.what), Place { tree, list, entry: fault.entry }.of("id"))
    })?;
    for (at, entry) in own.commands().iter().enumerate() {
        let found = |example: &Example| {
            let hits = matching::in_example(example, Some(&own));
            let mut hits = hits.iter().filter(|hit| hit.rule.name() == "project-command");
            hits.find(|hit| hit.pattern == entry.id).map(|hit| hit.severity)
        };
        let place = Place { tree, list: "commands", entry: Some(at) };
        place.examples(&entry.hits, &entry.honest, found)?;
    }
    for (at, entry) in own.phrase_entries().iter().enumerate() {
        let found = |example: &Example| {
            let hits = phrase::in_example(example, &own);
            let mut hits = hits.iter().filter(|hit| hit.rule.name() == "project-phrase");
            hits.find(|hit| hit.pattern == entry.id).map(|hit| hit.severity)
        };
        let place = Place { tree, list: "phrases", entry: Some(at) };
        place.examples(&entry.hits, &entry.honest, found)?;
    }
    Ok(Some(Arc::new(own)))
}

/// An entry of a list, or the list itself.
struct Place<'a, 'b> {
    tree: &'a DeTable<'b>,
    list: &'static str,
    entry: Option<usize>,
}

impl<'a, 'b> Place<'a, 'b> {
    /// Holds the entry to its examples: `found` says with which severity it finds one.
    fn examples(
        &self,
        hits: &[Example],
        honest: &[Example],
        found: impl Fn(&Example) -> Option<Severity>,
    ) -> Result<(), Fault> {
        for (number, example) in hits.iter().enumerate() {
            let told = match (found(example), example.severity) {
                (None, _) => Problem::MissedExample,
                (Some(found), Some(wanted)) if found != wanted => Problem::ExampleSeverity,
                _ => continue,
            };
            return Err((told, self.example("hits", number)));
        }
        let caught = honest.iter().position(|example| found(example).is_some());
        caught.map_or(Ok(()), |number| Err((Problem::CaughtHonest, self.example("honest", number))))
    }

    fn value(&self) -> Option<&'a Spanned<DeValue<'b>>> {
        let list = self.tree.get(self.list)?;
        match (list.get_ref(), self.entry) {
            (DeValue::Array(entries), Some(at)) => entries.get(at),
            _ => Some(list),
        }
    }

    fn key(&self, key: &str) -> Option<&'a Spanned<DeValue<'b>>> {
        match self.value()?.get_ref() {
            DeValue::Table(table) => table.get(key),
            _ => None,
        }
    }

    /// Where the value of `key` stands; the entry itself where it has none.
    fn of(&self, key: &str) -> Range<usize> {
        self.key(key).or_else(|| self.value()).map_or(0..0, Spanned::span)
    }

    fn example(&self, key: &str, number: usize) -> Range<usize> {
        let example = self.key(key).and_then(|list| match list.get_ref() {
            DeValue::Array(examples) => examples.get(number),
            _ => None,
        });
        example.map_or_else(|| self.of(key), Spanned::span)
    }
}
