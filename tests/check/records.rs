//! `check --records`: a line in, a line out, whatever the line is.

use std::io::{BufRead as _, BufReader, Write as _};

use serde_json::{Value, json};

use crate::folder::{CALM, FORBIDDEN, Folder, GIVEN, WARNED, binary, findings};
use crate::schema::validate;

fn record(path: &str, text: &str) -> String {
    json!({"path": path, "text": text}).to_string() + "\n"
}

#[track_caller]
fn answers(folder: &Folder, arguments: &[&str], input: &[u8]) -> (Vec<Value>, i32) {
    let ran = folder.run_with(&[&["check", "--records"], arguments].concat(), input);
    assert!(ran.stderr.is_empty(), "{ran:?}");
    (ran.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect(), ran.status)
}

#[test]
fn each_record_is_judged_as_the_file_that_it_would_be() {
    let folder = Folder::with(&[("caveat.toml", "roles.reference = ['*.md']"), ("AGENTS.md", CALM)]);
    let input = [
        record("pkg/AGENTS.md", GIVEN),
        record("runbooks/a.md", WARNED),
        record("AGENTS.md", FORBIDDEN),
        record("README.md", GIVEN),
    ];
    let (answers, status) = answers(&folder, &[], input.concat().as_bytes());
    assert_eq!(status, 1);
    let found: Vec<_> = answers.iter().map(findings).collect();
    let expected = [
        vec!["pkg/AGENTS.md rm-rf reported"],
        vec!["runbooks/a.md git-clean-force reported"],
        vec!["AGENTS.md rm-rf exempt"],
        vec![],
    ];
    assert_eq!(found, expected, "a caveat.toml that lies about is not theirs");
    let schema: Value = serde_json::from_str(&folder.run(&["schema", "report"]).stdout).expect("JSON");
    answers.iter().for_each(|answer| validate(answer, &schema));
}

#[test]
fn a_bad_line_is_told_by_its_number_and_the_next_is_read() {
    let folder = Folder::with::<&str>(&[]);
    let (good, large) = (record("AGENTS.md", CALM), "a".repeat(14 * 1024 * 1024));
    let lines: [&[u8]; 7] = [
        good.as_bytes(),
        b"hunter2\n",
        b"\n",
        b"{\"path\":\"\xff\",\"text\":\"\"}\n",
        large.as_bytes(),
        b"\n{\"text\":\"\"}\n",
        good.as_bytes(),
    ];
    let (answers, status) = answers(&folder, &[], &lines.concat());
    let errors: Vec<_> = answers.iter().map(|answer| answer["error"].clone()).collect();
    let error = |line: u64, reason: &str| json!({"line": line, "reason": reason});
    let expected = [
        Value::Null,
        error(2, "not-json"),
        error(3, "not-json"),
        error(4, "not-utf-8"),
        error(5, "too-long"),
        error(6, "no-path"),
        Value::Null,
    ];
    assert_eq!((errors.as_slice(), status), (&expected[..], 3));
    let schema: Value = serde_json::from_str(&folder.run(&["schema", "report"]).stdout).expect("JSON");
    answers.iter().for_each(|answer| validate(answer, &schema));
}

#[test]
fn a_text_that_is_not_read_is_skipped_in_its_own_line() {
    let folder = Folder::with::<&str>(&[]);
    let large = record("a.md", &"a".repeat(2 * 1024 * 1024 + 1));
    let input = [large, record("b.md", "x\u{0}"), record("AGENTS.md", GIVEN)].concat();
    let (answers, status) = answers(&folder, &["--fail-on", "never"], input.as_bytes());
    let reasons: Vec<_> = answers.iter().map(|answer| answer["skipped"][0]["reason"].clone()).collect();
    assert_eq!((reasons, status), (vec![json!("too-large"), json!("binary"), Value::Null], 3));
}

#[test]
fn the_order_is_that_of_the_stream_however_many_work_at_once() {
    let folder = Folder::with::<&str>(&[]);
    let texts = [GIVEN, WARNED, FORBIDDEN, CALM];
    let input: String = (0..4000).map(|n| record(&format!("p{n}/AGENTS.md"), texts[n % 4])).collect();
    let run = |jobs: &str| folder.run_with(&["check", "--records", "--jobs", jobs], input.as_bytes());
    let (one, four) = (run("1"), run("4"));
    assert!(one == four && one.stdout.lines().count() == 4000);
    for (n, line) in one.stdout.lines().enumerate() {
        assert!(n % 4 == 3 || line.contains(&format!("\"file\":\"p{n}/AGENTS.md\"")), "{n}: {line}");
    }
}

#[test]
fn an_answer_does_not_wait_for_the_next_record() {
    let folder = Folder::with::<&str>(&[]);
    let mut child = binary(&folder.path("."), &["check", "--records"]).spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    for text in [GIVEN, CALM, GIVEN] {
        stdin.write_all(record("AGENTS.md", text).as_bytes()).expect("it reads");
        let mut line = String::new();
        stdout.read_line(&mut line).expect("it answers");
        assert_eq!(line.contains("rm-rf"), text == GIVEN);
    }
    drop(stdin);
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
}

#[test]
fn what_whoever_runs_it_says_holds_for_all() {
    let folder = Folder::with(&[("strict.toml", "roles.runbook = ['notes/*.md']")]);
    let suppressed = format!("<!-- caveat-allow-file rm-rf expires=2099-01-01 reason=\"x\" -->\n\n{GIVEN}");
    let input = [record("notes/a.md", GIVEN), record("AGENTS.md", &suppressed)].concat();
    let statuses = |arguments: &[&str]| -> Vec<String> {
        answers(&folder, arguments, input.as_bytes()).0.iter().flat_map(findings).collect()
    };
    assert_eq!(statuses(&[]), ["AGENTS.md rm-rf suppressed"]);
    assert_eq!(
        statuses(&["--config", "strict.toml"]),
        ["notes/a.md rm-rf reported", "AGENTS.md rm-rf suppressed"]
    );
    assert_eq!(statuses(&["--untrusted"]), ["AGENTS.md rm-rf reported"]);
}
