//! `explain`, `rules` and `schema`.

use serde_json::Value;

use crate::folder::{FORBIDDEN, Folder, GIVEN};

#[test]
fn a_line_is_explained_by_its_proof_and_its_rules() {
    let folder = Folder::with(&[("AGENTS.md", FORBIDDEN), ("CLAUDE.md", GIVEN)]);
    for line in 3..=7 {
        let ran = folder.run(&["explain", &format!("AGENTS.md:{line}")]);
        assert_eq!(ran.status, 0);
        assert!(!ran.stdout.contains("Nothing on this line or around it forbids"), "line {line}: {ran:?}");
    }
    let proved = folder.run(&["explain", "AGENTS.md:6"]).stdout;
    assert!(proved.contains("exempt") && proved.contains("# rm-rf"), "{proved}");
    let given = folder.run(&["explain", "CLAUDE.md:4"]).stdout;
    assert!(
        given.contains("reported") && given.contains("Nothing on this line or around it forbids"),
        "{given}"
    );
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

/// What is said of a line, up to what is found on it.
#[track_caller]
fn said_of(folder: &Folder, line: usize, expected: &[&str]) {
    let ran = folder.run(&["explain", &format!("AGENTS.md:{line}")]).stdout;
    let said: Vec<&str> = ran.lines().skip(2).take_while(|line| !line.is_empty()).collect();
    assert_eq!(said, expected, "{ran}");
}

#[test]
fn what_forbids_shows_or_nearly_does_is_named_with_its_place_and_what_would() {
    let text = "Never run these commands:\n\n```sh\nCMD\n```\n\n```sh\nCMD\n```\n\n## What gets blocked\n\n- `CMD`\n\n\
                ## Work\n\nDo not try `CMD`.\n\nNever run `CMD` on production.\n\n`CMD` is not allowed.\n";
    let folder = Folder::with(&[("AGENTS.md", text.replace("CMD", "rm -rf /srv/x"))]);
    let note = "Credentials in it are still reported, and so is a line that begins with run, use, always or the like.";
    let shown =
        "That lowers the severity to information and exempts nothing; `stance = \"off\"` turns it off.";
    let covers = "It covers lines 3 to 5 and ends at its closing fence.";
    let exempt = "Exempt: the label on line 1 forbids the fenced block below it.";
    said_of(&folder, 4, &[exempt, covers, note]);
    said_of(
        &folder,
        8,
        &[
            "Not covered by the label on line 1: it covers only the first block below it.",
            "That one ends on line 5.",
            "Put a label of its own right above this block, or both into one block.",
        ],
    );
    said_of(
        &folder,
        13,
        &[
            "Shown, not given: the heading on line 11 says so of its section.",
            shown,
            "To prove it forbidden, put a label right above the fenced block or list: Never run these commands:",
        ],
    );
    said_of(
        &folder,
        17,
        &[
            "Shown, not given: the sentence on line 17 says so of the command in it.",
            shown,
            "No exemption: the sentence on line 17 does not forbid the command, because its verb is not run, execute, use, follow, call, type, invoke or issue.",
            "The form that holds: Never run, then the command in backticks, then a full stop or a reason after a colon.",
        ],
    );
    said_of(
        &folder,
        19,
        &[
            "No exemption: the sentence on line 19 does not forbid the command, because it depends on a condition, or is limited to a place, person or time.",
            "A ban that holds has no limit: Never run, then the command in backticks, then a full stop. Else accept the command with a suppression.",
        ],
    );
    said_of(
        &folder,
        21,
        &[
            "Shown, not given: the sentence that describes it on line 21 says so of the command in it.",
            shown,
            "To prove it forbidden, say so in one sentence: Never run, then the command in backticks, then a full stop.",
        ],
    );
}

#[test]
fn a_form_leads_to_its_rule_and_a_place_wants_a_number() {
    let folder = Folder::with(&[("AGENTS.md", GIVEN)]);
    let (report, _) = folder.report(&[]);
    let pattern = report["findings"][0]["pattern"].as_str().expect("a pattern");
    assert!(folder.run(&["explain", pattern]).stdout.starts_with("# rm-rf\n"), "{pattern}");
    let ran = folder.run(&["explain", "AGENTS.md:x"]);
    assert!(ran.status == 2 && ran.stderr.contains("a line number is wanted"), "{ran:?}");
}

#[test]
fn a_wrong_argument_is_named() {
    let folder = Folder::with(&[("AGENTS.md", GIVEN)]);
    for (arguments, words) in [
        (["check", "--exclude", "[a"], "this is not a glob: [a"),
        (["check", "--jobs", "0"], "it takes a whole number, 1 or more"),
    ] {
        let ran = folder.run(&arguments);
        assert!(ran.status == 2 && ran.stderr.contains(words), "{ran:?}");
    }
    let ran = crate::baseline::repository(&[("AGENTS.md", GIVEN)]).run(&["check", "--baseline", "nonsense"]);
    assert!(ran.status == 2 && ran.stderr.contains("`--baseline nonsense`"), "{ran:?}");
}

/// A line is judged as `check` would judge it: by another configuration, on another day, trusted or not.
#[test]
fn a_line_is_explained_as_it_is_checked() {
    let allowed = format!("<!-- caveat-allow-file rm-rf expires=2026-12-31 reason=\"x\" -->\n\n{GIVEN}");
    let folder = Folder::with(&[
        ("AGENTS.md", allowed.as_str()),
        ("caveat.toml", "hunter2 = 1"),
        ("strict.toml", "rules.rm-rf = 'warning'"),
    ]);
    let said = |arguments: &[&str]| folder.run(&[&["explain", "AGENTS.md:6"], arguments].concat());
    assert_eq!(said(&[]).status, 2, "the configuration beside it is wrong");
    let suppressed = said(&["--config", "strict.toml", "--today", "2026-12-31"]).stdout;
    assert!(suppressed.contains("warning, suppressed: "), "{suppressed}");
    let expired = said(&["--config", "strict.toml", "--today", "2027-01-01"]).stdout;
    assert!(expired.contains("warning, reported: "), "{expired}");
    let untrusted = said(&["--untrusted", "--today", "2026-12-31"]).stdout;
    assert!(untrusted.contains("error, reported: "), "{untrusted}");
    assert_eq!(said(&["--config", "gone.toml"]).status, 2);
    assert_eq!(said(&["--today", "tomorrow"]).status, 2);
}
