//! Which files are read, and what is said of those that are not (CONTRACTS, "Files and walking").

use crate::folder::{Folder, GIVEN, findings, skipped};

const FOUND: &str = "rm-rf reported";

fn utf16(text: &str, big: bool) -> Vec<u8> {
    let unit = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
    format!("\u{feff}{text}").encode_utf16().flat_map(unit).collect()
}

#[test]
fn dot_files_are_walked_and_git_is_not() {
    let folder =
        Folder::with(&[(".cursorrules", GIVEN), (".claude/commands/a.md", GIVEN), (".git/AGENTS.md", GIVEN)]);
    let expected = [format!(".claude/commands/a.md {FOUND}"), format!(".cursorrules {FOUND}")];
    assert_eq!(findings(&folder.report(&[]).0), expected);
}

#[test]
fn ignored_files_are_read_when_named_or_asked_for() {
    let folder = Folder::with(&[("AGENTS.md", GIVEN), (".gitignore", "AGENTS.md\n")]);
    let found = [format!("AGENTS.md {FOUND}")];
    assert!(findings(&folder.report(&[]).0).is_empty());
    assert_eq!(findings(&folder.report(&["AGENTS.md"]).0), found);
    assert_eq!(findings(&folder.report(&["--no-ignore"]).0), found);
    assert!(findings(&folder.report(&["--no-ignore", "--exclude", "AGENTS.md"]).0).is_empty());
}

#[test]
fn utf16_and_byte_order_marks_are_read() {
    for content in [utf16(GIVEN, false), utf16(GIVEN, true), format!("\u{feff}{GIVEN}").into_bytes()] {
        let folder = Folder::with(&[("AGENTS.md", content)]);
        let (report, status) = folder.report(&[]);
        assert_eq!((findings(&report), status), (vec![format!("AGENTS.md {FOUND}")], 1));
        assert_eq!(report["findings"][0]["line"], 4);
    }
}

#[test]
fn what_cannot_be_read_is_told_twice() {
    let large = vec![b'a'; 2 * 1024 * 1024 + 1];
    let whole = b"word ".repeat(2 * 1024 * 1024 / 5);
    let cases: &[(&[u8], &str)] = &[
        (&large, "too-large"),
        (b"text\x00", "binary"),
        (b"caf\xe9", "not-text"),
        (&utf16("odd", false)[..5], "not-text"),
    ];
    for (content, reason) in cases {
        let folder = Folder::with(&[("docs/AGENTS.md", *content), ("CLAUDE.md", &whole)]);
        let (report, status) = folder.report(&[]);
        assert_eq!(skipped(&report), [format!("docs/AGENTS.md {reason}")]);
        assert_eq!(findings(&report), ["docs/AGENTS.md scan-skipped reported"]);
        let finding = &report["findings"][0];
        assert_eq!(
            (&finding["line"], &finding["group"], &finding["severity"]),
            (&1.into(), &"notice".into(), &"warning".into())
        );
        let data =
            serde_json::json!({"also": [], "code": "INJECTION_SCAN_SKIPPED", "lint_status": "advisory"});
        assert_eq!(finding["data"], data);
        assert_eq!(report["skipped"][0]["bytes"], content.len());
        assert_eq!((status, &report["files"]), (3, &1.into()));
    }
}

#[test]
fn a_lower_limit_holds() {
    let folder = Folder::with(&[("AGENTS.md", GIVEN), ("caveat.toml", "limits.max-file-bytes = 30")]);
    assert_eq!(skipped(&folder.report(&[]).0), ["AGENTS.md too-large"]);
}

#[test]
fn a_link_of_gits_counts_as_that_link() {
    let folder = Folder::with(&[("guide.md", GIVEN), ("CLAUDE.md", "guide.md")]);
    assert_eq!(findings(&folder.report(&[]).0), [format!("guide.md {FOUND}")]);
    assert_eq!(findings(&folder.report(&["CLAUDE.md"]).0), [format!("guide.md {FOUND}")]);
}

