//! `check --baseline`: a work tree against a commit, in repositories made for the purpose.

mod excuses;
mod repositories;

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::folder::{CALM, FORBIDDEN, Folder, GIVEN, WARNED};
use crate::schema;

/// Runs git in the folder, with nothing of whoever runs the tests.
#[track_caller]
pub(crate) fn git(folder: &Folder, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("GIT_") {
            command.env_remove(name);
        }
    }
    let output = command
        .args(["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"])
        .args(["-c", "commit.gpgSign=false", "-c", "core.autocrlf=false"])
        .args(arguments)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", folder.path("no-such-file"))
        .env("GIT_AUTHOR_DATE", "2026-03-04T05:06:07Z")
        .env("GIT_COMMITTER_DATE", "2026-03-04T05:06:07Z")
        .current_dir(folder.path("."))
        .output()
        .expect("git runs");
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8").trim_end().to_owned()
}

pub(crate) fn commit(folder: &Folder) {
    git(folder, &["add", "-A", "-f"]);
    git(folder, &["commit", "-q", "--allow-empty", "-m", "x"]);
}

/// A repository whose only commit has these files.
pub(crate) fn repository(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::with(files);
    git(&folder, &["init", "-q"]);
    commit(&folder);
    folder
}

const DAY: &str = "expires=2099-12-31 reason=\"x\"";

/// `FILE:LINE RULE CHANGE` of every reported finding, with ` (was …)`; then what is resolved; then what is loosened.
#[track_caller]
fn compared(folder: &Folder, arguments: &[&str]) -> (Vec<String>, i32) {
    let (report, status) = folder.report(&[&["--baseline", "HEAD"], arguments].concat());
    let text = |value: &Value| value.as_str().expect("a string").to_owned();
    let mut told = Vec::new();
    for one in
        report["findings"].as_array().expect("findings").iter().filter(|one| one["status"] == "reported")
    {
        let was = one["data"]["was"].as_str().map(|was| format!(" (was {was})")).unwrap_or_default();
        told.push(format!(
            "{}:{} {} {}{was}",
            text(&one["file"]),
            one["line"],
            text(&one["rule"]),
            text(&one["change"])
        ));
    }
    let baseline = &report["baseline"];
    for one in baseline["resolved"].as_array().expect("resolved") {
        told.push(format!("resolved {}:{} {}", text(&one["file"]), one["line"], text(&one["rule"])));
    }
    for one in baseline["loosened"].as_array().expect("loosened") {
        let rule = one["rule"].as_str().map(|rule| format!(" {rule}")).unwrap_or_default();
        told.push(format!("loosened {} {}{rule}", text(&one["file"]), text(&one["what"])));
    }
    (told, status)
}

/// Changes files (`None`: removes one) and checks what is told.
#[track_caller]
fn check_change(before: &[(&str, &str)], change: &[(&str, Option<&str>)], expected: &[&str], status: i32) {
    let folder = repository(before);
    apply(&folder, change);
    assert_eq!(compared(&folder, &[]), (expected.iter().map(|line| (*line).to_owned()).collect(), status));
}

fn apply(folder: &Folder, change: &[(&str, Option<&str>)]) {
    for (name, text) in change {
        match text {
            Some(text) => folder.write(name, text.as_bytes()),
            None => fs::remove_file(folder.path(name)).expect("a file"),
        }
    }
}

#[test]
fn only_what_is_new_counts() {
    check_change(&[("AGENTS.md", GIVEN)], &[], &["AGENTS.md:4 rm-rf unchanged"], 0);
    check_change(
        &[("AGENTS.md", GIVEN), ("CLAUDE.md", WARNED)],
        &[("CLAUDE.md", Some(GIVEN))],
        &["AGENTS.md:4 rm-rf unchanged", "CLAUDE.md:4 rm-rf new", "resolved CLAUDE.md:4 git-clean-force"],
        1,
    );
    check_change(&[("AGENTS.md", GIVEN)], &[("AGENTS.md", Some(CALM))], &["resolved AGENTS.md:4 rm-rf"], 0);
    check_change(&[], &[("AGENTS.md", Some(GIVEN))], &["AGENTS.md:4 rm-rf new"], 1);
    check_change(&[], &[("AGENTS.md", Some(WARNED))], &["AGENTS.md:4 git-clean-force new"], 0);
}

