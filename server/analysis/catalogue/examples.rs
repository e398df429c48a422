//! Every command example of every rule, through the gate, the reader and the matcher.

use super::*;
use crate::facts::matching::in_example;

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
