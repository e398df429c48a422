//! The catalogue's files held to their format, to CONTRACTS, and to their own examples.

use super::*;
use crate::facts::pattern::{self, PatternHit};

/// Draws what an example's `{letters:N}` stands for: the form of a credential, and nobody's.
fn drawn(text: &str) -> String {
    const LETTERS: &[u8] = b"aB3dE5fG7hJ9kLmN2pQ4rS6tU8vWxY1zA0cDZbe";
    const BASE32: &[u8] = b"QZ3WT7XKMB2RCVNLP5HGJ4FDS6YA";
    const BASE64: &[u8] = b"aB3/dE5+fG7hJ9kLmN2pQ4rS6tU8vWxY1zA0cDZbe";
    const HEX: &[u8] = b"a3f07c91e5b2d846";
    const DIGITS: &[u8] = b"7301952846";
    let mut out = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let form = rest[open..].find('}').and_then(|close| rest[open + 1..open + close].split_once(':'));
        let known = form.and_then(|(name, count)| {
            let alphabet = match name {
                // With the checksum of GitHub's and npm's tokens at their end.
                "letters" | "checked" => LETTERS,
                "base32" => BASE32,
                "base64" => BASE64,
                "hex" => HEX,
                "digits" => DIGITS,
                _ => return None,
            };
            let length = name.len() + count.len() + 3;
            Some((alphabet, count.parse::<usize>().ok()?, length, name == "checked"))
        });
        out.push_str(&rest[..open]);
        match known {
            Some((alphabet, count, length, checked)) => {
                let from = out.len();
                let letter = |at: usize| char::from(alphabet[(at * 23 + at / 5 + from) % alphabet.len()]);
                let body: String = (0..if checked { count - 6 } else { count }).map(letter).collect();
                out.push_str(&body);
                if checked {
                    out.push_str(&pattern::checksum(&body));
                }
                rest = &rest[open + length..];
            }
            None => {
                out.push('{');
                rest = &rest[open + 1..];
            }
        }
    }
    out + rest
}

fn patterns_in(text: &str) -> Vec<PatternHit> {
    let (mut gate, mut hits) = (GateHits::default(), Vec::new());
    Catalogue::get().gate(text.lines().next().unwrap_or_default(), &mut gate);
    pattern::scan(text, &gate, &mut hits);
    hits
}

