//! What reports look like: JSON to its schema, text to the letter.

use expect_test::{Expect, expect};
use serde_json::Value;

use crate::folder::{CALM, FORBIDDEN, Folder, GIVEN, WARNED, binary};
use crate::schema::{fits, validate};

/// A document in which a label does not hold.
const NEAR_MISS: &str = "# Deploy\n\nNever run these commands:\n\n```sh\nrm -rf /srv/data\n";

pub(crate) fn believable() -> Folder {
    Folder::with(&[
        ("AGENTS.md", GIVEN.as_bytes()),
        ("CLAUDE.md", FORBIDDEN.as_bytes()),
        ("GEMINI.md", b"\x00"),
        ("QWEN.md", NEAR_MISS.as_bytes()),
        ("runbooks/tidy.md", WARNED.as_bytes()),
        ("runbooks/calm.md", CALM.as_bytes()),
    ])
}

#[test]
fn reports_are_what_the_schema_says() {
    let folder = believable();
    let schema: Value = serde_json::from_str(&folder.run(&["schema", "report"]).stdout).expect("JSON");
    let report = folder.report(&[]).0;
    assert!(report["findings"].as_array().expect("findings").len() >= 5, "{report}");
    validate(&report, &schema);
    validate(&Folder::with::<&str>(&[]).report(&[]).0, &schema);
}

#[test]
fn the_schema_can_be_broken() {
    let folder = believable();
    let schema: Value = serde_json::from_str(&folder.run(&["schema", "report"]).stdout).expect("JSON");
    let report = folder.report(&[]).0;
    let breaks: [fn(&mut Value); 5] = [
        |report| report["version"] = 2.into(),
        |report| report["findings"][0]["severity"] = "grave".into(),
        |report| report["findings"][0]["fingerprint"] = "short".into(),
        |report| report["findings"][0]["line"] = "4".into(),
        |report| drop(report["summary"].as_object_mut().expect("a summary").remove("exempt")),
    ];
    for broken in breaks {
        let mut report = report.clone();
        broken(&mut report);
        assert!(fits(&report, &schema, &schema, "").is_err());
    }
}

/// Nobody can see why a name of foreign letters is found, so the message says it.
#[test]
fn a_word_of_two_alphabets_is_told_as_one() {
    let folder = Folder::with(&[("AGENTS.md", "Get it from g\u{456}thub.example.\n")]);
    let finding = folder.report(&[]).0["findings"][0].take();
    assert_eq!(finding["rule"], "hidden-content", "{finding}");
    let message = finding["message"].as_str().expect("a message");
    assert!(message.contains("a letter of another alphabet"), "{message}");
}

#[test]
fn a_finding_is_placed_by_lines_columns_and_bytes() {
    let folder = Folder::with(&[("AGENTS.md", "- é 😀 run `rm -rf /srv/data` now\r\n")]);
    let finding = folder.report(&[]).0["findings"][0].take();
    let numbers = ["line", "column", "endLine", "endColumn", "offset", "length"];
    let numbers = numbers.map(|key| finding[key].as_u64().expect("a number"));
    assert_eq!(numbers, [1, 12, 1, 28, 15, 16], "{finding}");
    for absent in ["pointer", "suppression", "change", "scope"] {
        assert!(finding[absent].is_null(), "{absent}");
    }
    assert_eq!(
        (&finding["obfuscated"], &finding["data"]),
        (&Value::Array(vec![]), &serde_json::json!({"also": []}))
    );
}

#[test]
fn an_exempt_finding_has_its_proof() {
    let folder = Folder::with(&[("AGENTS.md", FORBIDDEN)]);
    let (report, status) = folder.report(&[]);
    let finding = &report["findings"][0];
    assert_eq!((status, &finding["status"], &finding["stance"]), (0, &"exempt".into(), &"forbidden".into()));
    let expected = serde_json::json!({
        "kind": "labelled-fence", "holds": true, "reason": null,
        "label": {"line": 3, "column": 1, "endColumn": 26},
        "covers": {"line": 5, "endLine": 7}, "closedBy": "closing-fence",
    });
    assert_eq!(finding["scope"], expected);
    let summary = serde_json::json!({
        "error": 0, "warning": 0, "info": 0, "reported": 0, "exempt": 1, "suppressed": 0, "notices": 0,
    });
    assert_eq!(report["summary"], summary);
}

#[track_caller]
fn text(folder: &Folder, arguments: &[&str], expected: Expect) {
    expected.assert_eq(&folder.run(&[&["check"], arguments].concat()).stdout);
}

