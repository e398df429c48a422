//! Every command example of every rule, through the gate, the reader and the matcher.

use super::*;
use crate::facts::matching::in_example;
use crate::facts::phrase;

#[test]
fn every_command_example() {
    let mut faults = Vec::new();
    for (id, rule) in Catalogue::get().rules() {
        for entry in &rule.commands {
            let name = format!("{} / {}", rule.id, entry.id);
            for example in &entry.hits {
                let hits = in_example(example, None);
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
                if in_example(example, None).iter().any(|hit| hit.rule == id) {
                    faults.push(format!("{name}: should be quiet: {}", example.text));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} examples:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn every_phrase_example() {
    let mut faults = Vec::new();
    for (id, rule) in Catalogue::get().rules() {
        for entry in &rule.phrases {
            let name = format!("{} / {}", rule.id, entry.id);
            let hits_in = |example: &Example| {
                // Each entry by itself: which of those that meet is told of is for the scan to say.
                let hits = phrase::found(&example.text).into_iter();
                hits.filter(|hit| hit.rule == id).collect::<Vec<_>>()
            };
            for example in &entry.hits {
                let hits = hits_in(example);
                match hits.iter().find(|hit| hit.pattern == entry.id) {
                    None => faults.push(format!("{name}: should hit: {}: {hits:?}", example.text)),
                    Some(hit) if example.severity.is_some_and(|wanted| hit.severity != wanted) => {
                        faults.push(format!(
                            "{name}: should not be {}: {}",
                            hit.severity.name(),
                            example.text
                        ));
                    }
                    _ => {}
                }
            }
            for example in &entry.honest {
                if let Some(hit) = hits_in(example).first() {
                    faults.push(format!("{name}: should be quiet: {} ({})", example.text, hit.pattern));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} examples:\n{}", faults.len(), faults.join("\n"));
}
