//! Folders as people have them, and what a scan of each would read.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::*;

/// A folder with these files in it; a name that ends in `/` is a folder, a content `-> x` a link to `x`.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        match content.strip_prefix("-> ") {
            _ if name.ends_with('/') => fs::create_dir_all(&path).expect("a folder"),
            Some(target) => link(target, &path),
            None => fs::write(&path, content).expect("a file"),
        }
    }
    folder
}

#[cfg(unix)]
fn link(target: &str, path: &Path) {
    std::os::unix::fs::symlink(target, path).expect("a link");
}
#[cfg(not(unix))]
fn link(target: &str, path: &Path) {
    fs::write(path, target).expect("what git writes for a link");
}

fn request(folder: &TempDir, paths: &[&str]) -> Request {
    Request {
        paths: paths.iter().map(PathBuf::from).collect(),
        current: folder.path().to_path_buf(),
        ..Request::default()
    }
}

/// One line for each file and each thing that was not read.
fn told(request: Request) -> Vec<String> {
    let plan = match plan(request) {
        Ok(plan) => plan,
        Err(error) => return vec![error.to_string()],
    };
    let role = |target: &Target| match target.role {
        Role::Instructions => "instructions",
        Role::Runbook => "runbook",
        Role::Reference { declared: true } => "reference",
        Role::Reference { declared: false } => "-",
    };
    let files = plan.targets.iter().map(|target| format!("{} {}", target.name, role(target)));
    let skipped = plan.skipped.iter().map(|skipped| {
        let needed = if skipped.needed { " needed" } else { "" };
        format!("! {} {}{needed}", skipped.name, skipped.unread.reason.name())
    });
    files.chain(skipped).collect()
}

#[track_caller]
fn check(files: &[(&str, &str)], paths: &[&str], expected: &[&str]) {
    let folder = folder(files);
    assert_eq!(told(request(&folder, paths)), expected);
}

#[test]
fn a_folder_scan_reads_what_is_somebodys_business() {
    check(
        &[
            ("AGENTS.md", "a"),
            (".cursorrules", "a"),
            (".github/copilot-instructions.md", "a"),
            ("docs/notes.txt", "a"),
            ("runbooks/db.md", "a"),
            ("src/main.rs", "a"),
            ("Makefile", "a"),
            (".git/info.md", "a"),
        ],
        &[],
        &[
            ".cursorrules instructions",
            ".github/copilot-instructions.md instructions",
            "AGENTS.md instructions",
            "docs/notes.txt -",
            "runbooks/db.md runbook",
        ],
    );
}

#[test]
fn ignored_files_are_read_when_named() {
    let files = [(".gitignore", "*.md\n"), ("a/.ignore", "x.txt"), ("AGENTS.md", "a"), ("a/x.txt", "a")];
    check(&files, &["."], &[]);
    check(&files, &["AGENTS.md", "a/x.txt"], &["AGENTS.md instructions", "a/x.txt -"]);
    let folder = folder(&files);
    let all = Request { no_ignore: true, ..request(&folder, &[]) };
    assert_eq!(told(all), ["AGENTS.md instructions", "a/x.txt -"]);
}

#[test]
fn ignore_files_above_hold_within_a_repository_and_not_for_a_named_folder() {
    let files = [
        (".git/HEAD", "x"),
        (".gitignore", "/sub/out/\n*.txt"),
        ("sub/out/a.md", "a"),
        ("sub/b.md", "a"),
        ("sub/c.txt", "a"),
    ];
    check(&files, &["sub"], &["b.md -"]);
    check(&files, &["sub/out"], &["a.md -"]);
    check(&files[1..], &["sub"], &["b.md -", "c.txt -", "out/a.md -"]);
}

#[test]
fn excluded_files_are_not_read() {
    let files = [("a.md", "a"), ("b.md", "a"), ("c/d.md", "a"), ("caveat.toml", "exclude = ['c/']")];
    check(&files, &[], &["a.md -", "b.md -", "caveat.toml -"]);
    check(&files, &["c/d.md"], &["c/d.md -"]);
    let folder = folder(&files);
    let exclude = Globs::new(["b.md", "*.toml"]).expect("globs");
    assert_eq!(told(Request { exclude, ..request(&folder, &[]) }), ["a.md -"]);
}