#[test]
fn moved_lines_and_renamed_files_keep_their_findings() {
    let lower = format!("# Before\n\nMore.\n\n{GIVEN}");
    check_change(
        &[("AGENTS.md", GIVEN)],
        &[("AGENTS.md", Some(&lower))],
        &["AGENTS.md:8 rm-rf unchanged"],
        0,
    );
    check_change(
        &[("AGENTS.md", GIVEN)],
        &[("AGENTS.md", None), ("docs/AGENTS.md", Some(GIVEN))],
        &["docs/AGENTS.md:4 rm-rf unchanged"],
        0,
    );
    let more = GIVEN.replace("data\n", "data\nrm -rf /srv/cache\n");
    check_change(
        &[("AGENTS.md", GIVEN)],
        &[("AGENTS.md", Some(&more))],
        &["AGENTS.md:4 rm-rf unchanged", "AGENTS.md:5 rm-rf new"],
        1,
    );
    check_change(
        &[("AGENTS.md", GIVEN)],
        &[("CLAUDE.md", Some(GIVEN))],
        &["AGENTS.md:4 rm-rf unchanged", "CLAUDE.md:4 rm-rf new"],
        1,
    );
}

#[test]
fn what_protected_and_is_gone_shows_as_new_findings_at_their_lines() {
    let unlabelled = FORBIDDEN.replace("Never run these commands:\n\n", "");
    check_change(
        &[("AGENTS.md", FORBIDDEN)],
        &[("AGENTS.md", Some(&unlabelled))],
        &["AGENTS.md:4 rm-rf new"],
        1,
    );
    let unclosed = FORBIDDEN.strip_suffix("```\n").expect("a closing line");
    check_change(
        &[("AGENTS.md", FORBIDDEN)],
        &[("AGENTS.md", Some(unclosed))],
        &["AGENTS.md:5 unclosed-fence new", "AGENTS.md:6 rm-rf new"],
        1,
    );
}

#[test]
fn what_was_proved_forbidden_and_is_only_shown_counts() {
    let proved = FORBIDDEN.replace("# Deploy", "# Forbidden commands");
    let shown = proved.replace("Never run these commands:\n\n", "");
    check_change(&[("AGENTS.md", &proved)], &[("AGENTS.md", Some(&shown))], &["AGENTS.md:4 rm-rf new"], 1);
    // What was shown before is shown still, and what moves keeps its proof.
    let more = format!("{shown}\nMore.\n");
    check_change(
        &[("AGENTS.md", &shown)],
        &[("AGENTS.md", Some(&more))],
        &["AGENTS.md:4 rm-rf unchanged"],
        0,
    );
    let both = format!("{proved}\n```sh\nrm -rf /srv/data\n```\n");
    let later = both.replace("commands\n", "commands\n\nRead on.\n");
    check_change(
        &[("AGENTS.md", &both)],
        &[("AGENTS.md", Some(&later))],
        &["AGENTS.md:12 rm-rf unchanged"],
        0,
    );
    // Not given, it is shown as what it is: without a baseline the cue counts.
    let folder = Folder::with(&[("AGENTS.md", &shown)]);
    assert_eq!(folder.report(&[]).1, 0);
}

#[test]
fn a_graver_finding_counts() {
    let build = GIVEN.replace("/srv/data", "build");
    let shown = GIVEN.replace("# Deploy", "# What gets blocked");
    check_change(
        &[("AGENTS.md", &build)],
        &[("AGENTS.md", Some(GIVEN))],
        &["AGENTS.md:4 rm-rf new", "resolved AGENTS.md:4 rm-rf"],
        1,
    );
    check_change(
        &[("AGENTS.md", &shown)],
        &[("AGENTS.md", Some(GIVEN))],
        &["AGENTS.md:4 rm-rf new (was info)"],
        1,
    );
    check_change(
        &[("docs/a.md", GIVEN)],
        &[("docs/a.md", None), ("AGENTS.md", Some(GIVEN))],
        &["AGENTS.md:4 rm-rf new"],
        1,
    );
}

#[test]
fn files_that_instructed_and_are_gone_are_told() {
    let removed = "AGENTS.md:1 instruction-file-removed new";
    check_change(&[("AGENTS.md", CALM)], &[("AGENTS.md", None)], &[removed], 1);
    check_change(&[("AGENTS.md", CALM)], &[("AGENTS.md", Some(" \n"))], &[removed], 1);
    check_change(&[("AGENTS.md", " \n")], &[("AGENTS.md", None)], &[], 0);
    check_change(&[("AGENTS.md", CALM)], &[("AGENTS.md", None), ("CLAUDE.md", Some(CALM))], &[], 0);
    check_change(&[("AGENTS.md", CALM)], &[("AGENTS.md", None), ("README.md", Some(CALM))], &[removed], 1);
    check_change(
        &[("AGENTS.md", CALM)],
        &[("AGENTS.md", None), ("CLAUDE.md", Some("Read.\n"))],
        &[removed],
        1,
    );
    check_change(
        &[("README.md", CALM), ("runbooks/a.md", CALM)],
        &[("README.md", None), ("runbooks/a.md", None)],
        &[],
        0,
    );
}