#[cfg(unix)]
#[test]
fn links_are_read_once_and_tell_where_they_lead_out() {
    use std::os::unix::fs::symlink;
    let outside = Folder::with(&[("x.md", GIVEN)]);
    let folder = Folder::with(&[("AGENTS.md", GIVEN)]);
    symlink("AGENTS.md", folder.path("CLAUDE.md")).expect("a link");
    symlink(".", folder.path("circle")).expect("a link");
    assert_eq!(findings(&folder.report(&[]).0), [format!("AGENTS.md {FOUND}")]);
    assert_eq!(findings(&folder.report(&["CLAUDE.md"]).0), [format!("AGENTS.md {FOUND}")]);
    symlink(outside.path("x.md"), folder.path("GEMINI.md")).expect("a link");
    let (report, _) = folder.report(&[]);
    assert_eq!(findings(&report), [&format!("AGENTS.md {FOUND}"), "GEMINI.md scan-skipped reported"]);
    assert_eq!(skipped(&report), ["GEMINI.md link-outside"]);
    assert_eq!(findings(&folder.report(&["GEMINI.md"]).0), [format!("GEMINI.md {FOUND}")]);
}

#[test]
fn an_undeclared_reference_is_calm_and_its_secrets_are_not() {
    // No key: the form is right, what stands in it is a row of letters and figures.
    let secret = format!(
        "{}BEGIN PRIVATE KEY{}\n{}\n",
        "-----", "-----", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7Kd93aPq1xR5u"
    );
    let folder =
        Folder::with(&[("README.md", GIVEN), ("notes.txt", secret.as_str()), ("pnpm-lock.yaml", GIVEN)]);
    let (report, status) = folder.report(&["--fail-on", "info"]);
    assert_eq!((findings(&report), status), (vec!["notes.txt private-key reported".to_owned()], 1));
}

#[test]
fn files_are_told_in_the_order_of_their_names_every_time() {
    let names: Vec<String> = (0..60).map(|n| format!("d{}/x{n:02}/AGENTS.md", n % 7)).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), GIVEN)).collect();
    let folder = Folder::with(&files);
    let first = folder.run(&["check", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&first.stdout).expect("JSON");
    let mut expected: Vec<String> = names.iter().map(|name| format!("{name} {FOUND}")).collect();
    expected.sort();
    assert_eq!(findings(&report), expected);
    for _ in 0..4 {
        assert_eq!(folder.run(&["check", "--format", "json"]), first);
    }
}

#[test]
fn an_empty_folder_says_what_to_do() {
    let folder = Folder::with::<&str>(&[]);
    let ran = folder.run(&["check"]);
    assert_eq!((ran.status, ran.stdout.contains("name one, or declare it")), (0, true), "{ran:?}");
}

/// A fault of ours on one file is an error for that file, and the others are judged.
#[cfg(debug_assertions)]
#[test]
fn a_fault_on_one_file_is_told_and_the_others_are_read() {
    let folder = Folder::with(&[("AGENTS.md", GIVEN), ("CLAUDE.md", GIVEN), ("docs/notes.md", "Calm.\n")]);
    let ran = folder.run_failing_on("CLAUDE.md", &["check", "--format", "json", "--fail-on", "never"]);
    let report = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        findings(&report),
        [format!("AGENTS.md {FOUND}"), "CLAUDE.md scan-skipped reported".to_owned()]
    );
    assert_eq!((skipped(&report), ran.status), (vec!["CLAUDE.md fault".to_owned()], 3));
    assert!(
        ran.stderr.contains("a fault of caveat itself at ") && !ran.stderr.contains("kumquat"),
        "{}",
        ran.stderr
    );
    // What addresses nobody need not be read for the run to be whole, but is told all the same.
    let ran = folder.run_failing_on("notes.md", &["check", "--format", "json", "--fail-on", "never"]);
    let report = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((skipped(&report), ran.status), (vec!["docs/notes.md fault".to_owned()], 0));
    for arguments in
        [&["audit", "--format", "json"][..], &["check", "--format", "sarif"], &["check", "--fix"]]
    {
        let ran = folder.run_failing_on("CLAUDE.md", arguments);
        assert!(ran.status > 0 && !ran.stdout.contains("kumquat"), "{arguments:?}: {ran:?}");
    }
}
