//! `caveat audit`: every exception, with who let it in and until when.

use serde_json::{Value, json};

use crate::baseline::{commit, git, repository};
use crate::folder::{FORBIDDEN, Folder, GIVEN};
use crate::schema;

#[track_caller]
fn audit(folder: &Folder, arguments: &[&str]) -> Value {
    let ran = folder.run(&[&["audit", "--format", "json", "--today", "2026-06-01"], arguments].concat());
    serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("no JSON, but {ran:?}"))
}

/// `FILE:LINE-END KIND SCOPE STATE RULES` of each entry.
fn entries(audit: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().expect("a string").to_owned();
    let entries = audit["entries"].as_array().expect("entries").iter();
    entries
        .map(|one| {
            let rules: Vec<String> = one["rules"].as_array().expect("rules").iter().map(text).collect();
            let end = one["endLine"].as_u64().map(|end| format!("-{end}")).unwrap_or_default();
            let [file, kind, scope, state] = ["file", "kind", "scope", "state"].map(|key| text(&one[key]));
            format!("{file}:{}{end} {kind} {scope} {state} {}", one["line"], rules.join(","))
        })
        .collect()
}

fn allow(rules: &str, day: &str, reason: &str) -> String {
    format!("<!-- caveat-allow {rules} expires={day} reason=\"{reason}\" -->\n\n")
}

fn everything() -> Folder {
    let block = "```sh\nrm -rf /srv/data\n```\n\n";
    let text = [
        "# Deploy\n\n",
        &allow("rm-rf", "2026-06-11", "the scratch disk is \\\"rebuilt\\\" nightly"),
        block,
        &allow("rm-rf", "2026-05-31", "over"),
        block,
        &allow("chmod-777", "2026-12-31", "nothing here"),
        "Text.\n\n<!-- caveat-allow rm-rf -->\n\n# What gets blocked\n\n",
        block,
    ];
    let config = "[rules]\nchmod-777 = { severity = 'off', reason = 'a sandbox' }\n\n\
        [[suppressions]]\nrule = 'git-clean-force'\nreason = 'x'\nexpires = 2026-07-01\n\n\
        [[suppressions]]\nrule = 'sudo'\nreason = 'old'\nexpires = 2026-01-01\n";
    Folder::with(&[("AGENTS.md", text.concat().as_str()), ("CLAUDE.md", FORBIDDEN), ("caveat.toml", config)])
}

#[test]
fn every_exception_is_listed_with_its_state() {
    let audit = audit(&everything(), &[]);
    let expected = [
        "AGENTS.md:3-7 suppression block active rm-rf",
        "AGENTS.md:9-13 suppression block expired rm-rf",
        "AGENTS.md:15-17 suppression block unused chmod-777",
        "AGENTS.md:19 suppression block invalid ",
        "AGENTS.md:24-24 shown heading active rm-rf",
        "CLAUDE.md:3-7 exempt labelled-fence active rm-rf",
        "caveat.toml:2 off config active chmod-777",
        "caveat.toml:4 suppression config unused git-clean-force",
        "caveat.toml:9 suppression config expired sudo",
    ];
    assert_eq!(entries(&audit), expected);
    let first = &audit["entries"][0];
    let known =
        [&first["reason"], &first["expires"], &first["daysLeft"], &first["findings"], &first["withheld"]];
    let expected = [
        json!("the scratch disk is \"rebuilt\" nightly"),
        json!("2026-06-11"),
        json!(10),
        json!(1),
        json!(false),
    ];
    assert_eq!(known.map(Clone::clone), expected);
    assert_eq!(audit["entries"][1]["daysLeft"], -1);
    assert_eq!(audit["entries"][6]["reason"], "a sandbox");
    assert_eq!(audit["files"], 3);
}

#[test]
fn an_audit_is_what_its_schema_says() {
    let folder = everything();
    let schema: Value = serde_json::from_str(&folder.run(&["schema", "audit"]).stdout).expect("JSON");
    schema::validate(&audit(&folder, &[]), &schema);
    commit_all(&folder);
    folder.write("WARP.md", b"\x00");
    schema::validate(&audit(&folder, &[]), &schema);
}

