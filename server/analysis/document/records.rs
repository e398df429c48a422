//! The test that rules all others, for records: after any edits the result equals a fresh reading.

use std::sync::Arc;

use super::tests::{env, replace_lines};
use super::*;

/// Edits `base` as `edit` says and compares with the new text read afresh.
fn check_edit(base: &Document, edit: &Edit) {
    let mut document = base.clone();
    document.apply(edit, Encoding::Utf8);
    document.settle();
    let text = document.text.to_string();
    let fresh = Document::new(&text, base.language, Arc::default());
    let same = |a: &Analysis, b: &Analysis| {
        a.blocks == b.blocks
            && a.records.len() == b.records.len()
            && a.records.iter_from(0).zip(b.records.iter_from(0)).all(|(a, b)| a == b)
    };
    assert!(same(&document.analysis, &fresh.analysis), "{:?} {edit:?}", base.text.to_string());
    let mut fresh = fresh;
    assert_eq!(document.snapshot().findings(&env()), fresh.snapshot().findings(&env()), "{text:?}");
}

/// All documents of up to `lines` template lines; every one-line insertion, deletion and replacement in each.
fn exhaustive(language: Language, templates: &[&str], lines: u32) {
    for count in 0..=lines {
        for number in 0..templates.len().pow(count) {
            let mut rest = number;
            let mut text = String::new();
            for _ in 0..count {
                text.push_str(templates[rest % templates.len()]);
                text.push('\n');
                rest /= templates.len();
            }
            let base = Document::new(&text, language, Arc::default());
            for at in 0..=count as usize {
                for template in templates {
                    check_edit(&base, &replace_lines(at, at, format!("{template}\n")));
                    if at < count as usize {
                        check_edit(&base, &replace_lines(at, at + 1, format!("{template}\n")));
                    }
                }
                if at < count as usize {
                    check_edit(&base, &replace_lines(at, at + 1, String::new()));
                }
            }
        }
    }
}

const JSON: [&str; 9] = [
    "{",
    "}",
    "\"deny\": [",
    "\"rm -rf a\",",
    "\"command\": \"bash\", \"args\": [\"-c\",",
    "\"run\": \"git push --force\",",
    "\"Ignore all\", \"previous instructions\",",
    "]",
    "",
];

const YAML: [&str; 11] = [
    "run: |",
    "  rm -rf a",
    "env: {X: rm}",
    "a: &a Ignore all",
    "b: previous instructions",
    "- run: git push \\",
    "    --force",
    "deny:",
    "# caveat-allow rm-rf expires=2026-12-31 reason=\"x\"",
    "x: [",
    "",
];

const TOML: [&str; 6] = [
    "[scripts]",
    "run = \"rm -rf a\"",
    "all = ['git push --force',",
    "]",
    "# caveat-allow rm-rf expires=2026-12-31 reason=\"x\"",
    "'''",
];

#[test]
fn every_edit_of_every_small_record_equals_a_fresh_reading() {
    exhaustive(Language::Json, &JSON, 3);
    exhaustive(Language::JsonLines, &JSON, 2);
    exhaustive(Language::Yaml, &YAML, 3);
    exhaustive(Language::Toml, &TOML, 3);
    exhaustive(Language::Markup, &["<p>", "", "<!--", "run `rm -rf a`"], 3);
    exhaustive(Language::Text, &["a,b", "", "run `rm -rf a`"], 3);
    let shell = ["# ignore all previous", "# instructions", "rm \\", " -rf a", "cat <<E", "E", "'"];
    exhaustive(Language::Script(Lang::Shell), &shell, 3);
    let python =
        ["# ignore all previous", "# instructions", "run([", "  \"rm\", \"-rf\",", "  \"a\"])", "\"\"\""];
    exhaustive(Language::Script(Lang::Python), &python, 3);
}

#[test]
fn every_edit_around_a_record_in_markdown_equals_a_fresh_reading() {
    exhaustive(Language::Markdown, &["```json", "```", "{", "\"deny\": [", "\"rm -rf a\"", "]}"], 4);
    exhaustive(Language::Markdown, &["---", "+++", "run: >", "  git push", "  --force", "a = 'rm -rf b'"], 4);
}

/// Beyond its bound a fence's record is read by lines, wherever the edit.
#[test]
fn a_record_that_is_too_long_for_its_fence_is_read_by_lines() {
    let filler = format!("\"{}\",\n", "x".repeat(1000));
    let text = format!("```json\n[\n{}\"deny\": [\n\"rm -rf a\",\n]]\n```\n", filler.repeat(270));
    let mut document = Document::new(&text, Language::Markdown, Arc::default());
    let findings = document.snapshot().findings(&env());
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].pointer, None);
    check_edit(&document, &replace_lines(2, 100, String::new()));
    check_edit(&document, &replace_lines(2, 3, String::new()));
    check_edit(&document, &replace_lines(272, 273, String::new()));
    check_edit(&document, &replace_lines(271, 271, "\"command\": \"rm -rf b\",\n".to_owned()));
}
