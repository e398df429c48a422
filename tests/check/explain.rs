//! `explain`, `rules` and `schema`.

use serde_json::Value;

use crate::folder::{FORBIDDEN, Folder, GIVEN};

#[test]
fn a_line_is_explained_by_its_proof_and_its_rules() {
    let folder = Folder::with(&[("AGENTS.md", FORBIDDEN), ("CLAUDE.md", GIVEN)]);
    for line in 3..=7 {
        let ran = folder.run(&["explain", &format!("AGENTS.md:{line}")]);
        assert_eq!(ran.status, 0);
        assert!(!ran.stdout.contains("No scope stands on this line"), "line {line}: {ran:?}");
    }
    let proved = folder.run(&["explain", "AGENTS.md:6"]).stdout;
    assert!(proved.contains("exempt") && proved.contains("# rm-rf"), "{proved}");
    let given = folder.run(&["explain", "CLAUDE.md:4"]).stdout;
    assert!(given.contains("reported") && given.contains("No scope stands on this line"), "{given}");
    assert_eq!(folder.run(&["explain", "CLAUDE.md:4:1"]).stdout, given);
    let nothing = folder.run(&["explain", "CLAUDE.md:1"]).stdout;
    assert!(nothing.contains("Nothing is found on this line"), "{nothing}");
}

#[test]
fn every_rule_has_its_page() {
    let folder = Folder::with::<&str>(&[]);
    let list: Value = serde_json::from_str(&folder.run(&["rules", "--format", "json"]).stdout).expect("JSON");
    let table = folder.run(&["rules"]).stdout;
    let rules = list["rules"].as_array().expect("rules");
    assert!(rules.len() > 9);
    for rule in rules {
        let id = rule["id"].as_str().expect("an id");
        let page = folder.run(&["explain", id]);
        assert_eq!(page.status, 0);
        assert!(page.stdout.starts_with(&format!("# {id}\n")), "{page:?}");
        assert!(table.contains(id));
    }
}

#[test]
fn a_rule_that_was_misspelt_is_named() {
    let folder = Folder::with::<&str>(&[]);
    let ran = folder.run(&["explain", "rmrf"]);
    assert!(ran.stderr.contains("did you mean `rm-rf`?"), "{ran:?}");
    let ran = folder.run(&["explain", "\u{1b}[2Jzebra"]);
    assert!(!ran.stderr.contains('\u{1b}') && !ran.stderr.contains("zebra"), "{ran:?}");
}

#[test]
fn what_was_not_looked_for_is_not_called_absent() {
    let folder = Folder::with(&[("notes.md", GIVEN)]);
    let ran = folder.run(&["explain", "notes.md:4"]).stdout;
    assert!(ran.contains("(reference, not declared: only credentials and the gravest injections"), "{ran}");
    assert!(ran.contains("Commands were not looked for") && !ran.contains("Nothing is found"), "{ran}");
    let ran = folder.run(&["explain", "notes.md:4", "--role", "instructions"]).stdout;
    assert!(ran.contains("(instructions)") && ran.contains("error, reported: "), "{ran}");
    let ran = folder.run(&["explain", "notes.md:1", "--role", "runbook"]).stdout;
    assert!(ran.contains("Nothing is found on this line"), "{ran}");
}

#[test]
fn a_file_without_a_line_is_asked_for_one() {
    let folder = Folder::with(&[("AGENTS.md", GIVEN)]);
    let ran = folder.run(&["explain", "AGENTS.md"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("this is a file: name a line of it too, as FILE:LINE"), "{ran:?}");
}
