//! The properties that hold of every fix in every container.

use proptest::prelude::*;

use super::{fresh, spliced, with_fixer};
use crate::catalogue::Severity;
use crate::fix::*;

/// Blocks with and without something to be found, and what may be put around them.
const BLOCKS: [&str; 22] = [
    "Some wo\u{200b}rd here.\n",
    "a \u{202e}b\u{202c}\nc\u{ad}d\n",
    "```sh\nrm -rf /srv/data\n```\n",
    "~~~~\ngit push -f\nls\n~~~~\n",
    "```sh\nchmod 777 x\n",
    "Run `git clean -fdx` first,\nthen `sudo ls`.\n",
    "- `rm -rf /srv/a`\n- text\n",
    "1. a\n2. `git push --force`\n\n   more\n",
    "| a | b |\n|---|---|\n| `rm -rf /srv/data` | x |\n",
    "    docker system prune -af\n",
    "## Use `npm publish`\n",
    "<div>\n`rm -rf /srv/data`\n</div>\n",
    "<!-- caveat-allow rm-rf, sudo expires=2026-08-30 reason=\"x\" -->\n",
    "<!-- caveat-allow rm-rf expires=2026-05-30 reason=\"x\" -->\n",
    "<!-- caveat-allow rm-fr expires=2026-08-30 reason=\"x\" -->\n",
    "You must never run these commands:\n",
    "Never run these commands:\n",
    "Plain text.\n",
    "Do not try `rm -rf /srv/x`.\n",
    "Instead of `sudo ls`, use `ls`.\n",
    "Never run these commands.\n",
    "Run `rm -rf /srv/y`. <!-- caveat-allow rm-rf expires=2026-08-30 reason=\"x\" -->\n",
];

fn around(block: &str, container: u8) -> String {
    let lines = |first: &str, rest: &str| -> String {
        let put = |(at, line): (usize, &str)| match (at, line) {
            (0, line) => format!("{first}{line}\n"),
            (_, "") if rest.trim().is_empty() => "\n".to_owned(),
            (_, line) => format!("{rest}{line}\n"),
        };
        block.lines().enumerate().map(put).collect()
    };
    match container {
        0 => lines("- ", "  "),
        1 => lines("> ", "> "),
        2 => lines("1. ", "   "),
        3 => lines("-\t", "\t"),
        4 => lines(">", ">"),
        5 => format!("- text\n\n{}", lines("  ", "  ")),
        6 => format!("* text\n{}", lines("  ", "  ")),
        _ => block.to_owned(),
    }
}

fn documents() -> impl Strategy<Value = String> {
    let block = (0..BLOCKS.len(), prop::collection::vec(0..10_u8, 0..3), 0..3_usize);
    let blocks = prop::collection::vec(block, 1..4);
    let front = prop::sample::select(vec![
        "",
        "",
        "",
        "\u{feff}",
        "---\nname: x\n---\n",
        "---\nrun: rm -rf /srv/x\nlist:\n  - sudo ls\n---\n",
    ]);
    (front, blocks, 0..3_u8, any::<bool>()).prop_map(|(front, blocks, end, last)| {
        let mut text = front.to_owned();
        for (block, containers, blank) in blocks {
            let block = containers.iter().fold(BLOCKS[block].to_owned(), |block, c| around(&block, *c));
            text.push_str(&block);
            text.push_str(&"\n".repeat(blank));
        }
        if !last {
            text.truncate(text.trim_end_matches('\n').len());
        }
        match end {
            0 => text.replace('\n', "\r\n"),
            _ => text,
        }
    })
}

