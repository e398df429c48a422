//! Every way in which a `caveat.toml` can be wrong, with its place and our words for it.

use std::path::Path;

use caveat_analysis::catalogue::{Catalogue, Severity};
use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::keys::{KEYS, find, suggest};
use super::*;

#[track_caller]
fn check(text: &str, expected: Expect) {
    let told = match parse(text, Path::new("caveat.toml")) {
        Ok(_) => "ok".to_owned(),
        Err(error) => error.to_string(),
    };
    expected.assert_eq(&told);
}

#[test]
fn a_whole_configuration_is_read() {
    let config = parse(
        "labels = ['Retired commands:']\ninclude = ['*.sh']\nexclude = ['vendor/']\n[roles]\ninstructions = ['a.md']\n\
         runbook = ['ops/**']\nreference = ['docs']\n[limits]\nmax-file-bytes = 1000\n",
        Path::new("caveat.toml"),
    )
    .expect("valid");
    assert_eq!(config.labels[0].get_ref(), "Retired commands:");
    assert_eq!(config.roles.runbook[0].get_ref(), "ops/**");
    assert_eq!(config.max_file_bytes(), 1000);
    check("", expect!["ok"]);
    check("[roles]\n[limits]\n", expect!["ok"]);
}

#[test]
fn unknown_keys_are_refused_with_the_key_that_was_meant() {
    check(
        "lables = []",
        expect!["caveat.toml:1:1: there is no such key at the top level; did you mean `labels`?"],
    );
    check(
        "[roles]\n  instruction = ['x']",
        expect!["caveat.toml:2:3: there is no such key in [roles]; did you mean `instructions`?"],
    );
    check(
        "[limits]\nmax_file_bytes = 3",
        expect!["caveat.toml:2:1: there is no such key in [limits]; did you mean `max-file-bytes`?"],
    );
    check("hunter2 = 'hunter2'", expect!["caveat.toml:1:1: there is no such key at the top level"]);
    check("[hunter2.hunter2]\nx = 1", expect!["caveat.toml:1:2: there is no such key at the top level"]);
}

#[test]
fn wrong_types_are_refused_with_what_the_key_takes() {
    check(
        "labels = 'hunter2'",
        expect!["caveat.toml:1:10: `labels` takes a list of strings, each one whole line"],
    );
    check(
        "labels = ['a', 7]",
        expect!["caveat.toml:1:16: `labels` takes a list of strings, each one whole line"],
    );
    check("roles = 'hunter2'", expect!["caveat.toml:1:9: `roles` takes a table of lists of globs"]);
    check(
        "[roles]\nrunbook = { a = 'hunter2' }",
        expect!["caveat.toml:2:11: `roles.runbook` takes a list of globs"],
    );
    check(
        "limits.max-file-bytes = '1 MiB'",
        expect!["caveat.toml:1:25: `limits.max-file-bytes` takes a whole number of bytes from 1 to 2097152"],
    );
    check(
        "limits.max-file-bytes = 2097153",
        expect!["caveat.toml:1:25: `limits.max-file-bytes` takes a whole number of bytes from 1 to 2097152"],
    );
    check(
        "limits.max-file-bytes = -1",
        expect!["caveat.toml:1:25: `limits.max-file-bytes` takes a whole number of bytes from 1 to 2097152"],
    );
}

#[test]
fn values_are_looked_at_too() {
    check(
        "exclude = ['ok', '[hunter2']",
        expect![
            "caveat.toml:1:18: this entry of `exclude` is not a glob: look for an unclosed `[` or `{`, or a lone `\\`"
        ],
    );
    check("labels = ['']", expect!["caveat.toml:1:11: a label is one whole line of 1 to 200 characters"]);
    check(
        "labels = [\"hunter2\\nhunter2\"]",
        expect!["caveat.toml:1:11: a label is one whole line of 1 to 200 characters"],
    );
}

#[test]
fn what_is_decided_about_rules_is_read() {
    let config = parse(
        "stance = 'off'\n[rules]\nsudo = 'error'\nmkfs = { severity = 'info' }\n\
         chmod-777 = { severity = 'off', reason = 'a sandbox' }\n\
         [[suppressions]]\nrule = 'rm-rf'\nreason = 'x'\nexpires = 2026-12-31\npaths = ['ops/*.md']\n\
         [[suppressions]]\nrule = 'openai-key'\nreason = 'a fake'\nexpires = '2026-12-30'\n\
         fingerprint = '0123456789abcdef0123456789abcdef'\n",
        Path::new("caveat.toml"),
    )
    .expect("valid");
    let of = |rule: &str| config.policy.of(Catalogue::get().by_name(rule).expect("a rule"));
    assert!(config.policy.no_stance);
    assert_eq!(of("sudo"), Some(Some(Severity::Error)));
    assert_eq!(of("mkfs"), Some(Some(Severity::Info)));
    assert_eq!((of("chmod-777"), of("rm-rf")), (Some(None), None));
    let [first, second] = &config.accepted[..] else { panic!("{config:?}") };
    assert_eq!((first.accepts.rule.name(), first.accepts.at.line), ("rm-rf", 5));
    assert_eq!(first.accepts.expires.to_string(), "2026-12-31");
    assert_eq!(first.paths.as_deref(), Some(&["ops/*.md".to_owned()][..]));
    assert_eq!(second.accepts.expires.to_string(), "2026-12-30");
    assert_eq!(second.accepts.fingerprint, Some(0x0123_4567_89ab_cdef_0123_4567_89ab_cdef));
}

