use super::*;

/// What is given behind the lines of `code`, newest first: `=` a variable, `!` an alias, `<` a fetched file; `~` marks
/// what is not near any more.
fn check(lang: Lang, code: &str, expected: &str) {
    let (mut givens, mut given) = (Givens::default(), Given::default());
    for line in code.lines() {
        given = givens.behind_code(given, lang, line);
    }
    let names = givens.names(given).map(|known| {
        let sign = match known.kind {
            GivenKind::Variable => "=",
            GivenKind::Alias => "!",
            GivenKind::Function => "()",
            GivenKind::Fetched => return format!("<{}{}", known.name, if known.near { "" } else { "~" }),
        };
        format!("{}{sign}{}", known.name, known.value)
    });
    assert_eq!(names.collect::<Vec<_>>().join(","), expected, "{code}");
}

#[test]
fn what_gives_a_name_to_a_program() {
    for (code, expected) in [
        ("a=rm", "a=rm"),
        ("export T='terraform'", "T=terraform"),
        ("A=r; B=m", "B=m,A=r"),
        ("a=rm\nb=\"$a -rf\"", "b=rm -rf,a=rm"),
        ("cmd=(git push)", "cmd=git push"),
        ("set -- rm x", "@=rm x"),
        ("printf -v c 'rm x'", "c=rm x"),
        ("alias x='rm -r'", "x!rm -r"),
        ("run() { sudo \"$@\"; }", "run!sudo"),
        ("run() { \"$@\"; }", "run!"),
        ("run() {\n  \"$@\"\n}", "run!"),
        ("run() {\n  local c=\"$1\"; shift\n  \"$c\" \"$@\"\n}", "run!"),
        ("a=rm\nrun() {\n  sudo \"$@\"\n}", "run!sudo,a=rm"),
        ("a=rm\nf() {\n  echo x\n}\necho", "a=rm"),
        ("test x || f() { command rm \"$@\"; }", "f!command rm"),
        ("cp /bin/rm /tmp/t", "/tmp/t!/bin/rm"),
        ("ln -s /bin/rm ./tidy", "./tidy!/bin/rm"),
        ("set c rm", "c=rm"),
        ("cp rm.txt /tmp/t\ncp /bin/echo-x /tmp/u", ""),
        // what takes a name away
        ("a=rm\na=listing", "a=,a=rm"),
        // what names nothing that matters
        ("N=5\nDIR=/srv/data\nURL=https://example.com\nname=value", ""),
        ("make a=b c", ""),
        ("f() { echo \"$1\"; }", ""),
    ] {
        check(Lang::Shell, code, expected);
    }
    check(Lang::PowerShell, "$c = \"Remove-Item\"\nSet-Alias z Remove-Item", "z!Remove-Item,c=Remove-Item");
    check(Lang::PowerShell, "$s = (irm https://example.com/a)", "s=(irm https://example.com/a)");
    check(Lang::Makefile, "RUN := terraform\nX = files\nall:\n\ta=rm", "RUN=terraform");
    check(Lang::Cmd, "set X=rd", "X=rd");
    check(Lang::Console, "$ a=rm", "a=rm");
    check(Lang::Python, "a=rm", "");
}

#[test]
fn what_was_fetched_until_it_is_looked_into() {
    let fetch = "curl -fsSLo in.sh https://example.com/in.sh";
    for (code, expected) in [
        (fetch.to_owned(), "<in.sh"),
        ("wget https://example.com/a/get.py?x=1".to_owned(), "<get.py"),
        ("curl -O https://example.com/a.sh".to_owned(), "<a.sh"),
        ("curl https://example.com/a > /tmp/b".to_owned(), "<b"),
        ("X=$(curl -s https://example.com/a)".to_owned(), "<X"),
        (format!("{fetch}{}", "\n".repeat(12)), "<in.sh~"),
        (format!("{fetch}\nsha256sum -c in.sum"), ""),
        (format!("{fetch}\nless in.sh"), ""),
        (format!("{fetch}\nls -l in.sh"), "<in.sh"),
        ("curl https://example.com/a".to_owned(), ""),
        ("curl -X POST https://example.com/a -d x".to_owned(), ""),
    ] {
        check(Lang::Shell, &code, expected);
    }
}

#[test]
fn names_are_forgotten_and_bounded() {
    check(Lang::Shell, &format!("a=rm{}", "\necho".repeat(usize::from(FAR) - 1)), "a=rm");
    check(Lang::Shell, &format!("a=rm{}", "\necho".repeat(usize::from(FAR))), "");
    let many: String = (0..40).map(|n| format!("a{n}=rm\n")).collect();
    let last: Vec<String> = (28..40).rev().map(|n| format!("a{n}=rm")).collect();
    check(Lang::Shell, &many, &last.join(","));
}

#[test]
fn equal_names_have_equal_numbers() {
    let mut givens = Givens::default();
    let mut read = |code: &str| {
        let mut given = Given::default();
        for line in code.lines() {
            given = givens.behind_code(given, Lang::Shell, line);
        }
        given
    };
    assert_eq!(read("a=rm\nls\nb=dd"), read("a=rm\nls\nb=dd"));
    assert_ne!(read("a=rm"), read("b=rm"));
}
