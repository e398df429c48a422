//! Repositories that are shallow, partial, sparse or hostile.

use super::{DAY, apply, commit, compared, git, repository};
use crate::folder::{CALM, FORBIDDEN, Folder, GIVEN, WARNED};

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
