//! Every command example of every rule, through the gate, the reader and the matcher.

use super::*;
use crate::facts::command;
use crate::facts::matching::{self, CommandHit};
use crate::lines::Lang;

fn shell_of(place: Place) -> command::Place {
    match place {
        Place::Shell => command::Place::Code(Lang::Shell),
        Place::Console => command::Place::Code(Lang::Console),
        Place::Powershell => command::Place::Code(Lang::PowerShell),
        Place::Cmd => command::Place::Code(Lang::Cmd),
        Place::Sql => command::Place::Code(Lang::Sql),
        Place::Prose => command::Place::Prose,
        Place::Item => command::Place::Item,
        Place::Row => command::Place::Row,
    }
}

fn commands_in(example: &Example) -> Vec<CommandHit> {
    let mut gate = GateHits::default();
    let open = example.text.lines().any(|line| {
        Catalogue::get().gate(line, &mut gate);
        gate.commands()
    });
    let mut hits = Vec::new();
    if open {
        matching::scan(&example.text, shell_of(example.place), &mut hits);
    }
    hits
}

#[test]
fn every_command_example() {
    let mut faults = Vec::new();
    for (id, rule) in Catalogue::get().rules() {
        for entry in &rule.commands {
            let name = format!("{} / {}", rule.id, entry.id);
            for example in &entry.hits {
                let hits = commands_in(example);
                let hit = hits.iter().find(|hit| hit.rule == id && hit.pattern == entry.id);
                match (hit, example.severity) {
                    (None, _) => faults.push(format!("{name}: should hit: {}: {hits:?}", example.text)),
                    (Some(hit), Some(wanted)) if hit.severity != wanted => {
                        faults.push(format!("{name}: should be {}: {}", wanted.name(), example.text));
                    }
                    _ => {}
                }
            }
            for example in &entry.honest {
                if commands_in(example).iter().any(|hit| hit.rule == id) {
                    faults.push(format!("{name}: should be quiet: {}", example.text));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} examples:\n{}", faults.len(), faults.join("\n"));
}
