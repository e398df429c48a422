//! `check --baseline`: a work tree against a commit, in repositories made for the purpose.

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

const DAY: &str = "expires=2099-12-31 reason=\"x\"";

#[test]
fn a_change_cannot_excuse_itself_in_the_file() {
    let allowed = format!("<!-- caveat-allow-file rm-rf {DAY} -->\n\n{GIVEN}");
    check_change(
        &[("AGENTS.md", CALM)],
        &[("AGENTS.md", Some(&allowed))],
        &["AGENTS.md:6 rm-rf new", "loosened AGENTS.md suppression-added rm-rf"],
        1,
    );
    check_change(
        &[("AGENTS.md", GIVEN)],
        &[("AGENTS.md", Some(&allowed))],
        &["AGENTS.md:6 rm-rf unchanged", "loosened AGENTS.md suppression-added rm-rf"],
        0,
    );
    // What was granted stays granted, and moves with its file.
    let more = format!("{allowed}\nMore.\n");
    check_change(&[("AGENTS.md", &allowed)], &[("AGENTS.md", Some(&more))], &[], 0);
    check_change(&[("AGENTS.md", &allowed)], &[("AGENTS.md", None), ("x/AGENTS.md", Some(&allowed))], &[], 0);
    let longer = allowed.replace("2099-12-31", "2100-12-31");
    check_change(
        &[("AGENTS.md", &allowed)],
        &[("AGENTS.md", Some(&longer))],
        &["loosened AGENTS.md suppression-extended rm-rf"],
        0,
    );
    // A suppression that is carried to another block covers nothing there.
    let block = |first: &str, second: &str| {
        format!(
            "# A\n\n{first}```sh\nrm -rf /srv/data\n```\n\n# B\n\n{second}```sh\nrm -rf /srv/other\n```\n"
        )
    };
    let allow = format!("<!-- caveat-allow rm-rf {DAY} -->\n\n");
    check_change(
        &[("AGENTS.md", &block(&allow, ""))],
        &[("AGENTS.md", Some(&block("", &allow)))],
        &[
            "AGENTS.md:4 rm-rf new",
            "AGENTS.md:12 rm-rf unchanged",
            "loosened AGENTS.md suppression-added rm-rf",
        ],
        1,
    );
    // One that is taken away leaves its finding behind.
    check_change(
        &[("AGENTS.md", &block(&allow, ""))],
        &[("AGENTS.md", Some(&block("", "")))],
        &["AGENTS.md:4 rm-rf new", "AGENTS.md:10 rm-rf unchanged"],
        1,
    );
}

#[test]
fn a_change_cannot_excuse_itself_in_its_configuration() {
    let off = "rules.rm-rf = { severity = 'off', reason = 'x' }\n";
    check_change(
        &[("AGENTS.md", CALM)],
        &[("AGENTS.md", Some(GIVEN)), ("caveat.toml", Some(off))],
        &[
            "AGENTS.md:4 rm-rf new",
            "loosened caveat.toml configuration-added",
            "loosened caveat.toml rule-off rm-rf",
        ],
        1,
    );
    let suppression =
        "exclude = ['AGENTS.md']\n[[suppressions]]\nrule = 'rm-rf'\nreason = 'x'\nexpires = 2099-01-01\n";
    check_change(
        &[("AGENTS.md", CALM), ("caveat.toml", "labels = []\n")],
        &[("AGENTS.md", Some(GIVEN)), ("caveat.toml", Some(suppression))],
        &[
            "AGENTS.md:4 rm-rf new",
            "loosened caveat.toml less-read",
            "loosened caveat.toml suppression-added rm-rf",
        ],
        1,
    );
    // What the base decided holds for both, and a nested file does not stand between.
    check_change(
        &[("x/AGENTS.md", CALM), ("caveat.toml", off)],
        &[("x/AGENTS.md", Some(GIVEN)), ("x/caveat.toml", Some("stance = 'on'\n"))],
        &["loosened x/caveat.toml configuration-added"],
        0,
    );
    // Neither does an ignore file hide what git knows.
    check_change(
        &[("AGENTS.md", CALM)],
        &[("AGENTS.md", Some(GIVEN)), (".gitignore", Some("AGENTS.md\n"))],
        &["AGENTS.md:4 rm-rf new"],
        1,
    );
}