/// Its suppressions were not mended: they are gone with it.
#[test]
fn what_was_wrong_with_the_suppressions_of_a_file_that_is_gone_is_not_resolved() {
    let text = format!("<!-- caveat-allow sudo {DAY} -->\n\n<!-- caveat-allow rm-rf -->\n\n{GIVEN}");
    let text = text.as_str();
    check_change(
        &[("docs/runbook.md", text), ("x.md", CALM)],
        &[("docs/runbook.md", None)],
        &["resolved docs/runbook.md:8 rm-rf"],
        0,
    );
    let mended =
        ["resolved docs/runbook.md:1 suppression-unused", "resolved docs/runbook.md:3 suppression-invalid"];
    check_change(
        &[("docs/runbook.md", text)],
        &[("docs/runbook.md", Some(GIVEN))],
        &[&["docs/runbook.md:4 rm-rf unchanged"][..], &mended].concat(),
        0,
    );
}

#[test]
fn directives_that_turned_are_told_at_their_lines() {
    check_change(
        &[("AGENTS.md", "# Git\n\n- Never push to main.\n- Run the tests.\n")],
        &[("AGENTS.md", Some("# Git\n\n- Run the tests.\n- **Always** push to main.\n"))],
        &["AGENTS.md:4 directive-polarity-flip new"],
        1,
    );
    check_change(
        &[("README.md", "Never push.to main.\n")],
        &[("README.md", Some("Always push to main.\n"))],
        &[],
        0,
    );
}

#[test]
fn a_part_is_compared_with_its_part() {
    let folder = repository(&[("docs/AGENTS.md", GIVEN), ("AGENTS.md", CALM), ("x/AGENTS.md", GIVEN)]);
    apply(&folder, &[("docs/AGENTS.md", Some(CALM)), ("AGENTS.md", None), ("x/AGENTS.md", None)]);
    assert_eq!(compared(&folder, &["docs"]), (vec!["resolved AGENTS.md:4 rm-rf".to_owned()], 0));
    assert_eq!(
        compared(&folder, &["docs/AGENTS.md"]),
        (vec!["resolved docs/AGENTS.md:4 rm-rf".to_owned()], 0)
    );
    let (told, _) = compared(&folder, &["--exclude", "x"]);
    assert_eq!(told, ["AGENTS.md:1 instruction-file-removed new", "resolved docs/AGENTS.md:4 rm-rf"]);
}

#[test]
fn every_format_tells_what_is_new_and_the_same_every_time() {
    let folder = repository(&[("AGENTS.md", GIVEN), ("CLAUDE.md", GIVEN), ("QWEN.md", WARNED)]);
    let other = GIVEN.replace("/srv/data", "/srv/other");
    let allowed = format!("<!-- caveat-allow-file rm-rf {DAY} -->\n\n{other}");
    let disk = GIVEN.replace("rm -rf /srv/data", "mkfs.ext4 /dev/sdb");
    apply(&folder, &[("CLAUDE.md", Some(&disk)), ("QWEN.md", None), ("x/AGENTS.md", Some(&allowed))]);
    let run = |format: &str| folder.run(&["check", "--baseline", "HEAD", "--format", format]);
    let text = run("text").stdout;
    let lines =
        ["new: 3 errors in 3 files; 1 unchanged, 2 resolved", "x/AGENTS.md:1  a new suppression (rm-rf)"];
    assert!(lines.iter().all(|line| text.contains(line)) && !text.contains("\nAGENTS.md\n"), "{text}");
    let annotated = run("github").stdout;
    assert!(annotated.lines().count() == 5 && !annotated.contains("file=AGENTS.md"), "{annotated}");
    let log: Value = serde_json::from_str(&run("sarif").stdout).expect("JSON");
    schema::validate(&log, &schema::of_sarif());
    let results = log["runs"][0]["results"].as_array().expect("results");
    let states: Vec<_> = results.iter().map(|one| one["baselineState"].as_str().expect("a state")).collect();
    assert_eq!(states, ["unchanged", "new", "new", "new", "absent", "absent"]);
    let schema: Value = serde_json::from_str(&folder.run(&["schema", "report"]).stdout).expect("JSON");
    schema::validate(&folder.report(&["--baseline", "HEAD"]).0, &schema);
    let lines = run("jsonl").stdout;
    assert_eq!(lines.matches("\"type\":\"resolved\"").count(), 2, "{lines}");
    for format in ["text", "json", "jsonl", "sarif", "github"] {
        let first = run(format);
        assert_eq!(first.status, 1);
        assert!((0..3).all(|_| run(format) == first), "{format}");
    }
}
