//! The status tells a script what to do (CONTRACTS, "The command line").

use crate::folder::{CALM, FORBIDDEN, Folder, GIVEN, WARNED};

#[track_caller]
fn check(files: &[(&str, &str)], arguments: &[&str], status: i32) {
    for format in ["text", "json", "jsonl", "sarif", "github"] {
        let folder = Folder::with(files);
        let ran = folder.run(&[&["check", "--format", format], arguments].concat());
        assert_eq!(ran.status, status, "{arguments:?} in {format}: {ran:?}");
        // Usage and configuration are told on stderr, everything else in the report.
        assert_eq!(ran.stderr.is_empty(), status != 2, "{ran:?}");
        assert_eq!(ran.stdout.is_empty(), status == 2, "{ran:?}");
    }
}

#[test]
fn a_finding_at_or_above_fail_on_is_1() {
    check(&[("AGENTS.md", GIVEN)], &[], 1);
    check(&[("AGENTS.md", GIVEN)], &["AGENTS.md"], 1);
    check(&[("AGENTS.md", GIVEN)], &["--fail-on", "never"], 0);
    check(&[("AGENTS.md", WARNED)], &[], 0);
    check(&[("AGENTS.md", WARNED)], &["--fail-on", "warning"], 1);
    check(&[("AGENTS.md", WARNED)], &["--fail-on", "info"], 1);
}

#[test]
fn what_is_calm_or_forbidden_is_0() {
    check(&[("AGENTS.md", CALM)], &["--fail-on", "info"], 0);
    check(&[("AGENTS.md", FORBIDDEN)], &["--fail-on", "info"], 0);
    check(&[], &[], 0);
}

#[test]
fn a_command_in_a_reference_is_information_at_most() {
    check(&[("README.md", GIVEN)], &["--fail-on", "info"], 0);
    check(&[("README.md", GIVEN)], &["--role", "reference", "--fail-on", "warning"], 0);
    check(&[("README.md", GIVEN)], &["--role", "reference", "--fail-on", "info"], 1);
    check(&[("README.md", GIVEN)], &["--role", "runbook"], 1);
    check(&[("README.md", GIVEN)], &["--role", "instructions"], 1);
}

#[test]
fn wrong_usage_or_configuration_is_2() {
    let calm = [("AGENTS.md", CALM)];
    check(&calm, &["gone.md"], 2);
    check(&calm, &["AGENTS.md", "gone.md"], 2);
    check(&calm, &["--no-such-option"], 2);
    check(&calm, &["--format", "xml"], 2);
    check(&calm, &["--fail-on", "hunter2"], 2);
    check(&calm, &["--exclude", "[a"], 2);
    check(&calm, &["--config", "gone.toml"], 2);
    check(&calm, &["--today", "2026-02-30"], 2);
    check(&calm, &["--stdin-path", "AGENTS.md"], 2);
    check(&calm, &["-", "AGENTS.md"], 2);
    check(&calm, &["--output", "no/such/folder/report"], 2);
    check(&calm, &["--jobs", "0"], 2);
    check(&[("AGENTS.md", GIVEN), ("caveat.toml", "lables = []")], &[], 2);
    check(&[("AGENTS.md", GIVEN), ("other.toml", "lables = []")], &["--config", "other.toml"], 2);
}

#[test]
fn what_was_not_read_whole_is_3_unless_something_worse_was_found() {
    let folder = Folder::with(&[("notes.md", b"\x00\x01"), ("AGENTS.md", b"ok")]);
    assert_eq!(folder.run(&["check"]).status, 0, "nobody is addressed in it");
    assert_eq!(folder.run(&["check", "notes.md"]).status, 3, "it was named");
    let folder = Folder::with(&[("AGENTS.md", b"\x00\x01")]);
    assert_eq!(folder.run(&["check"]).status, 3, "it instructs");
    assert_eq!(folder.run(&["check", "--fail-on", "never"]).status, 3);
    let folder = Folder::with(&[("AGENTS.md", &b"\x00\x01"[..]), ("CLAUDE.md", GIVEN.as_bytes())]);
    assert_eq!(folder.run(&["check"]).status, 1);
    let folder = Folder::with(&[("runbooks/a.md", b"caf\xe9")]);
    assert_eq!(folder.run(&["check"]).status, 3);
}

#[test]
fn standard_input_is_checked_as_the_file_it_would_be() {
    let folder = Folder::with::<&str>(&[]);
    let run = |arguments: &[&str], text: &str| {
        folder.run_with(&[&["check", "-"], arguments].concat(), text.as_bytes())
    };
    assert_eq!(run(&[], GIVEN).status, 1, "an untitled text is instructions");
    assert_eq!(run(&["--stdin-path", "AGENTS.md"], GIVEN).status, 1);
    assert_eq!(run(&["--stdin-path", "README.md"], GIVEN).status, 0);
    assert_eq!(run(&["--stdin-path", "README.md", "--role", "runbook"], GIVEN).status, 1);
    assert_eq!(run(&["--stdin-path", "AGENTS.md"], FORBIDDEN).status, 0);
    let ran = folder.run_with(&["check", "-"], b"\xff\x00");
    assert_eq!(ran.status, 3, "{ran:?}");
    let named = run(&["--stdin-path", "./docs/../docs/AGENTS.md", "--format", "json"], GIVEN).stdout;
    assert!(named.contains(r#""file":"docs/AGENTS.md""#), "{named}");
}

#[test]
fn other_commands_have_a_status_too() {
    let folder = Folder::with(&[("AGENTS.md", GIVEN)]);
    for (arguments, status) in [
        (&["--help"][..], 0),
        (&["--version"], 0),
        (&["check", "--help"], 0),
        (&[], 2),
        (&["chekc"], 2),
        (&["rules"], 0),
        (&["rules", "--format", "json"], 0),
        (&["schema", "report"], 0),
        (&["schema"], 2),
        (&["completions", "bash"], 0),
        (&["completions", "hunter2"], 2),
        (&["man"], 0),
        (&["check", "--records"], 0),
        (&["check", "--records", "AGENTS.md"], 2),
        (&["explain"], 2),
        (&["explain", "rm-rf"], 0),
        (&["explain", "rm-fr"], 2),
        (&["explain", "AGENTS.md:4"], 0),
        (&["explain", "AGENTS.md:0"], 2),
        (&["explain", "AGENTS.md:99"], 2),
        (&["explain", "gone.md:1"], 2),
        (&["explain", ".:1"], 2),
    ] {
        assert_eq!(folder.run(arguments).status, status, "{arguments:?}");
    }
}