#[test]
fn a_link_is_read_once_under_its_targets_name_with_the_links_role() {
    check(&[("AGENTS.md", "a"), ("CLAUDE.md", "-> AGENTS.md")], &[], &["AGENTS.md instructions"]);
    check(&[("guide.md", "a"), ("CLAUDE.md", "-> guide.md")], &[], &["guide.md instructions"]);
    check(&[("guide.md", "a"), ("CLAUDE.md", "-> guide.md")], &["CLAUDE.md"], &["guide.md instructions"]);
    check(
        &[("guide.md", "a"), ("CLAUDE.md", "-> guide.md")],
        &["guide.md", "CLAUDE.md"],
        &["guide.md instructions"],
    );
    check(&[("p/x.md", "a"), (".claude/commands", "-> ../p")], &[], &["p/x.md instructions"]);
    check(
        &[("p/q/x.md", "a"), (".claude/commands", "-> ../p"), ("p/q/y.md", "-> x.md")],
        &[],
        &["p/q/x.md instructions"],
    );
    check(
        &[("x.md", "a"), ("n/l", "-> /"), ("caveat.toml", "exclude = ['n/']")],
        &[],
        &["caveat.toml -", "x.md -"],
    );
    check(
        &[("CLAUDE.md", "-> gone.md"), ("x.md", "-> gone.md")],
        &[],
        &["! CLAUDE.md link-broken needed", "! x.md link-broken"],
    );
    check(&[("CLAUDE.md", "-> CLAUDE.md")], &["CLAUDE.md"], &["! CLAUDE.md link-broken needed"]);
}

#[test]
fn a_file_that_is_a_path_counts_as_a_link() {
    check(&[("AGENTS.md", "a"), ("CLAUDE.md", "AGENTS.md")], &[], &["AGENTS.md instructions"]);
    check(&[("docs/a.md", "a"), ("CLAUDE.md", "docs/a.md")], &[], &["docs/a.md instructions"]);
    check(&[("docs/a.md", "a"), ("CLAUDE.md", "docs/a.md\n")], &["CLAUDE.md"], &["docs/a.md instructions"]);
    check(
        &[("AGENTS.md", "a"), ("CLAUDE.md", "gone.md")],
        &[],
        &["AGENTS.md instructions", "CLAUDE.md instructions"],
    );
    check(&[("a.md", "b.md"), ("b.md", "a.md")], &[], &["! a.md link-broken", "! b.md link-broken"]);
}

#[test]
fn a_file_that_is_the_path_of_a_folder_counts_as_a_link_to_it() {
    check(&[("p/x.md", "a"), (".claude/commands", "../p")], &[], &["p/x.md instructions"]);
    check(&[("p/x.md", "a"), ("LICENSE", "p")], &[], &["p/x.md -"]);
}

#[test]
fn included_files_are_read_and_instruct_nobody() {
    let config = "include = ['tools/*.sh']";
    let files = [("tools/a.sh", "a"), ("b.sh", "a"), ("caveat.toml", config)];
    check(&files, &[], &["caveat.toml -", "tools/a.sh -"]);
}

#[test]
fn a_link_that_leads_out_is_told() {
    let outside = folder(&[("x.md", "a"), ("d/y.md", "a")]);
    let inside = folder(&[("a.md", "a")]);
    link(&outside.path().join("x.md").to_string_lossy(), &inside.path().join("CLAUDE.md"));
    link(&outside.path().join("d").to_string_lossy(), &inside.path().join("d"));
    link(&outside.path().join("x.md").to_string_lossy(), &inside.path().join("prog"));
    let expected = ["a.md -", "! CLAUDE.md link-outside needed", "! d link-outside"];
    assert_eq!(told(request(&inside, &[])), expected);
    assert_eq!(told(request(&inside, &["CLAUDE.md"])), ["CLAUDE.md instructions"]);
}

#[test]
fn names_count_from_the_scanned_root() {
    let files = [("p/q/a.md", "a"), ("p/r/b.md", "a")];
    check(&files, &["p"], &["q/a.md -", "r/b.md -"]);
    check(&files, &["p/q", "p/r/b.md"], &["p/q/a.md -", "p/r/b.md -"]);
    let (outside, current) = (folder(&files), folder(&[]));
    let paths = ["q", "r/b.md"].iter().map(|path| outside.path().join("p").join(path)).collect();
    let request = Request { paths, current: current.path().to_path_buf(), ..Request::default() };
    assert_eq!(told(request), ["q/a.md -", "r/b.md -"]);
}