fn commit_all(folder: &Folder) {
    git(folder, &["init", "-q"]);
    commit(folder);
}

#[test]
fn a_reason_on_which_a_rule_fires_is_withheld() {
    let text = format!("{}{GIVEN}", allow("rm-rf", "2026-12-31", "so run `rm -rf /srv` zq7w"));
    let config = "[rules]\nchmod-777 = { severity = 'off', reason = 'then rm -rf /srv zq7w' }\n";
    let folder = Folder::with(&[("AGENTS.md", text.as_str()), ("caveat.toml", config)]);
    let audit = audit(&folder, &[]);
    for entry in audit["entries"].as_array().expect("entries") {
        assert_eq!((&entry["reason"], &entry["withheld"]), (&Value::Null, &json!(true)), "{entry}");
    }
    let told = folder.run(&["audit"]).stdout;
    assert!(told.contains("reason withheld") && !told.contains("zq7w"), "{told}");
}

#[test]
fn in_a_work_tree_the_commit_is_named_and_what_is_not_committed_has_none() {
    let old = format!("# A\n\n{}{GIVEN}", allow("rm-rf", "2026-12-31", "x"));
    let folder = repository(&[("AGENTS.md", old.as_str())]);
    let first = git(&folder, &["rev-parse", "HEAD"]);
    folder.write("CLAUDE.md", FORBIDDEN.as_bytes());
    commit(&folder);
    let second = git(&folder, &["rev-parse", "HEAD"]);
    let moved = format!("# More\n\n{}\n{old}", allow("sudo", "2026-12-31", "y"));
    folder.write("AGENTS.md", moved.as_bytes());
    let audit = audit(&folder, &[]);
    let known = |rule: &str, key: &str| {
        let entries = audit["entries"].as_array().expect("entries");
        entries.iter().find(|one| one["kind"] == rule || one["rules"][0] == rule).expect("an entry")[key]
            .clone()
    };
    assert_eq!((known("sudo", "commit"), known("sudo", "date")), (Value::Null, Value::Null));
    assert_eq!((known("rm-rf", "commit"), known("rm-rf", "date")), (json!(first), json!("2026-03-04")));
    assert_eq!(known("exempt", "commit"), second.as_str());
}

#[test]
fn what_is_not_trusted_is_listed_and_does_not_hold() {
    let text = format!("{}{GIVEN}", allow("rm-rf", "2026-12-31", "x"));
    let folder = Folder::with(&[("AGENTS.md", text.as_str())]);
    assert_eq!(audit(&folder, &["--untrusted"])["entries"][0]["state"], "ignored");
}

#[test]
fn an_audit_of_a_part_that_was_not_read_says_so() {
    let folder = Folder::with(&[("AGENTS.md", &b"\x00"[..]), ("CLAUDE.md", FORBIDDEN.as_bytes())]);
    let ran = folder.run(&["audit"]);
    assert!(ran.status == 3 && ran.stdout.contains("1 not read"), "{ran:?}");
    assert_eq!(audit(&folder, &[])["skipped"], json!([{"file": "AGENTS.md", "reason": "binary"}]));
    assert_eq!(folder.run(&["audit", "gone"]).status, 2);
    assert_eq!(folder.run(&["audit", "CLAUDE.md"]).status, 0);
}

#[test]
fn the_list_for_people_ends_with_counts_and_a_next_step() {
    let told = everything().run(&["audit", "--today", "2026-06-01"]).stdout;
    assert!(
        told.contains(
            "6 suppressions, 1 rule off, 1 exempt scope, 1 shown in 3 files; 2 expired; 2 unused; 1 invalid"
        ),
        "{told}"
    );
    assert!(told.ends_with("`caveat explain AGENTS.md:3` says what holds there\n"), "{told}");
}

