//! Suppressions as they are written, well and badly.

use super::*;

/// What a comment comes to: the rules and the day, or the fault and the words that it points to.
fn told(line: &str, comment: Comment) -> String {
    match read(line, comment) {
        None => "none".to_owned(),
        Some((_, Ok(allow))) => {
            let rules: Vec<_> = allow.rules.iter().map(|(rule, _)| rule.name()).collect();
            for (rule, range) in &allow.rules {
                assert_eq!(&line[range.clone()], rule.name());
            }
            assert_eq!(line[allow.expires_at.clone()], allow.expires.to_string());
            let scope = if allow.file { "file" } else { "block" };
            format!("{scope} {} {} [{}]", rules.join("+"), allow.expires, &line[allow.reason])
        }
        Some((_, Err(fault))) => format!("{}: {}", fault.kind.name(), &line[fault.range]),
    }
}

#[test]
fn the_whole_comment_matches_or_says_why_not() {
    let cases = [
        (r#"caveat-allow rm-rf expires=2027-01-31 reason="a b""#, "block rm-rf 2027-01-31 [a b]"),
        (r#"caveat-allow-file rm-rf,sudo expires=2027-01-31 reason="x""#, "file rm-rf+sudo 2027-01-31 [x]"),
        (r#"caveat-allow  rm-rf , sudo  expires=2027-01-31	reason="x""#, "block rm-rf+sudo 2027-01-31 [x]"),
        (
            r#"caveat-allow rm-rf expires=2027-01-31 reason="say \"no\"""#,
            r#"block rm-rf 2027-01-31 [say \"no\"]"#,
        ),
        ("caveat lector", "none"),
        ("caveat-emptor", "none"),
        ("caveat", "none"),
        ("caveat-allow", "no-rule: caveat-allow"),
        (r#"Caveat-Allow rm-rf expires=2027-01-31 reason="x""#, "word: Caveat-Allow"),
        (r#"caveat_allow rm-rf expires=2027-01-31 reason="x""#, "word: caveat_allow"),
        ("caveat-allow-next rm-rf", "reach: caveat-allow-next"),
        ("caveat-allow-all rm-rf", "reach: caveat-allow-all"),
        (r#"caveat-allow file rm-rf expires=2027-01-31 reason="x""#, "reach: file"),
        (r#"caveat-allow next-line rm-rf expires=2027-01-31 reason="x""#, "reach: next-line"),
        ("caveat-ignore rm-rf", "word: caveat-ignore"),
        ("caveat-disable", "word: caveat-disable"),
        (r#"caveat allow rm-rf expires=2027-01-31 reason="x""#, "word: caveat allow"),
        (r#"caveat: allow rm-rf expires=2027-01-31 reason="x""#, "word: caveat: allow"),
        ("caveat: allow lists hold what is given", "none"),
        (r#"cavaet-allow rm-rf expires=2027-01-31 reason="x""#, "word: cavaet-allow"),
        (r#"caveat-alow-file rm-rf expires=2027-01-31 reason="x""#, "word: caveat-alow-file"),
        ("caveat\u{2013}allow rm-rf expires=2027-01-31 reason=\"x\"", "word: caveat\u{2013}allow"),
        (r#"caveat-allow: rm-rf expires=2027-01-31 reason="x""#, "word: caveat-allow:"),
        (r#"caveat-allow expires=2027-01-31 reason="x""#, "no-rule: caveat-allow"),
        (r#"caveat-allow rm-rf, expires=2027-01-31 reason="x""#, "trailing-comma: ,"),
        (r#"caveat-allow rm-fr expires=2027-01-31 reason="x""#, "unknown-rule: rm-fr"),
        (r#"caveat-allow RM-RF expires=2027-01-31 reason="x""#, "unknown-rule: RM-RF"),
        (r#"caveat-allow * expires=2027-01-31 reason="x""#, "unknown-rule: *"),
        (
            r#"caveat-allow rm-rf, openai-key expires=2027-01-31 reason="x""#,
            "only-in-configuration: openai-key",
        ),
        (
            r#"caveat-allow suppression-unused expires=2027-01-31 reason="x""#,
            "only-in-configuration: suppression-unused",
        ),
        (r#"caveat-allow rm-rf reason="x""#, "no-expiry: caveat-allow"),
        (r#"caveat-allow rm-rf sudo expires=2027-01-31 reason="x""#, "no-comma: sudo"),
        (r#"caveat-allow rm-rf, sudo mkfs, dd expires=2027-01-31 reason="x""#, "no-comma: mkfs,"),
        ("caveat-allow rm\u{2013}rf expires=2027-01-31 reason=\"x\"", "dashes: rm\u{2013}rf"),
        (r#"caveat-allow rm-rf reason="a b" expires=2027-01-31"#, r#"order: reason="a b""#),
        (r#"caveat-allow rm-rf expires: 2027-01-31 reason="x""#, "key: expires: "),
        (r#"caveat-allow rm-rf until=2027-01-31 reason="x""#, "key: until="),
        (r#"caveat-allow rm-rf Expires = 2027-01-31 reason="x""#, "key: Expires = "),
        ("caveat-allow rm-rf 2027-01-31", "no-expiry: caveat-allow"),
        (
            r#"caveat-allow rm-rf expires=2027-01-31 expires=2027-02-28 reason="x""#,
            "doubled: expires=2027-02-28",
        ),
        (r#"caveat-allow rm-rf expires=2027-01-31 reason="x" reason="y""#, r#"doubled: reason="y""#),
        (
            "caveat-allow rm-rf expires=2027\u{2013}01\u{2013}31 reason=\"x\"",
            "dashes: 2027\u{2013}01\u{2013}31",
        ),
        ("caveat-allow rm-rf expires=2027-01-31 reason='a b'", "quotes: 'a b'"),
        ("caveat-allow rm-rf expires=2027-01-31 reason=\u{201c}a b\u{201d}", "quotes: \u{201c}a b\u{201d}"),
        (r#"caveat-allow rm-rf expires=2027-01-31 reason = "x""#, "key: reason = "),
        (r#"caveat-allow rm-rf expires=2027-01-31 because "x""#, "no-reason: caveat-allow"),
        (r#"caveat-allow rm-rf expires=2027-02-29 reason="x""#, "bad-date: 2027-02-29"),
        (r#"caveat-allow rm-rf expires=2027-2-9 reason="x""#, "bad-date: 2027-2-9"),
        (r#"caveat-allow rm-rf expires=20270209 reason="x""#, "bad-date: 20270209"),
        (r#"caveat-allow rm-rf expires=never reason="x""#, "bad-date: never"),
        (r#"caveat-allow rm-rf expires= reason="x""#, "bad-date: caveat-allow"),
        (r#"caveat-allow rm-rf expires="2027-01-31" reason="x""#, r#"quoted-day: "2027-01-31""#),
        ("caveat-allow rm-rf expires=2027-01-31", "no-reason: caveat-allow"),
        ("caveat-allow rm-rf expires=2027-01-31 reason=x y", "quotes: x y"),
        (r#"caveat-allow rm-rf expires=2027-01-31 reason="""#, "no-reason: caveat-allow"),
        (r#"caveat-allow rm-rf expires=2027-01-31 reason=" ""#, "no-reason:  "),
        (r#"caveat-allow rm-rf expires=2027-01-31 reason="x"#, r#"open-reason: "x"#),
        (r#"caveat-allow rm-rf expires=2027-01-31 reason="x\""#, r#"open-reason: "x\""#),
        (r#"caveat-allow rm-rf expires=2027-01-31 reason="x" y"#, "trailing: y"),
        (r#"caveat-allow rm-rf expires=2027-01-31 reason="a\"b--c""#, "reason-characters: --"),
        ("caveat-allow rm-rf expires=2027-01-31 reason=\"a\u{202e}b\"", "reason-characters: \u{202e}"),
        ("caveat-allow rm-rf expires=2027-01-31 reason=\"a\u{1b}b\"", "reason-characters: \u{1b}"),
    ];
    for (body, expected) in cases {
        for (line, comment) in [
            (format!("<!-- {body} -->"), Comment::Html),
            (format!("  <!--{body}-->\t"), Comment::Html),
            (format!("# {body}"), Comment::Hash),
            (format!(" #{body} "), Comment::Hash),
        ] {
            assert_eq!(told(&line, comment), expected, "{line}");
        }
    }
}

#[test]
fn a_comment_has_its_line_to_itself() {
    let allow = r#"caveat-allow rm-rf expires=2027-01-31 reason="x""#;
    let cases = [
        (format!("<!-- {allow} --> text"), "text-behind: text".to_owned()),
        (format!("<!-- {allow}"), format!("several-lines: <!-- {allow}")),
        (format!("<!-- {allow} -- >"), format!("several-lines: <!-- {allow} -- >")),
        (format!("<!-- x {allow} -->"), "none".to_owned()),
        (format!("text <!-- {allow} -->"), "none".to_owned()),
        (format!("<!-- {allow} ---->"), "trailing: --".to_owned()),
    ];
    for (line, expected) in cases {
        assert_eq!(told(&line, Comment::Html), expected, "{line}");
    }
}

#[test]
fn reasons_have_a_length() {
    let line = |count: usize| {
        let reason = format!("{}\\\"", "é".repeat(count - 1));
        format!("# caveat-allow rm-rf expires=2027-01-31 reason=\"{reason}\"")
    };
    assert!(told(&line(REASON), Comment::Hash).starts_with("block"));
    assert!(told(&line(REASON + 1), Comment::Hash).starts_with("long-reason"));
}
