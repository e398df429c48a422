//! `caveat.toml` from the outside: what it changes, and how its faults are told.

use serde_json::Value;

use crate::folder::{CALM, Folder, GIVEN, findings};

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
        ("a = hunter2", "caveat.toml:1:5: a string stands in quotes"),
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

/// A command of the project's own, as an entry and in a document.
const OWN: &str = "[[commands]]\nid = 'fleet-wipe'\nabout = 'hunter2'\nprograms = ['fleetctl']\nsub = ['wipe']\n\
                   hits = ['fleetctl wipe --all']\nhonest = ['fleetctl status']\n";
const WIPES: &str = "# Fleet\n\nNever run `fleetctl wipe --all`.\n\n```sh\nfleetctl wipe --all\nfleetctl status\n```\n\n\
                     - `fleetctl wipe`\n";

#[test]
fn own_commands_are_found_forbidden_and_graded_like_built_in_ones() {
    let folder = Folder::with(&[("AGENTS.md", WIPES), ("caveat.toml", OWN)]);
    let (report, status) = folder.report(&[]);
    let told: Vec<_> = report["findings"].as_array().unwrap().iter().collect();
    let lines: Vec<_> =
        told.iter().map(|f| (f["line"].as_u64().unwrap(), f["status"].as_str().unwrap())).collect();
    assert_eq!(lines, [(3, "exempt"), (6, "reported"), (10, "reported")]);
    for one in told {
        assert_eq!((&one["rule"], &one["pattern"]), (&"project-command".into(), &"fleet-wipe".into()));
        assert_eq!((&one["severity"], &one["group"]), (&"warning".into(), &"danger".into()));
    }
    assert_eq!(status, 0);
    assert!(!report.to_string().contains("hunter2"), "{report}");
    folder.write("caveat.toml", OWN.replace("sub =", "severity = 'error'\nsub =").as_bytes());
    assert_eq!(folder.report(&[]).1, 1);
    folder.write("caveat.toml", format!("rules.project-command = 'error'\n{OWN}").as_bytes());
    assert_eq!(folder.report(&[]).1, 1);
    folder.write("caveat.toml", OWN.replace("['fleetctl status']", "['fleetctl wipe']").as_bytes());
    let ran = folder.run(&["check"]);
    assert_eq!(ran.status, 2, "{ran:?}");
    assert!(ran.stderr.contains("caveat.toml:7:11: this honest example is found by its entry"), "{ran:?}");
}

#[test]
fn own_phrases_are_found_in_prose_and_shown_where_they_are_only_mentioned() {
    let own = "[[phrases]]\nid = 'seal'\nslots = ['break', 'the', 'seal']\nhits = ['Now break the seal.']\n\
               honest = ['The seal breaks.']\n";
    let text = "# Seal\n\nNow break the red seal.\n\nThis rule flags \"break the seal\" and the like.\n";
    let folder = Folder::with(&[("AGENTS.md", text), ("README.md", text), ("caveat.toml", own)]);
    let report = folder.report(&[]).0;
    let told: Vec<_> = report["findings"].as_array().unwrap().iter().collect();
    let lines: Vec<_> = told
        .iter()
        .map(|f| format!("{} {} {} {} {}", f["file"], f["line"], f["rule"], f["pattern"], f["severity"]))
        .collect();
    let expected = [
        r#""AGENTS.md" 3 "project-phrase" "seal" "warning""#,
        r#""AGENTS.md" 5 "project-phrase" "seal" "info""#,
    ];
    assert_eq!(lines, expected);
}