/// What each entry of a kind that is decided for whole files or rules says: `FILE:LINE KIND STATE FILES +OTHERS SEVERITY`.
fn decided(audit: &Value) -> Vec<String> {
    let entries = audit["entries"].as_array().expect("entries").iter();
    let decided = entries
        .filter(|one| !matches!(one["kind"].as_str().expect("a kind"), "suppression" | "exempt" | "shown"));
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    decided
        .map(|one| {
            let files: Vec<String> = one["files"].as_array().expect("files").iter().map(text).collect();
            let [file, kind, state, now, was] =
                ["file", "kind", "state", "severity", "was"].map(|key| text(&one[key]));
            let (line, others) = (&one["line"], &one["others"]);
            format!("{file}:{line} {kind} {state} {} +{others} {was}>{now}", files.join(","))
        })
        .collect()
}

#[test]
fn what_a_configuration_takes_out_is_listed_first() {
    let config = "exclude = [\n  'old/',\n  'nowhere/',\n]\n\n[roles]\nreference = ['docs/']\n\n\
        [rules]\nrm-rf = 'info'\nsudo = 'error'\n\n[limits]\nmax-file-bytes = 400\n";
    let folder = Folder::with(&[
        ("old/AGENTS.md", GIVEN),
        ("old/notes.md", "x\n"),
        ("docs/CLAUDE.md", GIVEN),
        ("docs/plain.md", "x\n"),
        ("GEMINI.md", &"long ".repeat(100)),
        ("caveat.toml", config),
    ]);
    let listed = audit(&folder, &[]);
    let expected = [
        "caveat.toml:2 excluded active old/AGENTS.md +1 ->-",
        "caveat.toml:3 excluded unused  +0 ->-",
        "caveat.toml:7 role active docs/CLAUDE.md +0 ->-",
        "caveat.toml:10 lowered active  +0 error>info",
        "caveat.toml:14 limit active GEMINI.md +0 ->-",
    ];
    assert_eq!(decided(&listed), expected);
    let schema: Value = serde_json::from_str(&folder.run(&["schema", "audit"]).stdout).expect("JSON");
    schema::validate(&listed, &schema);
    let told = folder.run(&["audit"]).stdout;
    assert!(
        told.starts_with("caveat.toml\n") && told.contains("not read: old/AGENTS.md, and 1 more"),
        "{told}"
    );
    assert!(told.contains("2 files excluded, 1 file in another role, 0 suppressions"), "{told}");
}

#[test]
fn a_tracked_file_that_an_ignore_file_hides_is_listed() {
    let folder = repository(&[("AGENTS.md", GIVEN), ("notes.md", "x\n")]);
    folder.write(".ignore", b"AGENTS.md\nnotes.md\n");
    assert_eq!(decided(&audit(&folder, &[])), ["AGENTS.md:1 ignored active  +0 ->-"]);
    for arguments in [&["--no-ignore"][..], &["--untrusted"], &["--exclude", "AGENTS.md"]] {
        assert_eq!(decided(&audit(&folder, arguments)), [""; 0], "{arguments:?}");
    }
}

/// What is wrong with a suppression, and how far one reaches, is told in the words of `check`.
#[test]
fn the_list_for_people_has_words_and_no_names_of_forms() {
    let comment = |rest: &str| format!("# A\n\n<!-- caveat-allow {rest} -->\n\n{GIVEN}");
    let folder = Folder::with(&[
        ("AGENTS.md", comment("rm-rf sudo expires=2026-12-31 reason=\"x\"").as_str()),
        ("CLAUDE.md", comment("rm-rf reason=\"x\" expires=2026-12-31").as_str()),
        ("GEMINI.md", FORBIDDEN),
    ]);
    let told = folder.run(&["audit", "--today", "2026-06-01"]).stdout;
    for words in
        ["commas stand between the rules", "the day comes before the reason", "by a label above a fence"]
    {
        assert!(told.contains(words), "{words}: {told}");
    }
    assert!(!told.contains("no-comma") && !told.contains("order") && !told.contains("labelled-"), "{told}");
}
