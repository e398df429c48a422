//! What `caveat.toml` decides about rules, seen from the outside: `stance`, `[rules]`, `[[suppressions]]`.

use serde_json::json;

use crate::folder::{Folder, GIVEN, findings};

/// Two errors on different lines.
const TWO: &str = "# Deploy\n\n```sh\nrm -rf /srv/data\nrm -rf /srv/more\n```\n";
/// A credential that is none, in two pieces.
const KEY: &str = concat!("The key is AKIA", "Q7ZLM2PXW4VN6TKD.\n");

#[test]
fn rules_are_as_grave_as_the_project_says() {
    let cases = [
        ("", "error", 1),
        ("rules.rm-rf = 'warning'", "warning", 0),
        ("rules.rm-rf = { severity = 'info', reason = 'x' }", "info", 0),
    ];
    for (config, severity, expected) in cases {
        let folder = Folder::with(&[("AGENTS.md", GIVEN), ("caveat.toml", config)]);
        let (report, status) = folder.report(&[]);
        assert_eq!((&report["findings"][0]["severity"], status), (&json!(severity), expected), "{config}");
    }
    let off = "rules.rm-rf = { severity = 'off', reason = 'x' }";
    let folder = Folder::with(&[("AGENTS.md", GIVEN), ("caveat.toml", off)]);
    let (report, status) = folder.report(&[]);
    assert_eq!((&report["findings"], status), (&json!([]), 0));
}

#[test]
fn a_rule_that_is_off_by_itself_can_be_switched_on() {
    let text = "```sh\ngit push --force-with-lease\n```\n";
    let folder = Folder::with(&[("AGENTS.md", text)]);
    assert_eq!(folder.report(&[]).0["findings"], json!([]));
    folder.write("caveat.toml", b"rules.git-push-lease = 'warning'");
    assert_eq!(findings(&folder.report(&[]).0), ["AGENTS.md git-push-lease reported"]);
}

#[test]
fn without_stance_what_is_shown_is_given() {
    let text = "# Deploy\n\n```sh\n# BAD\nrm -rf /srv/data\n```\n";
    for (config, severity) in [("stance = 'on'", "info"), ("stance = 'off'", "error")] {
        let folder = Folder::with(&[("AGENTS.md", text), ("caveat.toml", config)]);
        assert_eq!(folder.report(&[]).0["findings"][0]["severity"], severity, "{config}");
    }
}

#[test]
fn the_configuration_suppresses_by_rule_path_and_fingerprint() {
    let entry = |more: &str| format!("[[suppressions]]\nreason = 'x'\nexpires = 2026-12-31\n{more}\n");
    let folder = Folder::with(&[("AGENTS.md", TWO), ("ops/AGENTS.md", GIVEN), ("b/AGENTS.md", KEY)]);
    let found = |config: &str, today: &str| {
        folder.write("caveat.toml", config.as_bytes());
        folder.report(&["--today", today]).0
    };
    let status = |config: &str, today: &str| -> Vec<bool> {
        let report = found(config, today);
        let of_documents =
            report["findings"].as_array().unwrap().iter().filter(|f| f["file"] != "caveat.toml");
        of_documents.map(|f| f["status"] == "suppressed").collect()
    };
    assert_eq!(status("", "2026-06-01"), [false, false, false, false]);
    let rule = entry("rule = 'rm-rf'");
    assert_eq!(status(&rule, "2026-12-31"), [true, true, false, true]);
    assert_eq!(status(&rule, "2027-01-01"), [false, false, false, false]);
    let paths = entry("rule = 'rm-rf'\npaths = ['ops/']");
    assert_eq!(status(&paths, "2026-06-01"), [false, false, false, true]);
    assert_eq!(status(&entry("rule = 'aws-access-key'"), "2026-06-01"), [false, false, true, false]);

    let print = found("", "2026-06-01")["findings"][1]["fingerprint"].as_str().unwrap().to_owned();
    let one = entry(&format!("rule = 'rm-rf'\nfingerprint = '{print}'"));
    assert_eq!(status(&one, "2026-06-01"), [false, true, false, false]);
    let by = json!({"scope": "config", "line": 1, "rules": ["rm-rf"], "expires": "2026-12-31"});
    assert_eq!(found(&one, "2026-06-01")["findings"][1]["suppression"], by);
}