#[test]
fn every_pattern_example() {
    let mut faults = Vec::new();
    for (id, rule) in Catalogue::get().rules() {
        for entry in &rule.patterns {
            let name = format!("{} / {}", rule.id, entry.id);
            assert!(entry.regex().is_some(), "{name}: no regular expression");
            for example in &entry.hits {
                let text = drawn(&example.text);
                let lower = text.to_ascii_lowercase();
                if !entry.literals.iter().any(|literal| lower.contains(&literal.to_ascii_lowercase())) {
                    faults.push(format!("{name}: no literal in: {}", example.text));
                }
                let hits = patterns_in(&text);
                match hits.iter().find(|hit| hit.rule == id && hit.pattern == entry.id) {
                    None => faults.push(format!("{name}: should hit: {} ({text})", example.text)),
                    Some(hit) if example.severity.is_some_and(|wanted| hit.severity != wanted) => {
                        faults.push(format!("{name}: is {}: {}", hit.severity.name(), example.text));
                    }
                    _ => {}
                }
            }
            for example in &entry.honest {
                if patterns_in(&drawn(&example.text)).iter().any(|hit| hit.rule == id) {
                    faults.push(format!("{name}: should be quiet: {}", example.text));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} examples:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn every_rule_has_enough_examples_of_both_kinds() {
    for (_, rule) in Catalogue::get().rules() {
        let commands = rule.commands.iter().map(|entry| (entry.hits.len(), entry.honest.len()));
        let patterns = rule.patterns.iter().map(|entry| (entry.hits.len(), entry.honest.len()));
        let (mut hits, mut honest) = (0, 0);
        let phrases = rule.phrases.iter().map(|entry| (entry.hits.len(), entry.honest.len()));
        for (some, others) in commands.chain(patterns).chain(phrases) {
            assert!(some > 0 && others > 0, "{}: an entry has examples of one kind only", rule.id);
            hits += some;
            honest += others;
        }
        assert!(
            rule.raised_by.is_some() || (hits >= 4 && honest >= 4),
            "{}: {hits} hits, {honest} honest",
            rule.id
        );
    }
}

#[test]
fn every_file_in_the_folder_is_listed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/catalogue/rules");
    let mut there: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder of the rules")
        .map(|file| file.expect("a file").path().file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    let mut listed: Vec<String> = files::FILES.iter().map(|(id, _)| (*id).to_owned()).collect();
    there.sort();
    listed.sort();
    assert_eq!(there, listed);
}

#[test]
fn rules_stand_in_the_order_of_the_groups() {
    let rules: Vec<_> = Catalogue::get().rules().collect();
    assert!(rules.is_sorted_by_key(|(_, rule)| rule.group));
    for (id, rule) in rules {
        assert_eq!(Catalogue::get().by_name(&rule.id), Some(id));
        assert_eq!(id.name(), rule.id);
        assert!(
            !rule.summary.ends_with('.') && rule.why.ends_with('.') && rule.remedy.ends_with('.'),
            "{}",
            rule.id
        );
        assert!(!rule.summary.contains("{}"), "{}: the summary is a message's template", rule.id);
    }
    assert_eq!(Catalogue::get().by_name("rm-RF"), None);
}

/// The danger group of CONTRACTS, in its order; then losses that it does not name, and the rule of what projects add.
const DANGER: &str = "rm-rf find-delete git-clean-force git-reset-hard git-push-force git-push-lease git-discard \
    git-history-rewrite git-skip-hooks docker-system-prune docker-remove chmod-777 chown-recursive curl-pipe-shell \
    wget-pipe-shell decode-pipe-shell powershell-download-exec kubectl-delete-namespace kubectl-delete-all \
    kubectl-delete helm-uninstall terraform-destroy iac-auto-approve cloud-delete dd-device mkfs sql-drop \
    sql-delete-all kv-flush fork-bomb power-off service-stop firewall-flush process-kill-all package-publish \
    system-write remove-item-recurse execution-policy skip-approval sudo broad-environment-upload \
    reverse-shell container-escape cloud-metadata library-preload process-memory file-pipe-shell \
    inline-exec unverified-download credential-gathering bulk-delete project-command";

/// Those of them whose default is an error in CONTRACTS; the others are warnings.
const ERRORS: &str = "rm-rf find-delete git-push-force curl-pipe-shell wget-pipe-shell decode-pipe-shell \
    powershell-download-exec kubectl-delete-namespace kubectl-delete-all terraform-destroy dd-device mkfs sql-drop \
    sql-delete-all kv-flush fork-bomb remove-item-recurse reverse-shell";

#[test]
fn the_danger_group_is_that_of_contracts() {
    let rules = Catalogue::get().rules().filter(|(_, rule)| rule.group == Group::Danger);
    let names: Vec<&str> = rules.clone().map(|(_, rule)| rule.id.as_str()).collect();
    assert_eq!(names, DANGER.split_whitespace().collect::<Vec<_>>());
    for (_, rule) in rules {
        let error = ERRORS.split_whitespace().any(|id| id == rule.id);
        assert_eq!(rule.severity, if error { Severity::Error } else { Severity::Warning }, "{}", rule.id);
        let grades = rule.commands.iter().flat_map(|entry| &entry.severity_when);
        assert!(
            grades.clone().all(|grade| grade.severity >= Severity::Warning),
            "{}: below a warning",
            rule.id
        );
        assert_eq!(rule.off, rule.id == "git-push-lease");
    }
}

#[test]
fn tests_of_operands_name_known_kinds() {
    const KINDS: [&str; 14] = [
        "any",
        "device",
        "system",
        "vital",
        "root",
        "here",
        "unset",
        "guarded",
        "disposable",
        "scratch",
        "host",
        "wide",
        "url",
        "placeholder",
    ];
    for (_, rule) in Catalogue::get().rules() {
        for entry in &rule.commands {
            let grades = entry.severity_when.iter().map(|grade| &grade.operands);
            let tests = grades.chain([&entry.operands]).flat_map(|tests| {
                [&tests.first, &tests.last, &tests.some, &tests.all, &tests.none].into_iter().flatten()
            });
            for test in tests.chain(&entry.redirects.to) {
                let kind = test.split_once('@').map(|(_, kind)| kind);
                assert!(kind.is_none_or(|kind| KINDS.contains(&kind)), "{} / {}: {test}", rule.id, entry.id);
            }
        }
    }
}

#[test]
fn a_fault_is_told_by_place_and_in_our_words() {
    let header = "id = \"x\"\ngroup = \"danger\"\nseverity = \"error\"\nsummary = \"s\"\nwhy = \"w\"\nremedy = \"r\"\n";
    let cases = [
        ("secret-word = 1\n", "x.toml:7:1: there is no such key here"),
        ("[[command]]\nid = \"a\"\nsecret = 1\n", "x.toml:9:1: there is no such key here"),
        ("advisory = \"secret\"\n", "x.toml:7:12: the value is of the wrong kind"),
        ("advisory = secret\n", "x.toml:7:12: this is not TOML"),
        ("", "x.toml:1:1: a rule has either entries or a `raised_by`"),
        ("id = \"secret\"\n", "x.toml:7:1: the key stands here twice"),
        (
            "[[command]]\nid = \"a\"\nabout = \"a\"\nprograms = [\"*\"]\nhits = []\nhonest = []\n",
            "x.toml:1:1: a command entry has neither a program nor a literal",
        ),
    ];
    for (text, expected) in cases {
        let error = load::rule("x", &format!("{header}{text}")).expect_err(text);
        assert_eq!(error.to_string(), expected);
    }
    let error = load::rule("x", &header.replace("\"error\"", "\"secret\"")).expect_err("severity");
    assert_eq!(error.to_string(), "x.toml:3:12: this value is none of those that the key takes");
    let error = load::rule("y", &format!("{header}raised_by = \"z\"")).expect_err("id");
    assert_eq!(error.to_string(), "y.toml:1:1: the id is not the file's name");
}

#[test]
fn a_page_shows_examples_only_of_danger_and_only_if_asked() {
    let page = |name: &str, examples| Catalogue::get().by_name(name).expect(name).rule().page(examples);
    assert!(!page("rm-rf", false).contains("rm -fr data"));
    assert!(page("rm-rf", true).contains("rm -fr data"));
    assert!(page("aws-access-key", false).contains("access-key-id"));
    assert_eq!(page("aws-access-key", true), page("aws-access-key", false));
    expect_test::expect![[r"
        # unclosed-fence

        warning: opens a code fence that never closes.

        Everything to the end of the document is then code, and no label above it has force: a prohibition that was meant for one block covers nothing. Close the fence with as many markers of the same kind as it was opened with.

        Group: quality.
        - In instructions: reported.
        - In runbooks: reported.
        - In reference: reported.
    "]]
    .assert_eq(&page("unclosed-fence", false));
}

#[test]
fn no_page_shows_what_could_be_obeyed() {
    for (_, rule) in Catalogue::get().rules() {
        if !matches!(rule.group, Group::Injection | Group::Notice) {
            continue;
        }
        let phrases = rule.phrases.iter().map(|entry| &entry.hits);
        let hits = phrases.chain(rule.patterns.iter().map(|entry| &entry.hits)).flatten();
        for examples in [false, true] {
            let page = rule.page(examples);
            for hit in hits.clone().filter(|hit| hit.text.len() > 8) {
                assert!(!page.contains(hit.text.trim()), "{}: its page has an example", rule.id);
            }
        }
        assert_eq!(rule.hostile_examples().is_empty(), rule.group != Group::Injection || hits.count() == 0);
    }
}

#[test]
fn every_language_has_words_for_what_it_is_held_to() {
    let phrases = Catalogue::get().phrases();
    for (rule, entry) in [
        ("instruction-override", "discard-prior"),
        ("output-coercion", "conceal-in-words"),
        ("tool-coercion", "skip-in-words"),
    ] {
        let id = Catalogue::get().by_name(rule).expect(rule);
        let of_entry = phrases.forms.list.iter().filter(|form| form.rule == id);
        let forms = of_entry.filter(|form| Catalogue::get().phrase(form).id == entry);
        // English says the other two in entries of its own.
        let languages = lexicon::FILES.len() - usize::from(entry != "discard-prior");
        assert_eq!(forms.count(), languages, "{rule} / {entry}");
    }
}
