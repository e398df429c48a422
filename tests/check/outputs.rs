//! What other programs read: SARIF by its own schema, annotations, JSON Lines, completions, the manual page.

use serde_json::{Value, json};

use crate::folder::{CALM, FORBIDDEN, Folder, GIVEN, WARNED};
use crate::report::believable;
use crate::schema;

/// A document with a finding that is suppressed.
const ACCEPTED: &str = "# Tidy\n\n<!-- caveat-allow chmod-777 expires=2099-12-31 reason=\"qzw7\" -->\n\n\
    ```sh\nchmod 777 /srv/drop\n```\n";

#[track_caller]
fn sarif(folder: &Folder, arguments: &[&str]) -> Value {
    let ran = folder.run(&[&["check", "--format", "sarif"], arguments].concat());
    serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("no SARIF, but {ran:?}"))
}

/// `RULE LEVEL` of each result, with the state of its suppressions.
fn results(log: &Value) -> Vec<String> {
    let results = log["runs"][0]["results"].as_array().expect("results").iter();
    results
        .map(|result| {
            let state = match result.get("suppressions").map(|list| list.as_array().expect("a list")) {
                None => "",
                Some(list) if list.is_empty() => " open",
                Some(_) => " suppressed",
            };
            format!("{} {}{state}", result["ruleId"].as_str().unwrap(), result["level"].as_str().unwrap())
        })
        .collect()
}

#[test]
fn sarif_is_what_its_schema_says() {
    let official = schema::of_sarif();
    let folder = believable();
    folder.write("WARP.md", ACCEPTED.as_bytes());
    for arguments in [&[][..], &["--sarif-suppressions", "omit"], &["runbooks"], &["AGENTS.md", "/dev/null"]]
    {
        schema::validate(&sarif(&folder, arguments), &official);
    }
    schema::validate(&sarif(&Folder::with::<&str>(&[]), &[]), &official);

    let log = sarif(&folder, &[]);
    let breaks: [fn(&mut Value); 4] = [
        |log| log["version"] = "2.0.0".into(),
        |log| log["runs"][0]["results"][0]["level"] = "info".into(),
        |log| {
            log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0.into()
        },
        |log| drop(log["runs"][0]["tool"].as_object_mut().unwrap().remove("driver")),
    ];
    for broken in breaks {
        let mut log = log.clone();
        broken(&mut log);
        assert!(schema::fits(&log, &official, &official, "").is_err());
    }
}

#[test]
fn what_does_not_count_is_suppressed_with_a_justification_or_left_out() {
    let folder = Folder::with(&[("AGENTS.md", GIVEN), ("CLAUDE.md", FORBIDDEN), ("QWEN.md", ACCEPTED)]);
    let log = sarif(&folder, &[]);
    assert_eq!(results(&log), ["rm-rf error open", "rm-rf error suppressed", "chmod-777 warning suppressed"]);
    let justification =
        |at: usize| log["runs"][0]["results"][at]["suppressions"][0]["justification"].as_str().unwrap();
    assert_eq!(justification(1), "The text forbids it: see line 3.");
    assert_eq!(justification(2), "Suppressed until 2099-12-31 by the comment on line 3, which says why.");
    assert_eq!(results(&sarif(&folder, &["--sarif-suppressions", "omit"])), ["rm-rf error"]);
}

#[test]
fn a_run_that_did_not_read_all_says_so_and_calls_nothing_clean() {
    let folder =
        Folder::with(&[("AGENTS.md", &b"\x00"[..]), ("CLAUDE.md", CALM.as_bytes()), ("x.md", b"\x00")]);
    let invocation = |log: Value| log["runs"][0]["invocations"][0].clone();
    let log = sarif(&folder, &[]);
    assert_eq!(results(&log), [""; 0]);
    let one = invocation(log);
    assert_eq!((&one["executionSuccessful"], &one["exitCode"]), (&json!(false), &json!(3)));
    let told = one["toolExecutionNotifications"].as_array().expect("notifications");
    let of = |at: usize| &told[at]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(
        (told.len(), &told[0]["level"], of(0), of(1)),
        (2, &json!("error"), &json!("AGENTS.md"), &json!("x.md"))
    );

    folder.write("AGENTS.md", CALM.as_bytes());
    let one = invocation(sarif(&folder, &[]));
    assert_eq!((&one["executionSuccessful"], &one["exitCode"]), (&json!(true), &json!(0)));
    assert_eq!(one["toolExecutionNotifications"][0]["level"], "warning");
}

