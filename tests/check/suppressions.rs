//! Suppressions from the outside: what they change in reports and statuses, and what never leaves the document.

use serde_json::json;

use crate::folder::{Folder, findings};

/// A document whose only finding is suppressed to the end of 2026, for a reason with a word that stands nowhere else.
const ACCEPTED: &str = "# Tidy\n\n<!-- caveat-allow rm-rf, sudo expires=2026-12-31 reason=\"qzw7\" -->\n\n\
    ```sh\nsudo rm -rf /srv/data\n```\n";

#[test]
fn a_suppressed_finding_fails_nothing_and_is_counted() {
    let folder = Folder::with(&[("AGENTS.md", ACCEPTED)]);
    let (report, status) = folder.report(&["--today", "2026-12-31", "--fail-on", "warning"]);
    assert_eq!(status, 0);
    let one = &report["findings"][0];
    assert_eq!((&one["rule"], &one["status"]), (&json!("rm-rf"), &json!("suppressed")));
    let by = json!({"scope": "block", "line": 3, "rules": ["rm-rf", "sudo"], "expires": "2026-12-31"});
    assert_eq!(one["suppression"], by);
    assert_eq!(report["summary"]["suppressed"], 1);
    assert_eq!(one["data"]["also"], json!(["sudo"]), "which yields to it, and is needed");
    assert_eq!(report["summary"]["reported"], 0);

    let ran = folder.run(&["check", "--today", "2026-12-31"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(ran.stdout.contains("1 suppressed") && !ran.stdout.contains("unused"), "{ran:?}");
    assert!(!ran.stdout.contains(":6"), "what is suppressed is not listed: {ran:?}");
}

#[test]
fn the_day_after_its_last_it_is_reported_again() {
    let folder = Folder::with(&[("AGENTS.md", ACCEPTED)]);
    let (report, status) = folder.report(&["--today", "2027-01-01"]);
    assert_eq!(findings(&report), ["AGENTS.md suppression-expired reported", "AGENTS.md rm-rf reported"]);
    assert_eq!(status, 1);
}

#[test]
fn the_reason_is_printed_nowhere() {
    let folder = Folder::with(&[("AGENTS.md", ACCEPTED)]);
    for today in ["2026-12-31", "2027-01-01"] {
        for format in ["text", "json"] {
            let ran = folder.run(&["check", "--format", format, "--today", today]);
            assert!(!ran.stdout.contains("qzw7") && !ran.stderr.contains("qzw7"), "{ran:?}");
        }
    }
    let ran = folder.run(&["explain", "AGENTS.md:6"]);
    let by = "Suppressed by the comment on line 3, which covers lines 5 to 7.";
    assert_eq!(ran.stdout.contains(by), ran.stdout.contains("suppressed: "), "{ran:?}");
    let ran = folder.run(&["explain", "AGENTS.md:3"]);
    assert!(ran.stdout.contains("rm-rf on lines 5 to 7") && !ran.stdout.contains("qzw7"), "{ran:?}");
}

#[test]
fn a_day_that_the_calendar_has_not_is_said_to_be_none() {
    let text = ACCEPTED.replace("2026-12-31", "2027-02-30");
    let folder = Folder::with(&[("AGENTS.md", text)]);
    let ran = folder.run(&["check"]).stdout;
    assert!(ran.contains("this is no day of the calendar"), "{ran}");
}