#[test]
fn a_configuration_that_is_wrong_now_is_status_2() {
    let folder = repository(&[("AGENTS.md", CALM)]);
    folder.write("caveat.toml", b"lables = []\n");
    let ran = folder.run(&["check", "--baseline", "HEAD"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("did you mean `labels`?"), "{ran:?}");
    commit(&folder);
    folder.write("caveat.toml", b"labels = []\n");
    let (told, status) = compared(&folder, &[]);
    assert_eq!(
        (told.as_slice(), status),
        (
            &[
                "loosened caveat.toml configuration-added".to_owned(),
                "loosened caveat.toml base-unreadable".to_owned()
            ][..],
            0
        )
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
fn no_such_commit_is_status_2_and_nothing_is_fetched() {
    let folder = repository(&[("AGENTS.md", GIVEN)]);
    commit(&folder);
    for revision in ["gone", "HEAD~7", "-h", "--all", "HEAD:AGENTS.md", ""] {
        let ran = folder.run(&["check", &format!("--baseline={revision}")]);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{ran:?}");
        assert!(ran.stderr.contains("no such commit"), "{ran:?}");
    }
    let outside = Folder::with(&[("AGENTS.md", GIVEN)]);
    let ran = outside.run(&["check", "--baseline", "HEAD"]);
    assert!(ran.status == 2 && ran.stderr.contains("no git repository"), "{ran:?}");
}

#[test]
fn in_a_shallow_clone_it_is_said_what_to_do() {
    let folder = repository(&[("AGENTS.md", CALM)]);
    folder.write("AGENTS.md", GIVEN.as_bytes());
    commit(&folder);
    let shallow = Folder::with::<&str>(&[]);
    let from = format!("file://{}", folder.path(".").display());
    git(&shallow, &["init", "-q"]);
    git(&shallow, &["fetch", "-q", "--depth", "1", &from, "HEAD"]);
    git(&shallow, &["checkout", "-q", "FETCH_HEAD"]);
    let ran = shallow.run(&["check", "--baseline", "HEAD~1"]);
    assert!(ran.status == 2 && ran.stderr.contains("shallow clone"), "{ran:?}");
    assert_eq!(compared(&shallow, &[]), (vec!["AGENTS.md:4 rm-rf unchanged".to_owned()], 0));
}

#[test]
fn a_partial_clone_is_not_filled() {
    let folder = repository(&[("AGENTS.md", CALM)]);
    git(&folder, &["config", "uploadpack.allowFilter", "true"]);
    git(&folder, &["config", "uploadpack.allowAnySHA1InWant", "true"]);
    folder.write("AGENTS.md", GIVEN.as_bytes());
    commit(&folder);
    let clone = Folder::with::<&str>(&[]);
    let from = format!("file://{}", folder.path(".").display());
    git(&clone, &["clone", "-q", "--filter=blob:none", &from, "."]);
    let ran = clone.run(&["check", "--baseline", "HEAD~1"]);
    assert!(ran.status == 2 && ran.stderr.contains("partial clone"), "{ran:?}");
    assert_eq!(compared(&clone, &[]), (vec!["AGENTS.md:4 rm-rf unchanged".to_owned()], 0));
}

#[cfg(unix)]
#[test]
fn a_hostile_repository_runs_nothing() {
    let folder = repository(&[("AGENTS.md", CALM), (".gitattributes", "* filter=x diff=x\n")]);
    let trap = format!("touch {}", folder.path("sprung").display());
    for key in [
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "filter.x.clean",
        "filter.x.smudge",
        "filter.x.process",
        "diff.x.textconv",
        "diff.x.command",
        "diff.external",
        "core.alternateRefsCommand",
        "alias.cat-file",
    ] {
        git(&folder, &["config", key, &trap]);
    }
    folder.write(".git/hooks/post-index-change", format!("#!/bin/sh\n{trap}\n").as_bytes());
    folder.write("AGENTS.md", GIVEN.as_bytes());
    assert_eq!(compared(&folder, &[]), (vec!["AGENTS.md:4 rm-rf new".to_owned()], 1));
    assert!(folder.run(&["audit"]).status != 101);
    assert!(!folder.path("sprung").exists());
    // What was replaced behind its name is not what the commit says.
    let (good, bad) = (
        git(&folder, &["rev-parse", "HEAD:AGENTS.md"]),
        git(&folder, &["hash-object", "-w", "--no-filters", "AGENTS.md"]),
    );
    git(&folder, &["replace", &good, &bad]);
    assert_eq!(compared(&folder, &[]), (vec!["AGENTS.md:4 rm-rf new".to_owned()], 1));
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

#[test]
fn what_a_sparse_checkout_leaves_out_was_not_removed() {
    let folder = repository(&[("AGENTS.md", CALM), ("far/AGENTS.md", GIVEN), ("near/AGENTS.md", GIVEN)]);
    git(&folder, &["sparse-checkout", "set", "near"]);
    assert!(!folder.path("far").exists());
    assert_eq!(compared(&folder, &[]), (vec!["near/AGENTS.md:4 rm-rf unchanged".to_owned()], 0));
}

#[cfg(unix)]
#[test]
fn hostile_names_change_nothing_in_a_comparison_or_an_audit() {
    let name = "a\n::error::b\u{1b}[2J\u{202e}c\u{200b}\",\t;d";
    let (gone, kept) = (format!("{name}/AGENTS.md"), format!("{name}/CLAUDE.md"));
    let folder = repository(&[(&gone, GIVEN), (&kept, FORBIDDEN)]);
    let allowed = format!("<!-- caveat-allow-file rm-rf {DAY} -->\n\n{WARNED}\n`rm -rf /srv/x`\n");
    apply(&folder, &[(&gone, None), (&kept, Some(&allowed))]);
    let acts = |text: &str| {
        text.chars().any(|c| (c.is_control() && c != '\n') || matches!(c, '\u{202e}' | '\u{200b}'))
    };
    let formats = ["text", "json", "jsonl", "sarif", "github"];
    let checks = formats.map(|format| vec!["check", "--baseline", "HEAD", "--format", format]);
    let audits = ["text", "json"].map(|format| vec!["audit", "--format", format]);
    for arguments in checks.iter().chain(&audits) {
        let ran = folder.run(arguments);
        let output = format!("{}{}", ran.stdout, ran.stderr);
        assert!(!acts(&output), "{}", output.escape_debug());
        let commands = output.lines().filter(|line| line.starts_with("::"));
        assert!(commands.clone().count() == if arguments.contains(&"github") { 4 } else { 0 }, "{output}");
        assert!(commands.clone().all(|line| line.matches("::").count() == 2), "{output}");
    }
    let (told, status) = compared(&folder, &[]);
    let expected = [
        format!("{gone}:1 instruction-file-removed new"),
        format!("{kept}:6 git-clean-force new"),
        format!("{kept}:9 rm-rf new"),
        format!("resolved {gone}:4 rm-rf"),
        format!("loosened {kept} suppression-added rm-rf"),
    ];
    assert_eq!((told.as_slice(), status), (&expected[..], 1));
    assert_eq!(folder.run(&["audit"]).stdout.lines().filter(|line| line.contains("since ")).count(), 0);
}

/// What a change loosens is told where a pull request is looked at, by the names that the repository has.
#[test]
fn what_is_loosened_is_annotated_and_notified() {
    let folder = repository(&[("docs/AGENTS.md", GIVEN), ("caveat.toml", "")]);
    folder.write("caveat.toml", b"\n[rules]\nrm-rf = { severity = 'off', reason = 'x' }\n");
    let says = "Loosened by this change, and not yet in force: a rule is switched off (rm-rf).";
    for part in [&[][..], &["docs"]] {
        let run =
            |format: &str| folder.run(&[&["check", "--baseline", "HEAD", "--format", format], part].concat());
        let expected = format!("::warning file=caveat.toml,line=3,title=caveat loosened::{says}\n");
        let annotated = run("github").stdout;
        assert!(annotated.contains(&expected), "{annotated}");
        let log: Value = serde_json::from_str(&run("sarif").stdout).expect("JSON");
        schema::validate(&log, &schema::of_sarif());
        let told = &log["runs"][0]["invocations"][0]["toolConfigurationNotifications"];
        assert_eq!((told.as_array().map(Vec::len), &told[0]["message"]["text"]), (Some(1), &says.into()));
        let place = &told[0]["locations"][0]["physicalLocation"];
        assert_eq!(
            (&place["artifactLocation"]["uri"], &place["region"]["startLine"]),
            (&"caveat.toml".into(), &3.into())
        );
        assert_eq!(told[0]["associatedRule"]["id"], "rm-rf");
    }
    assert_eq!(compared(&folder, &["docs"]).0.last().unwrap(), "loosened ../caveat.toml rule-off rm-rf");
    let told = folder.run(&["check", "--baseline", "HEAD", "docs"]).stdout;
    assert!(told.contains("\n  caveat.toml:3  a rule is switched off (rm-rf)\n"), "{told}");
}