#[test]
fn a_part_of_a_repository_is_a_run_of_its_own() {
    let folder = Folder::with(&[("AGENTS.md", GIVEN), ("docs/AGENTS.md", GIVEN)]);
    let id = |arguments: &[&str]| sarif(&folder, arguments)["runs"][0]["automationDetails"]["id"].clone();
    assert_eq!((id(&[]), id(&["."])), (json!("caveat/"), json!("caveat/")));
    let parts =
        [&["docs"][..], &["docs/AGENTS.md"], &["AGENTS.md"], &["--exclude", "docs"], &["AGENTS.md", "docs"]];
    let ids: Vec<Value> = parts.iter().map(|arguments| id(arguments)).collect();
    for (at, one) in ids.iter().enumerate() {
        assert!(*one != "caveat/" && !ids[..at].contains(one), "{ids:?}");
        assert_eq!(*one, id(parts[at]));
    }
}

#[test]
fn names_are_those_of_the_repository() {
    let folder = Folder::with(&[("docs/AGENTS.md", GIVEN), (".git/HEAD", "ref: refs/heads/main\n")]);
    let uri = |log: &Value| {
        let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
        place["uri"].as_str().expect("a URI").to_owned()
    };
    for arguments in [&[][..], &["docs"], &["docs/AGENTS.md"]] {
        assert_eq!(uri(&sarif(&folder, arguments)), "docs/AGENTS.md");
        let annotated = folder.run(&[&["check", "--format", "github"], arguments].concat()).stdout;
        assert!(annotated.starts_with("::error file=docs/AGENTS.md,line=4,"), "{annotated}");
    }
}

#[test]
fn every_rule_has_its_help_and_no_example() {
    let folder = Folder::with::<&str>(&[]);
    let log = sarif(&folder, &[]);
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules");
    let list: Value = serde_json::from_str(&folder.run(&["rules", "--format", "json"]).stdout).expect("JSON");
    assert_eq!(rules.len(), list["rules"].as_array().expect("rules").len());
    for rule in rules {
        let id = rule["id"].as_str().expect("an id");
        let page = folder.run(&["explain", id]).stdout;
        assert_eq!(rule["help"]["markdown"], page.as_str(), "{id}");
    }
}

#[test]
fn annotations_come_gravest_first_and_end_in_a_line_for_people() {
    let folder = Folder::with(&[("AGENTS.md", WARNED), ("CLAUDE.md", GIVEN), ("QWEN.md", ACCEPTED)]);
    let expected = "::error file=CLAUDE.md,line=4,endLine=4,col=1,endColumn=17,title=caveat rm-rf::\
        This removes a directory and everything below it, for good.\n\
        ::warning file=AGENTS.md,line=4,endLine=4,col=1,endColumn=15,title=caveat git-clean-force::\
        This deletes every file that git does not track.\n\
        caveat: 1 error, 1 warning in 3 files; 1 suppressed\n";
    assert_eq!(folder.run(&["check", "--format", "github"]).stdout, expected);
}

#[test]
fn json_lines_end_in_a_summary() {
    let folder = believable();
    let ran = folder.run(&["check", "--format", "jsonl"]);
    let lines: Vec<Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let (report, _) = folder.report(&[]);
    let of = |kind: &str| lines.iter().filter(|line| line["type"] == kind).cloned().collect::<Vec<_>>();
    let (findings, skipped) = (of("finding"), of("skipped"));
    assert_eq!(findings.len() + skipped.len() + 1, lines.len());
    for (mut line, finding) in findings.into_iter().zip(report["findings"].as_array().expect("findings")) {
        line.as_object_mut().expect("an object").remove("type");
        assert_eq!(line, *finding);
    }
    let summary = lines.last().expect("a line");
    assert_eq!(
        (&summary["type"], &summary["files"], &summary["skipped"]),
        (&json!("summary"), &json!(5), &json!(1))
    );
    for (key, count) in report["summary"].as_object().expect("counts") {
        assert_eq!(summary[key], *count, "{key}");
    }
}

#[test]
fn too_many_exemptions_fail_and_are_told() {
    let folder = Folder::with(&[("AGENTS.md", FORBIDDEN), ("CLAUDE.md", FORBIDDEN)]);
    for format in ["text", "json", "sarif"] {
        let run = |most: &str| folder.run(&["check", "--format", format, "--max-exempt", most]);
        assert_eq!((run("2").status, run("2").stderr.as_str()), (0, ""));
        let over = run("1");
        assert_eq!(over.status, 1);
        assert!(over.stderr.contains("2 exempt, more than the 1 of --max-exempt"), "{over:?}");
    }
}

#[test]
fn shells_complete_and_the_manual_names_every_command() {
    let folder = Folder::with::<&str>(&[]);
    let man = folder.run(&["man"]).stdout;
    for command in ["lsp", "check", "explain", "rules", "schema", "completions"] {
        assert!(man.contains(&format!("caveat\\-{command}")), "{command}");
        for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
            let script = folder.run(&["completions", shell]).stdout;
            assert!(script.contains(command), "{command} in {shell}");
        }
    }
    for option in ["max\\-exempt", "sarif\\-suppressions", "records"] {
        assert!(man.contains(&format!("\\-\\-{option}")), "{option}");
    }
}