fn reported(findings: &[Finding], rule: RuleId, least: Severity) -> usize {
    findings.iter().filter(|f| f.status == Status::Reported && f.rule == rule && f.severity >= least).count()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(400), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_fix_does_what_it_says_in_every_container(text in documents()) {
        let (before, plain, fixes) = with_fixer(&text, |fixer| {
            let fixes: Vec<(Finding, Fix)> = fixer
                .findings()
                .iter()
                .flat_map(|finding| fixer.fixes(finding).into_iter().map(|fix| (finding.clone(), fix)))
                .collect();
            let lazy = |finding: &Finding| {
                let lines = crate::scope::at(fixer.snapshot().blocks(), finding.span.line).unwrap().1;
                let mut lines = fixer.snapshot().records().iter_range(lines.start..finding.span.line + 1);
                lines.any(|record| record.line.flags.has(crate::lines::Flags::LAZY))
            };
            let plain: Vec<Finding> = fixer.findings().iter().filter(|finding| !lazy(finding)).cloned().collect();
            (fixer.findings().to_vec(), plain, fixes)
        });
        prop_assert_eq!(&before, &fresh(&text));
        for (finding, fix) in &fixes {
            let after = spliced(&text, &fix.edits);
            let found = fresh(&after);
            let shown = format!("{:?} of {}\n{text}\n=>\n{after}", fix.kind, finding.rule.name());
            // The finding is gone.
            let all = reported(&found, fix.rule, Severity::Info);
            prop_assert!(all < reported(&before, fix.rule, Severity::Info) || fix.kind == FixKind::Correct, "stays: {}", shown);
            // None is added.
            let may_add = matches!(fix.kind, FixKind::Renew | FixKind::Correct) && !fix.preferred;
            for other in &found {
                let count = |of: &[Finding]| reported(of, other.rule, other.severity);
                // What stood behind a finding comes to light when that is suppressed.
                let uncovered = matches!(fix.kind, FixKind::SuppressHere | FixKind::SuppressFile)
                    && before.iter().any(|one| one.rule == finding.rule && one.also.contains(&other.rule));
                prop_assert!(may_add || uncovered || count(&found) <= count(&before), "adds {}: {}", other.rule.name(), shown);
            }
            if fix.kind == FixKind::SuppressHere || fix.kind == FixKind::SuppressFile {
                let count = |of: &[Finding]| of.iter().filter(|f| f.status == Status::Suppressed).count();
                // What comes to light may absorb it.
                prop_assert!(
                    count(&found) > count(&before) || !finding.also.is_empty(),
                    "suppresses nothing: {}",
                    shown
                );
            }
            // Line ends stay of one kind.
            if text.contains("\r\n") {
                prop_assert_eq!(after.matches('\n').count(), after.matches("\r\n").count(), "{}", shown);
            } else {
                prop_assert!(!after.contains('\r'));
            }
            // Once it was made it is not offered again.
            let at = fix.edits.iter().filter(|edit| edit.range.end <= finding.span.offset).fold(
                finding.span.offset, |at, edit| at + edit.text.len() - edit.range.len(),
            );
            let again = with_fixer(&after, |fixer| {
                let here = fixer.findings().iter().filter(|other| other.rule == finding.rule && other.span.offset == at);
                here.flat_map(|other| fixer.fixes(other)).any(|other| other.kind == fix.kind)
            });
            prop_assert!(!again, "offered again: {}", shown);
        }
        // What may be suppressed in the document can be, save on and below a lazy line, which no comment reaches.
        // A comment between a line that forbids and its block would take the block out of it.
        let forbids = text.to_lowercase().contains("never run these commands");
        // Nor between the items of a list of which another one covers the whole.
        let covered = before.iter().any(|finding| finding.status == Status::Suppressed);
        let plain = plain.iter().filter(|_| !forbids && !covered);
        for finding in plain.filter(|f| f.status == Status::Reported && is_allowed_inline(f.rule)) {
            let has = |kind| fixes.iter().any(|(of, fix)| of == finding && fix.kind == kind);
            prop_assert!(has(FixKind::SuppressHere), "{} cannot be suppressed in line {} of\n{text}", finding.rule.name(), finding.span.line + 1);
            prop_assert!(has(FixKind::SuppressFile));
        }
    }

    #[test]
    fn what_is_safe_removes_its_findings_and_nothing_else(text in documents()) {
        let (before, edits, rules) = with_fixer(&text, |fixer| {
            let (edits, rules) = fixer.safe(usize::MAX);
            (fixer.findings().to_vec(), edits, rules)
        });
        prop_assert!(edits.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start));
        let after = spliced(&text, &edits);
        let found = fresh(&after);
        for rule in before.iter().chain(&found).map(|finding| finding.rule) {
            let gone = rules.iter().filter(|other| **other == rule).count();
            prop_assert_eq!(
                reported(&found, rule, Severity::Info) + gone,
                reported(&before, rule, Severity::Info),
                "{}\n{}\n=>\n{}", rule.name(), text, after
            );
        }
        // One that was taken out may leave another with nothing to answer for: it comes to an end.
        let mut last = after;
        for _ in 0..8 {
            let edits = with_fixer(&last, |fixer| fixer.safe(usize::MAX).0);
            last = spliced(&last, &edits);
        }
        prop_assert_eq!(with_fixer(&last, |fixer| fixer.safe(usize::MAX).0), Vec::new());
    }
}