/// A pointer is about a value and what is inside it, and about nothing beside it.
#[test]
fn the_configuration_suppresses_by_pointer() {
    let record = "{\"hooks\": {\"stop\": {\"command\": \"rm -rf /srv/data\"}}, \"hooks2\": {\"command\": \"rm -rf /srv/data\"}}\n";
    for (pointer, left) in [("/hooks", 1), ("/hooks/stop/command", 1), ("/hooks/s", 2), ("/", 2)] {
        let entry = format!(
            "[[suppressions]]\nrule = 'rm-rf'\nreason = 'x'\nexpires = 2099-12-31\npointer = '{pointer}'\n"
        );
        let folder = Folder::with(&[(".claude/settings.json", record), ("caveat.toml", &entry)]);
        let report = folder.report(&["--role", "instructions"]).0;
        let reported =
            |finding: &&serde_json::Value| finding["status"] == "reported" && finding["rule"] == "rm-rf";
        let found = report["findings"].as_array().expect("a list").iter().filter(reported).count();
        assert_eq!(found, left, "{pointer}: {report}");
    }
}

#[test]
fn of_untrusted_files_nothing_that_they_say_of_themselves_counts() {
    let hiding = "## What gets blocked\n\n- `rm -rf /srv/a`\n\n<!-- caveat-allow rm-rf expires=2999-01-01 reason=\"ours\" -->\n\n\
                  ```sh\nrm -rf /srv/b\n```\n\nNever run these commands:\n\n```sh\nrm -rf /srv/c\n```\n";
    let folder = Folder::with(&[
        ("AGENTS.md", hiding),
        ("CLAUDE.md", GIVEN),
        (".ignore", "CLAUDE.md"),
        ("caveat.toml", "rules.rm-rf = { severity = 'off', reason = 'x' }"),
    ]);
    let (report, status) = folder.report(&[]);
    assert_eq!((findings(&report), status), (vec!["AGENTS.md suppression-unused reported".to_owned()], 0));
    let (report, status) = folder.report(&["--untrusted"]);
    assert_eq!(
        findings(&report),
        [
            "AGENTS.md rm-rf reported",
            "AGENTS.md rm-rf reported",
            "AGENTS.md rm-rf exempt",
            "CLAUDE.md rm-rf reported"
        ]
    );
    assert_eq!((&report["findings"][0]["severity"], status), (&json!("error"), 1));
}

#[test]
fn of_untrusted_files_what_exempts_itself_is_listed() {
    let folder = Folder::with(&[("AGENTS.md", crate::folder::FORBIDDEN)]);
    let line = "  6:1  exempt   rm-rf  ";
    let ran = folder.run(&["check", "--untrusted"]);
    assert!(ran.status == 0 && ran.stdout.contains(line), "{ran:?}");
    assert!(!folder.run(&["check"]).stdout.contains(line));
}

#[test]
fn settings_that_let_an_agent_act_unasked_are_found() {
    let settings = "{\n  \"enableAllProjectMcpServers\": true,\n  \"permissions\": {\n    \"defaultMode\": \"bypassPermissions\"\n  }\n}\n";
    let folder = Folder::with(&[(".claude/settings.json", settings)]);
    let found = findings(&folder.report(&[]).0);
    assert_eq!(found, [".claude/settings.json skip-approval reported"; 2]);
    folder
        .write(".claude/settings.json", settings.replace("true", "false").replace("bypassP", "p").as_bytes());
    assert_eq!(findings(&folder.report(&[]).0), [""; 0]);
}