#[test]
fn what_is_wrongly_decided_about_rules_is_told() {
    let suppression = |more: &str| format!("[[suppressions]]\nrule = 'rm-rf'\n{more}");
    let cases = [
        ("stance = 'hunter2'".to_owned(), "1:10: `stance` takes \"on\" or \"off\""),
        ("[rules]\nrm-fr = 'error'".to_owned(), "2:1: there is no such rule; did you mean `rm-rf`?"),
        ("[rules]\nhunter2 = 'error'".to_owned(), "2:1: there is no such rule"),
        ("rules.rm-rf = 'hunter2'".to_owned(), "1:15: `rules` takes for each rule"),
        ("rules.rm-rf = 'off'".to_owned(), "1:15: a rule is switched off with a reason"),
        ("rules.rm-rf = { severity = 'off' }".to_owned(), "1:28: a rule is switched off with a reason"),
        ("rules.rm-rf = { severity = 'off', reason = ' ' }".to_owned(), "1:44: a reason has 1 to 500"),
        ("rules.rm-rf = { reason = 'hunter2' }".to_owned(), "1:15: `severity` is missing here"),
        (
            "rules.rm-rf = { severity = 'info', raeson = 'hunter2' }".to_owned(),
            "1:36: there is no such key in [rules.*]; did you mean `reason`?",
        ),
        ("rules.scan-skipped = 'error'".to_owned(), "1:22: a notice is advisory: it cannot be an error"),
        ("suppressions = ['hunter2']".to_owned(), "1:17: `suppressions` takes a list of tables"),
        (suppression(""), "1:1: `reason` is missing here"),
        (suppression("reason = 'hunter2'"), "1:1: `expires` is missing here"),
        (suppression("reason = 'hunter2 -- x'"), "3:10: a reason has 1 to 500"),
        (suppression("reason = 'x'\nexpires = 'never'"), "4:11: a last day is written YYYY-MM-DD"),
        (
            suppression("reason = 'x'\nexpires = 2026-12-31T00:00:00Z"),
            "4:11: a last day is written YYYY-MM-DD",
        ),
        (
            suppression("reason = 'x'\nexpire = 2026-12-31"),
            "4:1: there is no such key in [[suppressions]]; did you mean `expires`?",
        ),
        (
            suppression("reason = 'x'\nexpires = 2026-12-31\npaths = ['hunter2[']"),
            "5:10: this entry of `suppressions.paths` is not a glob",
        ),
        (
            suppression("reason = 'x'\nexpires = 2026-12-31\nfingerprint = 'hunter2'"),
            "5:15: a fingerprint has 32 digits",
        ),
    ];
    for (text, expected) in cases {
        let error = parse(&text, Path::new("caveat.toml")).expect_err(&text).to_string();
        assert!(error.starts_with(&format!("caveat.toml:{expected}")), "{text}: {error}");
        assert!(!error.contains("hunter2"), "{error}");
    }
}

#[test]
fn what_is_no_toml_is_told_with_its_place() {
    check("labels = [", expect!["caveat.toml:1:11: this is not valid TOML here"]);
    check("a\n= hunter2", expect!["caveat.toml:1:2: this is not valid TOML here"]);
    check("labels = []\nlabels = []", expect!["caveat.toml:2:1: this key is given a second time"]);
    check(
        "exclude = []\n# é\nlabels = 'é' 'hunter2'",
        expect!["caveat.toml:3:14: this is not valid TOML here"],
    );
}

#[test]
fn a_file_name_cannot_write_to_the_terminal() {
    let error = parse("x = 1", Path::new("a\n\u{1b}[2J\u{202e}b")).expect_err("an unknown key");
    assert!(error.to_string().starts_with(r"a\n\u{1b}[2J\u{202e}b:1:1: "), "{error}");
}

#[test]
fn the_table_of_keys_is_that_of_the_structs() {
    for key in KEYS {
        // A table refuses a number, a list too: only if the key is known does the error name it.
        let error =
            parse(&format!("{} = 1979-05-27", key.path), Path::new("t")).expect_err("no key takes a date");
        assert_eq!(error.problem, Problem::WrongType { key: key.path, takes: key.takes });
        assert!(find(key.path).is_some());
    }
}

#[test]
fn suggestions_are_near_and_always_ours() {
    let keys = || ["labels", "roles", "limits"].into_iter();
    assert_eq!(suggest("Lables", keys()), Some("labels"));
    assert_eq!(suggest("limit", keys()), Some("limits"));
    assert_eq!(suggest("zebra", keys()), None);
    assert_eq!(suggest(&"l".repeat(100_000), keys()), None);
}

/// Keys and values that are nearly right, with a word that no message may hold.
fn nearly_a_configuration() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "labels",
        "roles",
        "instructions",
        "limits",
        "rules",
        "rm-rf",
        "stance",
        "suppressions",
        "rule",
        "max-file-bytes",
        "exclude",
        "hunter2",
        "=",
        "=",
        "[",
        "]",
        "{",
        "}",
        ",",
        ".",
        "\n",
        "\n",
        "'hunter2'",
        "\"hunter2\"",
        "'''",
        "\"\"\"",
        "#",
        "1979-05-27",
        "7",
        "true",
        "é",
        "\\",
        "\r",
        "\t",
        "😀",
    ]);
    prop::collection::vec(word, 0..24).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn whatever_is_written_is_read_or_told_without_quoting_it(text in nearly_a_configuration()) {
        if let Err(error) = parse(&text, Path::new("caveat.toml")) {
            let told = error.to_string();
            prop_assert!(!told.contains("hunter2") && !told.contains('é'), "{told}");
            prop_assert!(error.range.end <= text.len() && error.line <= text.matches('\n').count() + 1, "{error:?}");
        }
    }
}