#[test]
fn suppressions_of_the_configuration_are_told_when_they_are_expired_or_unused() {
    let config = "[[suppressions]]\nrule = 'rm-rf'\nreason = 'x'\nexpires = 2026-12-31\n\n\
                  [[suppressions]]\nrule = 'mkfs'\nreason = 'x'\nexpires = 2026-12-31\npaths = ['ops/']\n";
    let folder = Folder::with(&[("AGENTS.md", GIVEN), ("ops/AGENTS.md", CALM), ("caveat.toml", config)]);
    let told = |arguments: &[&str]| -> Vec<String> {
        let report = folder.report(arguments).0;
        let own = report["findings"].as_array().unwrap().iter().filter(|f| f["file"] == "caveat.toml");
        own.map(|f| format!("{} {}:{} {}", f["rule"], f["line"], f["column"], f["severity"])).collect()
    };
    assert_eq!(told(&["--today", "2026-12-31"]), [r#""suppression-unused" 6:1 "info""#]);
    let expired = [r#""suppression-expired" 4:11 "warning""#, r#""suppression-expired" 9:11 "warning""#];
    assert_eq!(told(&["--today", "2027-01-01"]), expired);
    assert_eq!(told(&["--today", "2026-12-31", "ops"]), [""; 0], "not all that it is about was looked at");
    assert_eq!(told(&["--today", "2026-12-31", "--exclude", "ops"]), [""; 0]);
    assert_eq!(told(&["--today", "2026-12-31", "--role", "runbook"]), [""; 0]);
    folder.write("ops/more/AGENTS.md", &[b'x'; 3 << 20]);
    assert_eq!(told(&["--today", "2026-12-31"]), [""; 0], "what was not read may need it");
    folder.write("caveat.toml", format!("rules.suppression-expired = 'error'\n{config}").as_bytes());
    assert_eq!(folder.report(&["--today", "2027-01-01"]).1, 1);
}

#[test]
fn untrusted_files_have_no_say() {
    let allowed = format!("<!-- caveat-allow-file rm-rf expires=2999-01-01 reason=\"x\" -->\n\n{GIVEN}");
    let folder = Folder::with(&[
        ("AGENTS.md", allowed.as_str()),
        ("vendor/a/AGENTS.md", allowed.as_str()),
        ("vendor/a/caveat.toml", "hunter2 = 1"),
        ("caveat.toml", "untrusted = ['vendor/']\n[roles]\nreference = ['vendor/']"),
    ]);
    let (report, status) = folder.report(&[]);
    assert_eq!(findings(&report), ["AGENTS.md rm-rf suppressed", "vendor/a/AGENTS.md rm-rf reported"]);
    assert_eq!(
        (&report["findings"][1]["severity"], status),
        (&"error".into(), 1),
        "no glob relaxes the role"
    );
    let relaxed = Folder::with(&[("AGENTS.md", GIVEN), ("x.toml", "roles.reference = ['AGENTS.md']")]);
    let (report, _) = relaxed.report(&["--config", "x.toml", "--untrusted"]);
    assert_eq!(report["findings"][0]["severity"], "error");
    assert_eq!(relaxed.report(&["--config", "x.toml"]).0["findings"][0]["severity"], "info");
}

#[test]
fn a_nested_configuration_cannot_switch_off_what_guards_the_reader() {
    let folder = Folder::with(&[
        ("caveat.toml", "rules.sudo = 'error'"),
        ("a/AGENTS.md", GIVEN),
        ("a/caveat.toml", "[rules]\nrm-rf = { severity = 'off', reason = 'x' }"),
    ]);
    assert_eq!(folder.report(&[]).1, 0, "a dangerous command is the folder's own business");
    folder.write("a/caveat.toml", b"[rules]\nopenai-key = { severity = 'off', reason = 'hunter2' }");
    let ran = folder.run(&["check"]);
    assert_eq!(ran.status, 2, "{ran:?}");
    assert!(
        ran.stderr.contains("caveat.toml:2:1: rules about secrets and injections are loosened in"),
        "{ran:?}"
    );
    assert!(!ran.stderr.contains("hunter2"), "{ran:?}");
}

#[test]
fn init_writes_a_configuration_that_changes_nothing_and_never_overwrites() {
    let folder = Folder::with(&[("AGENTS.md", GIVEN)]);
    let before = folder.report(&[]).0["findings"].clone();
    let ran = folder.run(&["init"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{ran:?}");
    assert_eq!(folder.report(&[]).0["findings"], before);
    folder.write("caveat.toml", b"labels = ['kept:']");
    let ran = folder.run(&["init"]);
    assert_eq!(ran.status, 2, "{ran:?}");
    let kept = std::fs::read_to_string(folder.path("caveat.toml")).unwrap();
    assert_eq!(kept, "labels = ['kept:']");
    #[cfg(unix)]
    {
        let folder = Folder::with(&[("AGENTS.md", GIVEN)]);
        std::os::unix::fs::symlink("gone.toml", folder.path("caveat.toml")).unwrap();
        assert_eq!(folder.run(&["init"]).status, 2);
        assert!(!folder.path("gone.toml").exists());
    }
}

#[test]
fn the_schema_of_the_configuration_names_every_rule() {
    let folder = Folder::with(&[("AGENTS.md", CALM)]);
    let ran = folder.run(&["schema", "config"]);
    let schema: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!((ran.status, &schema["title"]), (0, &"caveat.toml".into()));
    assert_eq!(schema["additionalProperties"], false);
    let names =
        schema.pointer("/$defs/Rules/propertyNames/enum").and_then(Value::as_array).expect("the rules");
    let rules: Value =
        serde_json::from_str(&folder.run(&["rules", "--format", "json"]).stdout).expect("JSON");
    let listed: Vec<_> =
        rules["rules"].as_array().expect("rules").iter().map(|rule| rule["id"].clone()).collect();
    assert_eq!(*names, listed);
    // Every rule has its page.
    for rule in &listed {
        let ran = folder.run(&["explain", rule.as_str().expect("an id")]);
        assert!(ran.status == 0 && ran.stdout.len() > 100, "{ran:?}");
    }
}

#[test]
fn a_configuration_on_standard_input_is_told_wrong_as_on_the_disk() {
    let folder = Folder::with(&[("AGENTS.md", GIVEN), ("caveat.toml", "lables = ['hunter2']")]);
    let on_disk = folder.run(&["check"]);
    let arguments = ["check", "-", "--stdin-path", "caveat.toml"];
    let typed = folder.run_with(&arguments, b"lables = ['hunter2']");
    assert_eq!((typed.status, &typed.stderr), (2, &on_disk.stderr), "{typed:?}");
    let mended = folder.run_with(&arguments, b"labels = ['Retired:']");
    assert_eq!(mended.status, 0, "what is typed outranks the disk: {mended:?}");
    folder.write("caveat.toml", b"");
    let typed = folder.run_with(&["check", "-", "--stdin-path", "docs/caveat.toml"], b"rules.rmrf = 'off'");
    assert_eq!(typed.status, 2, "{typed:?}");
}

#[test]
fn a_named_configuration_that_is_not_there_is_said_to_be_absent() {
    let folder = Folder::with(&[("AGENTS.md", GIVEN)]);
    let ran = folder.run(&["check", "--config", "nofile.toml"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("there is no such file: nofile.toml"), "{ran:?}");
}

#[test]
fn init_below_another_configuration_says_what_it_does() {
    let folder = Folder::with(&[("caveat.toml", ""), ("a/b/AGENTS.md", "x\n")]);
    let ran = folder.run_in("a/b", &["init"]);
    assert_eq!(ran.status, 0);
    assert!(ran.stderr.contains("../../caveat.toml no longer holds for the files here"), "{ran:?}");
    assert_eq!(Folder::with::<&str>(&[]).run(&["init"]).stderr, "");
}

/// Whoever may write a folder may write its configuration: what is above it knows better who reads a file.
#[test]
fn a_nested_configuration_takes_no_file_out_of_sight() {
    let folder = Folder::with(&[
        ("caveat.toml", "include = ['*.tool']\nroles.runbook = ['a/ops.md', 'b/*.md']"),
        ("a/AGENTS.md", GIVEN),
        ("a/ops.md", GIVEN),
        ("a/notes.md", "AKIA"),
        ("a/x.tool", "text"),
        ("a/caveat.toml", "exclude = ['*']\n[roles]\nreference = ['*.md']"),
        ("b/ops.md", GIVEN),
        ("b/caveat.toml", ""),
    ]);
    let ran = folder.run(&["check", "--format", "json"]);
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let told = ["a/AGENTS.md rm-rf reported", "a/ops.md rm-rf reported", "b/ops.md rm-rf reported"];
    assert_eq!((findings(&report), ran.status), (told.map(str::to_owned).to_vec(), 1));
    assert!(report["findings"].as_array().unwrap().iter().all(|f| f["severity"] == "error"), "{report}");
    let said = [
        "caveat: a/caveat.toml:1:12: 3 of the files that this glob matches are read all the same: it stands below another",
        "caveat: a/caveat.toml:3:14: 2 of the files that this glob matches keep their graver role: it stands below another",
    ];
    for line in said {
        assert!(ran.stderr.contains(line), "{ran:?}");
    }
    // What the one above leaves out, or declares itself, the one below may, too.
    folder.write("caveat.toml", b"exclude = ['a/']\nroles.reference = ['a/', 'b/']");
    folder.write("b/caveat.toml", b"roles.reference = ['*.md']");
    let (report, status) = folder.report(&[]);
    assert_eq!((findings(&report), status), (vec!["b/ops.md rm-rf reported".to_owned()], 0));
    assert_eq!(report["findings"][0]["severity"], "info");
    // By itself it may all.
    folder.write("caveat.toml", b"");
    std::fs::remove_file(folder.path("caveat.toml")).unwrap();
    assert_eq!(findings(&folder.report(&[]).0), ["b/ops.md rm-rf reported"]);
}

/// What others wrote has no say in what is read of it, also where the repository has no configuration of its own.
#[test]
fn a_configuration_that_was_brought_in_takes_no_file_out_of_sight() {
    let folder = Folder::with(&[
        ("node_modules/x/AGENTS.md", GIVEN),
        ("node_modules/x/caveat.toml", "exclude = ['*']\nroles.reference = ['*.md']"),
        ("pkg/AGENTS.md", GIVEN),
        ("pkg/caveat.toml", "exclude = ['*']"),
        ("vendor/y/z/AGENTS.md", GIVEN),
        ("vendor/y/caveat.toml", "exclude = ['z/']"),
    ]);
    let told = ["node_modules/x/AGENTS.md rm-rf reported", "vendor/y/z/AGENTS.md rm-rf reported"];
    assert_eq!(findings(&folder.report(&[]).0), told);
}

/// A glob that matches nothing is no fault, and would otherwise be known to nobody.
#[test]
fn globs_that_match_nothing_are_told_where_a_format_has_a_place() {
    let config =
        "include = ['*.tool', 'hunter2/']\n[roles]\ninstructions = ['agents.md.bak']\nrunbook = ['ops/']\n";
    let folder = Folder::with(&[
        ("docs/AGENTS.md", CALM),
        ("docs/x.tool", "x"),
        ("ops/a.md", CALM),
        ("caveat.toml", config),
    ]);
    let (one, two) =
        ("this glob of `include` matches no file", "this glob of `roles.instructions` matches no file");
    let ran = folder.run(&["check"]);
    let stderr = format!(
        "caveat: caveat.toml:1:22: {one} that is read\ncaveat: caveat.toml:3:17: {two} that is read\n"
    );
    assert_eq!((ran.status, ran.stderr.as_str()), (0, stderr.as_str()));
    let github = folder.run(&["check", "--format", "github"]).stdout;
    assert!(
        github
            .contains(&format!("::notice file=caveat.toml,line=1,col=22,title=caveat configuration::{one}")),
        "{github}"
    );
    let sarif: Value =
        serde_json::from_str(&folder.run(&["check", "--format", "sarif"]).stdout).expect("JSON");
    let told = &sarif["runs"][0]["invocations"][0]["toolConfigurationNotifications"];
    assert_eq!((told.as_array().map(Vec::len), &told[1]["level"]), (Some(2), &"note".into()), "{sarif}");
    assert_eq!(told[1]["locations"][0]["physicalLocation"]["region"]["startLine"], 3);
    // Of what was not looked at whole nothing is said.
    for arguments in [
        &["check", "docs"][..],
        &["check", "--exclude", "ops"],
        &["check", "--role", "runbook"],
        &["check", "ops/a.md"],
    ] {
        assert_eq!(folder.run(arguments).stderr, "", "{arguments:?}");
    }
}
