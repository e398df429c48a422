//! `check --fix`: what it writes, what it leaves alone, and what it says.

use std::fs;

use crate::folder::{Folder, findings};

const UNUSED: &str = "<!-- caveat-allow sudo expires=2026-08-30 reason=\"x\" -->\n";

#[test]
fn what_is_safe_is_fixed_and_the_status_is_of_what_remains() {
    let text =
        format!("\u{feff}# Deploy\n\n{UNUSED}\nText.\n\n```sh\ngit push --force\n").replace('\n', "\r\n");
    let calm = "# Calm\n";
    let folder = Folder::with(&[("AGENTS.md", text.as_str()), ("docs/SKILL.md", calm)]);
    let ran = folder.run(&["check", "--fix", "--today", "2026-06-01"]);
    assert_eq!(ran.status, 1, "the command is for a person: {ran:?}");
    assert_eq!(ran.stderr, "AGENTS.md: fixed: 2 findings (suppression-unused, unclosed-fence)\n");
    assert!(ran.stdout.contains("git-push-force") && !ran.stdout.contains("unclosed-fence"), "{ran:?}");
    let after = "\u{feff}# Deploy\n\n\nText.\n\n```sh\ngit push --force\n```\n".replace('\n', "\r\n");
    assert_eq!(fs::read_to_string(folder.path("AGENTS.md")).unwrap(), after);
    assert_eq!(fs::read_to_string(folder.path("docs/SKILL.md")).unwrap(), calm);
    let again = folder.run(&["check", "--fix", "--today", "2026-06-01"]);
    assert_eq!((again.status, again.stderr.as_str()), (1, ""));
    assert_eq!(fs::read_to_string(folder.path("AGENTS.md")).unwrap(), after);
    assert_eq!(fs::read_dir(folder.path(".")).unwrap().count(), 2, "nothing is left beside the files");
}

#[test]
fn reports_stay_what_their_format_says() {
    let folder = Folder::with(&[("AGENTS.md", format!("{UNUSED}\nText.\n\n```sh\ngit push -f\n"))]);
    let (report, status) = folder.report(&["--fix", "--today", "2026-06-01"]);
    assert_eq!(findings(&report), ["AGENTS.md git-push-force reported"]);
    assert_eq!(status, 1);
}

#[test]
fn what_nobody_asked_for_is_not_done() {
    let text = "Never run these commands:\n\n```sh\nrm -rf /srv/data\n\
                <!-- caveat-allow rm-rf expires=2026-05-31 reason=\"x\" -->\n";
    let folder = Folder::with(&[("AGENTS.md", text)]);
    let ran = folder.run(&["check", "--fix", "--today", "2026-06-01"]);
    // To close the fence would exempt the command.
    let told = "AGENTS.md: 1 fence not closed, because that would change what is reported of a command\n";
    assert_eq!((ran.status, ran.stderr.as_str()), (1, told));
    assert_eq!(fs::read_to_string(folder.path("AGENTS.md")).unwrap(), text);
    let ran = folder.run_with(&["check", "-", "--fix"], b"```\n");
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("`--fix` writes files"), "{ran:?}");
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_the_mode_stays() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::with(&[("docs/real.md", format!("{UNUSED}\nText.\n"))]);
    let real = folder.path("docs/real.md");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink("docs/real.md", folder.path("AGENTS.md")).unwrap();
    let ran = folder.run(&["check", "--fix", "--today", "2026-06-01", "--role", "instructions", "AGENTS.md"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(ran.stderr.contains("fixed: 1 finding (suppression-unused)"), "{ran:?}");
    assert!(folder.path("AGENTS.md").symlink_metadata().unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&real).unwrap(), "\nText.\n");
    assert_eq!(real.metadata().unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn utf_16_is_read_and_left_alone() {
    let text = format!("\u{feff}{UNUSED}\nText.\n");
    let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let folder = Folder::with(&[("AGENTS.md", bytes.as_slice())]);
    let (report, _) = folder.report(&["--fix", "--today", "2026-06-01"]);
    assert_eq!(findings(&report), ["AGENTS.md suppression-unused reported"]);
    assert_eq!(fs::read(folder.path("AGENTS.md")).unwrap(), bytes);
}