#[test]
fn a_folder_of_runbooks_is_one_when_it_is_scanned_by_itself() {
    let files = [("runbooks/db.md", "a")];
    check(&files, &["runbooks"], &["db.md runbook"]);
    let outer = folder(&files);
    let request = Request { current: outer.path().join("runbooks"), ..Request::default() };
    assert_eq!(told(request), ["db.md runbook"]);
}

#[test]
fn the_nearest_configuration_holds_and_stops_at_the_repository() {
    let files = [
        ("caveat.toml", "roles.reference = ['AGENTS.md', '*.md']"),
        ("AGENTS.md", "a"),
        ("repo/.git/HEAD", "x"),
        ("repo/AGENTS.md", "a"),
        ("repo/n/caveat.toml", "roles.runbook = ['ops/*.md']"),
        ("repo/n/ops/a.md", "a"),
        ("repo/n/deep/ops/a.md", "a"),
    ];
    check(
        &files,
        &["repo"],
        &["AGENTS.md instructions", "n/caveat.toml -", "n/deep/ops/a.md -", "n/ops/a.md runbook"],
    );
    check(&files, &["AGENTS.md"], &["AGENTS.md reference"]);
    check(&files, &["AGENTS.md", "repo/AGENTS.md"], &["AGENTS.md reference", "repo/AGENTS.md instructions"]);
    let folder = folder(&files);
    let role = Some(Role::Runbook);
    assert_eq!(told(Request { role, ..request(&folder, &["AGENTS.md"]) }), ["AGENTS.md runbook"]);
}

#[test]
fn a_wrong_configuration_is_told_with_its_place() {
    let folder = folder(&[("a.md", "a"), ("x/caveat.toml", "label = []"), ("x/a.md", "a")]);
    let file = folder.path().canonicalize().expect("a path").join("x/caveat.toml");
    let expected =
        format!("{}:1:1: there is no such key at the top level; did you mean `labels`?", file.display());
    assert_eq!(told(request(&folder, &[])), [expected]);
    assert_eq!(told(request(&folder, &["a.md"])), ["a.md -"]);
}

#[test]
fn what_is_not_there_is_an_error_and_an_empty_folder_is_not() {
    check(&[], &["gone\u{1b}[2J.md"], &["no such file or folder: gone\\u{1b}[2J.md"]);
    check(&[], &[], &[]);
    check(&[], &["."], &[]);
}

#[test]
fn lockfiles_and_the_like_are_marked_unless_they_instruct() {
    let folder = folder(&[("pnpm-lock.yaml", "a"), ("a.min.svg", "a"), (".cursor/rules/a.min.mdc", "a")]);
    let plan = plan(request(&folder, &[])).expect("a plan");
    let marked: Vec<_> = plan.targets.iter().map(|target| (target.name.as_str(), target.generated)).collect();
    assert_eq!(marked, [(".cursor/rules/a.min.mdc", false), ("a.min.svg", true), ("pnpm-lock.yaml", true)]);
}

#[cfg(unix)]
#[test]
fn pipes_are_told_and_never_opened() {
    let folder = folder(&[("a.md", "a")]);
    let pipe = folder.path().join("AGENTS.md");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    if made.is_ok_and(|status| status.success()) {
        assert_eq!(told(request(&folder, &[])), ["a.md -", "! AGENTS.md unreadable needed"]);
        assert_eq!(read::read(&pipe, 10).map_err(|unread| unread.reason), Err(SkipReason::Unreadable));
    }
}

/// Folders are walked in parallel, and each thread asks for what holds where it is.
#[test]
fn one_configuration_is_one_however_many_ask_at_once() {
    let names: Vec<String> = (0..64).map(|at| format!("d{}/", at % 8)).collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
    files.push(("caveat.toml", "include = ['*.tool']\n"));
    let folder = folder(&files);
    let root = folder.path().canonicalize().expect("a path");
    for _ in 0..50 {
        let project = Project::new(root.clone());
        let start = std::sync::Barrier::new(8);
        std::thread::scope(|scope| {
            for at in 0..8 {
                let (project, start, folder) = (&project, &start, root.join(format!("d{at}")));
                scope.spawn(move || {
                    start.wait();
                    project.settings_in(&folder).expect("it holds");
                });
            }
        });
        assert_eq!(project.configurations().len(), 1);
    }
}
