//! Every way in which a `caveat.toml` can be wrong, with its place and our words for it.

use std::path::Path;

use caveat_analysis::catalogue::{Catalogue, Severity};
use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::keys::{KEYS, find};
use super::*;

mod own;

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
        expect!["caveat.toml:1:18: this entry of `exclude` is not a glob: a bracket in it is not closed"],
    );
    check(
        "labels = ['']",
        expect!["caveat.toml:1:11: a label is one whole line of 1 to 200 characters that ends in a colon"],
    );
    check(
        "labels = [\"hunter2\\nhunter2\"]",
        expect!["caveat.toml:1:11: a label is one whole line of 1 to 200 characters that ends in a colon"],
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
        (suppression("reason = 'hunter2 -- x'"), "3:10: a reason has no double dash"),
        (suppression("reason = 'x'\nexpires = 'never'"), "4:11: a last day is written YYYY-MM-DD"),
        (suppression("reason = 'x'\nexpires = '2026-02-30'"), "4:11: there is no such day in the calendar"),
        (suppression("reason = 'x'\nexpires = 2026-02-30"), "4:11: there is no such day in the calendar"),
        (suppression("reason = ['hunter2']"), "3:10: `suppressions.reason` takes a string"),
        (
            suppression("reason = 'x'\nexpires = 2026-12-31\npaths = 'hunter2'"),
            "5:9: `suppressions.paths` takes a list of globs",
        ),
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
            suppression("reason = 'x'\nexpires = 2026-12-31\npointer = 'hunter2'"),
            "5:11: a pointer is a JSON Pointer",
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
    check("labels = [", expect!["caveat.toml:1:11: the bracket that ends this list is missing"]);
    check("a\n= hunter2", expect!["caveat.toml:1:2: an equals sign and a value are missing here"]);
    for (text, expected) in [
        ("a = 2026-02-30", "1:5: there is no such day in the calendar"),
        ("a = 2026-13-01", "1:5: there is no such month: a date is written YYYY-MM-DD"),
        ("a = 2026-2-3", "1:5: a date is written YYYY-MM-DD"),
        (
            "a = 2026-02-01T25:00:00Z",
            "1:5: there is no such time: it is written HH:MM:SS, and a last day has none",
        ),
        ("a = hunter2", "1:5: a string stands in quotes"),
        ("a = \u{201c}hunter2\u{201d}", "1:5: a string stands in straight quotes"),
        ("a =", "1:4: a value is missing here"),
        ("a: hunter2", "1:4: an equals sign and a value are missing here"),
        ("= hunter2", "1:1: a key is missing before the equals sign"),
        ("hünter2 = 1", "1:2: a key with other characters than letters, digits, - and _ stands in quotes"),
        ("a = 'hunter2", "1:13: the quote that ends this string is missing"),
        ("a = \"hunter2", "1:13: the quote that ends this string is missing"),
        ("[hunter2", "1:9: the bracket that ends this header is missing"),
        ("[[hunter2]", "1:11: the two brackets that end this header are missing"),
        ("a = [1 2]", "1:6: a comma is missing between the entries"),
        ("a = ['hunter2' 'b']", "1:16: a comma is missing between the entries"),
        ("a = [1,,2]", "1:8: there is a comma too many"),
        ("a = {b = 1", "1:11: the brace that ends this table is missing"),
        ("a = True", "1:5: this value is written true or false, in lower case"),
        ("a = 01", "1:5: a number does not begin with 0"),
        ("a = 1 hunter2 = 2", "1:15: something follows here on the line that does not belong to it"),
        (r#"a = "\hunter2""#, "1:7: there is no such escape in TOML: in single quotes a backslash is itself"),
    ] {
        let error = parse(text, Path::new("caveat.toml")).expect_err(text).to_string();
        assert_eq!(error, format!("caveat.toml:{expected}"), "{text}");
    }
    check("labels = []\nlabels = []", expect!["caveat.toml:2:1: this key is given a second time"]);
    check(
        "exclude = []\n# é\nlabels = 'é' 'hunter2'",
        expect!["caveat.toml:3:14: something follows here on the line that does not belong to it"],
    );
}

#[test]
fn a_file_name_cannot_write_to_the_terminal() {
    let error = parse("x = 1", Path::new("a\n\u{1b}[2J\u{202e}b")).expect_err("an unknown key");
    assert!(error.to_string().starts_with(r"a\n\u{1b}[2J\u{202e}b:1:1: "), "{error}");
}

/// `key = value` where it may stand in a file.
fn line(path: &str, value: &str) -> String {
    let lists = ["commands.last_wins", "commands.safer", "commands.severity_when", "commands", "phrases"];
    match lists.into_iter().find(|list| path.starts_with(&format!("{list}."))) {
        Some(list) => {
            let outer = if list.contains('.') { "[[commands]]\n" } else { "" };
            format!("{outer}[[{list}]]\n{} = {value}\n", &path[list.len() + 1..])
        }
        None => format!("{path} = {value}\n"),
    }
}

#[test]
fn every_key_says_what_it_takes() {
    for key in KEYS.iter().filter(|key| !key.path.starts_with("suppressions.")) {
        // A table refuses a date, a list too: only if the key is known does the error name it.
        let error = parse(&line(key.path, "1979-05-27"), Path::new("t")).expect_err("no key takes a date");
        assert_eq!(error.problem, Problem::WrongType { key: key.path, takes: key.takes }, "{}", key.path);
        assert!(find(key.path).is_some());
    }
}

/// The dotted paths of the properties of `schema`, a part of `whole`.
fn paths(schema: &serde_json::Value, whole: &serde_json::Value, prefix: &str, out: &mut Vec<String>) {
    if let Some(name) = schema.get("$ref").and_then(|name| name.as_str()) {
        let part = whole.pointer(name.trim_start_matches('#')).expect("a reference leads somewhere");
        return paths(part, whole, prefix, out);
    }
    for (name, property) in schema.get("properties").and_then(|all| all.as_object()).into_iter().flatten() {
        let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
        paths(property, whole, &path, out);
        out.push(path);
    }
    // An optional table: itself, or null.
    let either = schema.get("anyOf").and_then(|either| either.as_array());
    if let Some([one, other]) = either.map(Vec::as_slice)
        && other.get("type").is_some_and(|kind| kind == "null")
    {
        paths(one, whole, prefix, out);
    }
    if let Some(items) = schema.get("items") {
        paths(items, whole, prefix, out);
    }
}

#[test]
fn the_keys_are_those_of_the_schema() {
    let schema = schema().to_value();
    let mut found = Vec::new();
    paths(&schema, &schema, "", &mut found);
    let mut known: Vec<&str> = KEYS.iter().map(|key| key.path).collect();
    found.sort();
    known.sort_unstable();
    assert_eq!(found, known);
}

/// The template with every setting taken in.
fn uncommented() -> String {
    let taken = |line: &str| {
        line.strip_prefix('#').filter(|rest| !rest.starts_with(' ') && !rest.is_empty()).map(str::to_owned)
    };
    template().lines().map(|line| taken(line).unwrap_or_else(|| line.to_owned()) + "\n").collect()
}

#[test]
fn the_template_says_nothing_as_it_is_and_everything_when_uncommented() {
    let file = Path::new("caveat.toml");
    let nothing = parse(template(), file).expect("valid");
    assert_eq!((nothing.labels.len(), nothing.accepted.len(), nothing.own), (0, 0, None));
    assert!(template().lines().all(|line| line.is_empty() || line.starts_with('#')));
    let all = parse(&uncommented(), file).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((all.labels.len(), all.accepted.len(), all.decisions.len()), (1, 1, 2));
    let own = all.own.expect("entries");
    assert_eq!(
        (own.commands()[0].id.as_str(), own.phrase_entries()[0].id.as_str()),
        ("fleet-wipe", "skip-review")
    );
    // All of the file's own keys; those of own entries are the catalogue's and many.
    for key in
        KEYS.iter().filter(|key| !key.path.starts_with("commands.") && !key.path.starts_with("phrases."))
    {
        let name = key.path.rsplit('.').next().expect("a name");
        let there =
            |line: &str| line.starts_with(&format!("{name} =")) || line.contains(&format!("[{name}]"));
        assert!(uncommented().lines().any(there), "{} is not explained", key.path);
    }
}

/// What `inner` comes to in a folder below `outer`.
fn nested(outer: &str, inner: &str) -> Result<Config, String> {
    let read = |text: &str, file: &str| parse(text, Path::new(file)).expect("valid by itself");
    let outer = read(outer, "caveat.toml");
    read(inner, "sub/caveat.toml").below(&outer).map_err(|error| error.to_string())
}

#[test]
fn a_nested_configuration_cannot_loosen_what_guards_the_reader() {
    let told = "rules about secrets and injections are loosened in the topmost caveat.toml or nowhere";
    let off = "openai-key = { severity = 'off', reason = 'x' }";
    let refused = [
        ("", format!("[rules]\nsudo = 'info'\n{off}"), "3:1"),
        ("", "rules.openai-key = 'warning'".to_owned(), "1:7"),
        (
            "",
            "[[suppressions]]\nrule = 'aws-access-key'\nreason = 'x'\nexpires = 2999-01-01".to_owned(),
            "2:8",
        ),
    ];
    for (outer, inner, place) in refused {
        assert_eq!(
            nested(outer, &inner).map(|_| ()),
            Err(format!("sub/caveat.toml:{place}: {told}")),
            "{inner}"
        );
    }
    let allowed = [
        ("", "rules.sudo = 'info'"),
        ("", "rules.openai-key = 'error'"),
        ("rules.openai-key = 'info'", "rules.openai-key = 'warning'"),
        ("", "[[suppressions]]\nrule = 'rm-rf'\nreason = 'x'\nexpires = 2999-01-01"),
    ];
    for (outer, inner) in allowed {
        assert!(nested(outer, inner).is_ok(), "{inner}");
    }
}

#[test]
fn reasons_are_kept_and_shown_unless_a_rule_fires_on_them() {
    let of = |reason: &str| {
        let text = format!("[[suppressions]]\nrule = 'mkfs'\nreason = '{reason}'\nexpires = 2999-01-01\n");
        parse(&text, Path::new("caveat.toml")).expect("valid").accepted.remove(0).reason
    };
    let good = of("the disk is a scratch disk");
    assert_eq!(shown(&good), Some("the disk is a scratch disk"));
    assert_eq!(shown(&of("just run rm -rf /srv/data and go on")), None);
    let config = parse("[rules]\nmkfs = { severity = 'off', reason = 'no disks here' }", Path::new("x"))
        .expect("valid");
    let [one] = &config.decisions[..] else { panic!("{config:?}") };
    assert_eq!(
        (one.rule.name(), one.severity, one.reason.as_deref(), one.line),
        ("mkfs", None, Some("no disks here"), 2)
    );
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

#[test]
fn a_label_ends_in_a_colon_and_a_key_of_the_top_stands_there() {
    let label =
        || expect!["caveat.toml:1:11: a label is one whole line of 1 to 200 characters that ends in a colon"];
    check("labels = ['Retired commands']", label());
    check("labels = [':']", label());
    let below =
        || expect!["caveat.toml:2:1: `labels` is a key of the top level: it belongs above the first [table]"];
    check("[rules]\nlabels = ['hunter2:']", below());
    check("[limits]\nlabels = ['hunter2:']", below());
    check(
        "[rules]\ndanger = 'info'",
        expect![
            "caveat.toml:2:1: this is a group of rules, not a rule; `caveat rules` lists the rules of each"
        ],
    );
    check(
        "[[commands]]\nid = 'rm-rf'\nprograms = ['fleetctl']\nhits = ['fleetctl x']\nhonest = ['ls']",
        expect!["caveat.toml:2:6: this id is that of a rule of caveat's own"],
    );
}
