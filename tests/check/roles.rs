//! What agents and operators act on without anybody naming it, and how it is read: the real binary over a folder.

use crate::folder::{CALM, Folder, GIVEN, findings};

/// A dangerous command as a script, and as a value of records.
const SCRIPT: &str = "#!/bin/sh\n# BAD\nrm -rf /srv/data\n";
const COMMAND: &str = "{\"command\": \"rm -rf /srv/data\"}\n";
const YAML: &str = "steps:\n  - run: rm -rf /srv/data\n";

#[test]
fn what_agents_and_operators_act_on_is_read_by_default() {
    let notebook = r#"{"cells": [{"cell_type": "code", "source": ["!rm -rf \\\n", "  /srv/data\n"]}]}"#;
    let files = [
        (".claude/hooks/guard.sh", SCRIPT),
        (".claude/hooks/stop", SCRIPT),
        (".crush.json", COMMAND),
        (".cursor/BUGBOT.md", GIVEN),
        (".cursor/environment.json", "{\"install\": \"rm -rf /srv/data\"}"),
        (".gemini/commands/end.toml", "prompt = \"Look at !{rm -rf /srv/data}.\"\n"),
        (".github/workflows/copilot-setup-steps.yml", YAML),
        (".kiro/hooks/docs.kiro.hook", COMMAND),
        (".kiro/steering/tech.md", GIVEN),
        (".openhands/microagents/repo.yaml", YAML),
        (".openhands/setup.sh", SCRIPT),
        (".vscode/settings.json", COMMAND),
        (".vscode/tasks.json", r#"{"tasks": [{"command": "rm", "args": [{"value": "-rf"}, "/srv/data"]}]}"#),
        (".windsurf/mcp.json", COMMAND),
        (".zed/tasks.json", "[{\"command\": \"rm\", \"args\": [\"-rf\", \"/srv/data\"]}]"),
        ("MEMORY.md", GIVEN),
        ("runbooks/a.csv", "step,what\n1,rm -rf /srv/data\n"),
        ("runbooks/a.html", "<p>Run <code>rm -rf /srv/data</code>.</p>\n"),
        ("runbooks/a.ipynb", notebook),
        ("runbooks/a.jsonl", COMMAND),
        ("runbooks/a.org", "* Restore\n#+BEGIN_SRC sh\nrm -rf /srv/data\n#+END_SRC\n"),
        ("runbooks/a.ps1", "# BAD\nrm -rf /srv/data\n"),
        ("skills/pdf/references/forms.md", GIVEN),
        ("skills/pdf/scripts/fill.py", "import os\nos.system('rm -rf /srv/data')\n"),
    ];
    let folder = Folder::with(&files);
    let (report, status) = folder.report(&[]);
    let mut told: Vec<String> = findings(&report);
    told.dedup();
    let mut expected: Vec<String> = files.iter().map(|(name, _)| format!("{name} rm-rf reported")).collect();
    expected.sort();
    assert_eq!((told, status), (expected, 1));
    let graver = |f: &serde_json::Value| f["severity"] == "error" && f["stance"] == "given";
    assert!(report["findings"].as_array().unwrap().iter().all(graver), "{report}");
}

/// A skill need not stand in a folder of skills: its SKILL.md says that it is one.
#[test]
fn what_stands_beside_a_skill_is_of_the_skill() {
    let folder = Folder::with(&[
        ("pdf/SKILL.md", CALM),
        ("pdf/scripts/deep/fill.sh", SCRIPT),
        ("pdf/references/forms.md", GIVEN),
        ("pdf/assets/forms.md", GIVEN),
        ("docs/references/forms.md", GIVEN),
        ("scripts/fill.sh", SCRIPT),
    ]);
    let expected = ["pdf/references/forms.md rm-rf reported", "pdf/scripts/deep/fill.sh rm-rf reported"];
    assert_eq!(findings(&folder.report(&[]).0), expected);
}

/// A program that somebody declares is read as one, whatever its language.
#[test]
fn programs_with_a_role_are_read_as_programs() {
    let recipe = "# BAD\nclean:\n\t@rm -rf /srv/data\n";
    let files = [
        ("Dockerfile", "FROM debian\n# BAD\nRUN rm -rf /srv/data\n"),
        ("Makefile", recipe),
        ("a.bash", SCRIPT),
        ("a.js", "// BAD\nexecSync('rm -rf /srv/data');\n"),
        ("a.mk", recipe),
        ("a.py", "# BAD\nsubprocess.run(\n    ['rm', '-rf', '/srv/data'],\n)\n"),
        ("a.rb", "# BAD\nsystem('rm -rf /srv/data')\n"),
        ("a.sh", SCRIPT),
        ("a.zsh", SCRIPT),
        ("b", SCRIPT),
        ("c", "#!/usr/bin/env python3\n# BAD\nos.system('rm -rf /srv/data')\n"),
    ];
    let folder = Folder::with(&files);
    let names: Vec<String> = files.iter().map(|(name, _)| format!("'{name}'")).collect();
    folder.write("caveat.toml", format!("roles.instructions = [{}]", names.join(", ")).as_bytes());
    let report = folder.report(&[]).0;
    let expected: Vec<String> = files.iter().map(|(name, _)| format!("{name} rm-rf reported")).collect();
    assert_eq!(findings(&report), expected);
    assert!(report["findings"].as_array().unwrap().iter().all(|f| f["severity"] == "error"), "{report}");
}

/// What a file that instructs brings in is obeyed as that file is.
#[test]
fn what_is_imported_instructs_as_its_importer_does() {
    let folder = Folder::with(&[
        ("CLAUDE.md", "See @docs/style.md and @scripts/setup.sh, not `@docs/none.md`.\n\n@../outside.md\n"),
        ("docs/style.md", "Then @more/deep.md.\n\nRun `rm -rf /srv/data`.\n"),
        ("docs/more/deep.md", GIVEN),
        ("docs/none.md", GIVEN),
        ("scripts/setup.sh", SCRIPT),
        ("a/AGENTS.md", "@b.txt\n"),
        ("a/b.txt", GIVEN),
        ("a/c.txt", GIVEN),
    ]);
    let expected = [
        "a/b.txt rm-rf reported",
        "docs/more/deep.md rm-rf reported",
        "docs/style.md rm-rf reported",
        "scripts/setup.sh rm-rf reported",
    ];
    assert_eq!(findings(&folder.report(&[]).0), expected);
    // The project's own word goes before.
    folder.write("caveat.toml", b"roles.reference = ['docs/']");
    let (report, _) = folder.report(&["docs"]);
    assert!(report["findings"].as_array().unwrap().iter().all(|f| f["severity"] == "info"), "{report}");
}
