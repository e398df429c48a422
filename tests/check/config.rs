//! `caveat.toml` from the outside: what it changes, and how its faults are told.

use crate::folder::{Folder, GIVEN, findings};

#[test]
fn faults_are_told_with_line_column_and_what_was_meant() {
    let cases = [
        ("lables = []", "caveat.toml:1:1: there is no such key at the top level; did you mean `labels`?"),
        (
            "\n[roles]\n runbok = []",
            "caveat.toml:3:2: there is no such key in [roles]; did you mean `runbook`?",
        ),
        ("labels = 'hunter2'", "caveat.toml:1:10: `labels` takes a list of strings, each one whole line"),
        ("exclude = ['hunter2[']", "caveat.toml:1:12: this entry of `exclude` is not a glob"),
        ("a = hunter2", "caveat.toml:1:5: this is not valid TOML here"),
    ];
    for (config, expected) in cases {
        let folder = Folder::with(&[("docs/AGENTS.md", GIVEN), ("caveat.toml", config)]);
        for arguments in [&["check"][..], &["check", "docs/AGENTS.md"], &["explain", "docs/AGENTS.md:1"]] {
            let ran = folder.run(arguments);
            assert_eq!(ran.status, 2, "{ran:?}");
            assert!(ran.stderr.contains(expected), "{ran:?}");
            assert!(!ran.stderr.contains("hunter2") && ran.stdout.is_empty(), "{ran:?}");
        }
    }
}

#[test]
fn roles_and_labels_come_from_the_nearest_configuration() {
    let labelled = format!("Retired with the old cluster:\n\n{}", GIVEN.trim_start_matches("# Deploy\n\n"));
    let folder = Folder::with(&[
        ("caveat.toml", "roles.runbook = ['ops/*.md']"),
        ("ops/a.md", GIVEN),
        ("ops/b.md", labelled.as_str()),
        ("team/caveat.toml", "labels = ['Retired with the old cluster:']\n[roles]\nrunbook = ['*.md']"),
        ("team/c.md", labelled.as_str()),
        ("README.md", GIVEN),
    ]);
    let expected = ["ops/a.md rm-rf reported", "ops/b.md rm-rf reported", "team/c.md rm-rf exempt"];
    assert_eq!(findings(&folder.report(&[]).0), expected);
}

#[test]
fn a_named_configuration_stands_for_all() {
    let folder = Folder::with(&[
        ("caveat.toml", "roles.reference = ['AGENTS.md']"),
        ("strict.toml", "roles.runbook = ['README.md']\nexclude = ['AGENTS.md']"),
        ("AGENTS.md", GIVEN),
        ("README.md", GIVEN),
    ]);
    let found = findings(&folder.report(&["--config", "strict.toml"]).0);
    assert_eq!(found, ["README.md rm-rf reported"]);
    let (report, status) = folder.report(&[]);
    assert_eq!(report["findings"][0]["severity"], "info");
    assert_eq!(status, 0);
}