#[test]
fn text_is_for_people() {
    text(
        &believable(),
        &[],
        expect![[r#"
            AGENTS.md
              4:1  error    rm-rf  This removes a directory and everything below it, for good.

            GEMINI.md
              1:1  warning  scan-skipped  Not scanned: named like a text file, but its content is binary.

            QWEN.md
              5:1  warning  unclosed-fence  This opens a code fence that never closes.
              6:1  error    rm-rf           This removes a directory and everything below it, for good. The label on line 3 does not cover it: the fence below it never closes.

            runbooks/tidy.md
              4:1  warning  git-clean-force  This deletes every file that git does not track.

            2 errors, 2 warnings, 1 notice in 5 files; 1 exempt; 1 not read
            `caveat explain rm-rf` says why, and what to write instead
            `caveat explain QWEN.md:6` says why a label does not hold, and what would mend it
            `caveat explain CLAUDE.md:6` proves why a command is exempt
        "#]],
    );
    text(
        &Folder::with(&[("AGENTS.md", CALM)]),
        &[],
        expect![[r#"
        nothing found in 1 file
    "#]],
    );
    text(
        &Folder::with(&[("docs/AGENTS.md", GIVEN)]),
        &["docs"],
        expect![[r#"
            docs/AGENTS.md
              4:1  error    rm-rf  This removes a directory and everything below it, for good.

            1 error in 1 file
            `caveat explain rm-rf` says why, and what to write instead
        "#]],
    );
}

#[test]
fn a_file_of_no_role_is_not_called_clean() {
    let folder = Folder::with(&[("README.md", GIVEN)]);
    let hint = "no file here is known to instruct anybody";
    assert!(folder.run(&["check"]).stdout.contains(hint));
    assert!(!folder.run(&["check", "--role", "reference"]).stdout.contains(hint));
    folder.write("AGENTS.md", CALM.as_bytes());
    assert!(!folder.run(&["check"]).stdout.contains(hint));
}

#[test]
fn colour_is_for_terminals_and_for_those_who_ask() {
    let folder = Folder::with(&[("AGENTS.md", GIVEN)]);
    assert!(!folder.run(&["check"]).stdout.contains('\u{1b}'));
    assert!(folder.run(&["check", "--color", "always"]).stdout.contains('\u{1b}'));
    assert!(!folder.run(&["check", "--color", "always", "--format", "json"]).stdout.contains('\u{1b}'));
    let run = |color: &str, name: &str| {
        let mut command = binary(&folder.path("."), &["check", "--color", color]);
        let output = command.env(name, "1").output().expect("the binary runs");
        output.stdout.contains(&0x1b)
    };
    assert!(!run("auto", "NO_COLOR"));
    assert!(run("auto", "CLICOLOR_FORCE"));
    assert!(!run("never", "CLICOLOR_FORCE"));
}

#[test]
fn a_report_goes_to_a_file() {
    let folder = Folder::with(&[("AGENTS.md", GIVEN)]);
    let to_stdout = folder.run(&["check", "--format", "json"]);
    let to_file = folder.run(&["check", "--format", "json", "--output", "report.out"]);
    assert_eq!((to_file.status, to_file.stdout.as_str(), to_file.stderr.as_str()), (1, "", ""));
    assert_eq!(std::fs::read_to_string(folder.path("report.out")).expect("a report"), to_stdout.stdout);
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let files: Vec<(String, &str)> = (0..400).map(|n| (format!("d{n}/AGENTS.md"), GIVEN)).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let folder = Folder::with(&files);
    for format in ["text", "json"] {
        let mut child = binary(&folder.path("."), &["check", "--format", format]).spawn().expect("it starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(1), &b""[..]), "{format}");
    }
}

#[cfg(unix)]
#[test]
fn hostile_file_names_are_harmless_in_every_format() {
    let name = "a\n::error::b\u{1b}[2J\u{202e}c\u{200b}\",/AGENTS.md";
    let folder = Folder::with(&[(name, GIVEN)]);
    let acts = |text: &str| {
        text.chars().any(|c| (c.is_control() && c != '\n') || matches!(c, '\u{202e}' | '\u{200b}'))
    };
    let formats = ["text", "json", "jsonl", "sarif", "github"].map(|format| ["check", "--format", format]);
    let all = formats.iter().map(<[_; 3]>::as_slice);
    for arguments in all.chain([&["check", "gone\u{1b}[2J\u{202e}"][..]]) {
        let ran = folder.run(arguments);
        let output = format!("{}{}", ran.stdout, ran.stderr);
        assert!(!acts(&output), "{}", output.escape_debug());
        // The runner obeys a line that begins so: only those that we mean do.
        let commands: Vec<&str> = output.lines().filter(|line| line.starts_with("::")).collect();
        let expected = usize::from(arguments.contains(&"github"));
        assert_eq!(commands.len(), expected, "{output}");
        assert!(
            commands.iter().all(|line| line.starts_with("::error file=") && line.matches("::").count() == 2)
        );
    }
    let sarif: Value =
        serde_json::from_str(&folder.run(&["check", "--format", "sarif"]).stdout).expect("JSON");
    let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    let uri = "a%0A%3A%3Aerror%3A%3Ab%1B%5B2J%E2%80%AEc%E2%80%8B%22%2C/AGENTS.md";
    assert_eq!(place["artifactLocation"]["uri"], uri);
    assert_eq!(folder.report(&[]).0["findings"][0]["file"], name);
    let explained = folder.run(&["explain", &format!("{name}:4")]);
    assert!(explained.status == 0 && !acts(&explained.stdout), "{explained:?}");
}

#[test]
fn the_summary_says_what_was_not_looked_for() {
    let config = "[rules]\ngit-skip-hooks = 'info'\nsudo = { severity = 'off', reason = 'x' }\n";
    let folder = Folder::with(&[
        ("AGENTS.md", CALM),
        ("README.md", GIVEN),
        ("notes.md", GIVEN),
        ("caveat.toml", config),
    ]);
    let told = folder.run(&["check"]).stdout;
    assert!(told.starts_with("nothing found in 4 files; 1 rule off; 1 rule lowered\n"), "{told}");
    assert!(told.contains("2 files of them read for credentials, hidden text"), "{told}");
}

#[test]
fn the_next_step_is_of_the_gravest_and_can_be_taken() {
    let text = "# A\n\n```sh\ngit clean -fdx\nrm -rf /srv/data\n```\n\nNever run these commands:\n\n```sh\nmkfs /dev/sda\n```\n";
    let told = Folder::with(&[("AGENTS.md", text)]).run_with(&["check", "-"], text.as_bytes()).stdout;
    assert!(told.contains("`caveat explain rm-rf`") && !told.contains("explain -:"), "{told}");
}
