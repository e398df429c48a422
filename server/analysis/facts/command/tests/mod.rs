//! What is read, from the outside: a unit in, the commands with their ranges out.

mod indirect;
mod oracle;
mod prose;
mod records;
mod runners;
mod shell;
mod terminal;
mod windows;
mod wrappers;

use super::*;
use crate::facts::matching::scan;

/// One line per command: its range's text, then program and words, wrappers, feed and parent.
fn show(unit: &str, place: Place) -> String {
    let mut out = Vec::new();
    for candidate in candidates(unit, place) {
        for simple in &candidate.script.commands {
            let words: Vec<&str> = simple.words.iter().map(|word| word.value.as_str()).collect();
            let mut line = words.join(" ");
            for wrapper in &simple.wrappers {
                line.insert_str(0, &format!("{}: ", wrapper.name));
            }
            if let Some(parent) = simple.parent {
                line.push_str(&format!(" < {:?}", parent.via));
            }
            if let Feed::Pipe(_) = simple.feed {
                line.push_str(" |");
            }
            if candidate.leads {
                line.push_str(" leads");
            }
            if candidate.affirmed {
                line.push_str(" affirmed");
            }
            line.push_str(&format!(" [{}]", &unit[simple.span.clone()]));
            out.push(line);
        }
    }
    out.join("\n")
}

fn check(units: &[&str], place: Place, expected: expect_test::Expect) {
    let shown: Vec<String> = units.iter().map(|unit| format!("== {unit}\n{}\n", show(unit, place))).collect();
    expected.assert_eq(&shown.concat());
}

/// What is found dangerous: each range's text. That a line of code starts programs is no matter of the reader's.
fn dangers(unit: &str, place: Place) -> Vec<String> {
    let mut hits = Vec::new();
    scan(unit, place, None, &mut hits);
    let read = hits.into_iter().filter(|hit| hit.rule.rule().id != "inline-exec");
    read.map(|hit| unit[hit.range].to_owned()).collect()
}

/// Each text with what is found dangerous in it.
fn check_dangers(place: Place, cases: &[(&str, &[&str])]) {
    for (unit, expected) in cases {
        assert_eq!(dangers(unit, place), *expected, "{unit}");
    }
}
