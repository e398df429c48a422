//! The pages about caveat, held to what is: the README shows what the binary prints, the architecture names tests.
//!
//! A line `<!-- printed by: caveat ARGUMENTS (status N) -->` stands above each block of output in README.md; here it is
//! run again and compared. With `UPDATE_README=1` in the environment the blocks are written anew instead.

use std::path::Path;
use std::process::Command;

const OPENER: &str = "<!-- printed by: caveat ";

/// What the binary prints to standard output for `arguments`, and its status.
fn run(arguments: &str) -> (String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_caveat"))
        .args(arguments.split(' '))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("NO_COLOR", "1")
        .output()
        .expect("the binary starts");
    (String::from_utf8(output.stdout).expect("the output is UTF-8"), output.status.code())
}

#[test]
fn readme_shows_what_is_printed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = std::fs::read_to_string(&path).expect("README.md can be read");
    let mut renewed = String::new();
    let mut blocks = 0;
    let mut lines = readme.split_inclusive('\n');
    while let Some(line) = lines.next() {
        renewed.push_str(line);
        let Some(call) = line.strip_prefix(OPENER) else { continue };
        blocks += 1;
        let (arguments, status) = call.split_once(" (status ").expect("a call names its status");
        let status: i32 = status.trim_end().trim_end_matches(") -->").parse().expect("a status is a number");
        let (printed, actual) = run(arguments);
        assert_eq!(actual, Some(status), "caveat {arguments}");
        let opener = lines.by_ref().find(|line| {
            renewed.push_str(line);
            line.starts_with("```")
        });
        assert!(opener.is_some(), "no block below the call of caveat {arguments}");
        renewed.push_str(&printed);
        let closer = lines.by_ref().find(|line| line.trim_end() == "```").expect("the block closes");
        renewed.push_str(closer);
    }
    assert!(blocks > 0, "README.md shows no output");
    if std::env::var_os("UPDATE_README").is_some() {
        std::fs::write(&path, renewed).expect("README.md can be written");
        return;
    }
    assert_eq!(readme, renewed, "README.md is out of date: UPDATE_README=1 cargo test --test prose");
}

#[test]
fn the_configuration_in_the_readme_holds() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"));
    let readme = readme.expect("README.md can be read");
    let (_, block) = readme.split_once("```toml\n").expect("README.md shows a configuration");
    let (block, _) = block.split_once("```").expect("the block closes");
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("caveat.toml"), block).expect("a file");
    std::fs::write(folder.path().join("AGENTS.md"), "Run `fleetctl wipe --all`.\n").expect("a file");
    let ran = Command::new(env!("CARGO_BIN_EXE_caveat"))
        .args(["check", "--today", "2027-01-01"])
        .current_dir(folder.path())
        .output()
        .expect("the binary starts");
    let (out, told) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert_eq!(ran.status.code(), Some(1), "{told}");
    // There are none of the files that it is about.
    let told: Vec<&str> =
        told.lines().filter(|line| !line.ends_with("matches no file that is read")).collect();
    assert!(out.contains("project-command") && told.is_empty(), "{out}{told:?}");
}

/// Every Rust file of the repository, with its text.
fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).expect("a folder can be read") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).expect("a source is UTF-8");
            let root = Path::new(env!("CARGO_MANIFEST_DIR"));
            let name = path.strip_prefix(root).expect("a path below the root").to_string_lossy().into_owned();
            found.push((name, text));
        }
    }
}

/// `server/ARCHITECTURE.md` names, for each invariant, the tests that hold it: `` `file.rs: test_name` ``.
#[test]
fn the_tests_named_by_the_architecture_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("server/ARCHITECTURE.md")).expect("the page can be read");
    let mut files = Vec::new();
    sources(&root.join("server"), &mut files);
    sources(&root.join("tests"), &mut files);
    let named: Vec<(&str, &str)> =
        page.split('`').skip(1).step_by(2).filter_map(|span| span.split_once(".rs: ")).collect();
    assert!(!named.is_empty(), "the page names no test");
    for (file, test) in named {
        let file = format!("{file}.rs");
        let (_, text) = files
            .iter()
            .find(|(name, _)| *name == file)
            .unwrap_or_else(|| panic!("server/ARCHITECTURE.md names {file}, which is not there"));
        let found = text.contains(&format!("fn {test}("));
        assert!(found, "server/ARCHITECTURE.md names the test {test}, which is not in {file}");
    }
}

/// The files and headings that README.md links to are there.
#[test]
fn the_links_of_the_readme_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).expect("README.md can be read");
    let links: Vec<&str> =
        readme.split("](").skip(1).map(|rest| rest.split(')').next().unwrap_or_default()).collect();
    assert!(!links.is_empty(), "README.md links to nothing");
    let anchor = |heading: &str| -> String {
        let words = heading.trim_start_matches('#').trim().to_lowercase();
        words
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
            .collect::<String>()
            .replace(' ', "-")
    };
    let headings: Vec<String> = readme.lines().filter(|line| line.starts_with('#')).map(anchor).collect();
    for link in links {
        if let Some(heading) = link.strip_prefix('#') {
            assert!(
                headings.iter().any(|known| known == heading),
                "README.md links to {link}, which is no heading"
            );
            continue;
        }
        assert!(root.join(link).exists(), "README.md links to {link}, which is not there");
    }
}
