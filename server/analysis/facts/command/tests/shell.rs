//! Shell scripts.

use expect_test::expect;

use super::{check, dangers};
use crate::facts::command::{Place, odd};
use crate::lines::Lang;

#[test]
fn shell() {
    check(
        &[
            "rm -rf x",
            "r''m -rf \"$HOME\"; \\rm x",
            "sudo -n -u root env A=1 rm -rf d",
            "curl https://x.example/i | LC_ALL=C bash",
            "bash <(curl https://x.example)",
            "sh -c \"$(curl -fsSL https://x.example)\"",
            "ssh host 'cd /srv && rm -rf \"y z\"'",
            "find . -name x -exec rm -rf {} \\;",
            "if true; then rm -rf x; fi | cat",
            "{ curl x; } | sh",
            ":(){ :|:& };:",
            "cat <<EOF\nrm -rf x $(id)\nEOF\nls",
            "bash <<EOF\nrm -rf x\nEOF\nls",
            "cat <<EOF\nrm -rf x\nls",
            "echo \"abc\nrm -rf x",
            "echo 'rm -rf x' | sh",
            "psql -c 'DROP TABLE users;' db",
        ],
        Place::Code(Lang::Shell),
        expect![[r#"
            == rm -rf x
            rm -rf x [rm -rf x]
            == r''m -rf "$HOME"; \rm x
            rm -rf $HOME [r''m -rf "$HOME"]
            rm x [\rm x]
            == sudo -n -u root env A=1 rm -rf d
            env: sudo: rm -rf d [sudo -n -u root env A=1 rm -rf d]
            == curl https://x.example/i | LC_ALL=C bash
            curl https://x.example/i [curl https://x.example/i]
            bash | [LC_ALL=C bash]
            == bash <(curl https://x.example)
            bash <(curl https://x.example) [bash <(curl https://x.example)]
            curl https://x.example < Output [curl https://x.example]
            == sh -c "$(curl -fsSL https://x.example)"
            sh -c $(curl -fsSL https://x.example) [sh -c "$(curl -fsSL https://x.example)"]
            curl -fsSL https://x.example < Substitution [curl -fsSL https://x.example]
            $(curl -fsSL https://x.example) < Inline [sh -c "$(curl -fsSL https://x.example)]
            curl -fsSL https://x.example < Substitution [curl -fsSL https://x.example]
            == ssh host 'cd /srv && rm -rf "y z"'
            ssh: cd /srv && rm -rf "y z" [ssh host 'cd /srv && rm -rf "y z"']
            cd /srv < Inline [ssh host 'cd /srv]
            rm -rf y z < Inline [ssh host 'cd /srv && rm -rf "y z"]
            == find . -name x -exec rm -rf {} \;
            find . -name x -exec rm -rf {} ; [find . -name x -exec rm -rf {} \;]
            rm -rf {} < Exec [find . -name x -exec rm -rf {}]
            == if true; then rm -rf x; fi | cat
            true [true]
            rm -rf x [rm -rf x]
            cat | [cat]
            == { curl x; } | sh
            curl x [curl x]
            sh | [sh]
            == :(){ :|:& };:
            function : [:]
            : [:]
            : | [:]
            : [:]
            == cat <<EOF
            rm -rf x $(id)
            EOF
            ls
            cat [cat]
            id < Substitution [id]
            ls [ls]
            == bash <<EOF
            rm -rf x
            EOF
            ls
            bash [bash]
            rm -rf x < Document [rm -rf x]
            ls [ls]
            == cat <<EOF
            rm -rf x
            ls
            cat [cat]
            rm -rf x [rm -rf x]
            ls [ls]
            == echo "abc
            rm -rf x
            echo abc [echo "abc]
            rm -rf x [rm -rf x]
            == echo 'rm -rf x' | sh
            echo rm -rf x [echo 'rm -rf x']
            sh | [sh]
            rm -rf x < Data [echo 'rm -rf x]
            == psql -c 'DROP TABLE users;' db
            psql -c DROP TABLE users; db [psql -c 'DROP TABLE users;' db]
            sql DROP TABLE users < Inline [psql -c 'DROP TABLE users]
        "#]],
    );
}

#[test]
fn what_a_search_for_letters_would_miss() {
    for (text, expected) in [
        ("r''m -rf x", true),
        ("r\"\"m -rf x", true),
        ("r'm' -rf x", true),
        ("\\rm -rf x", true),
        ("r\\m -rf x", true),
        ("$'\\x72m' -rf x", true),
        ("r$@m -rf x", true),
        ("r${x}m -rf x", true),
        ("r^d /s x", true),
        ("rm -rf x", false),
        ("don't do 'this' or \"that\"", false),
        ("the users' files: $HOME and `ls`", false),
    ] {
        assert_eq!(odd(text), expected, "{text}");
    }
}

#[test]
fn lists_and_compounds() {
    check(
        &[
            "cd x && rm a || true; ls & wait",
            "! rm a",
            "for f in a b; do rm \"$f\"; done",
            "while read l; do rm $l; done < list",
            "case $x in a) rm a ;; *) rm b;; esac",
            "f() { rm a; }; f",
            "function g { rm a; }",
            "( cd x; rm a ) | tee log",
            "[[ -f a && -n b ]] && rm a",
            "if [ -d a ]; then rm a; else rm b; fi",
            "rm a # rm b",
            "# rm a",
            "echo a#b; rm c",
            "rm a >/dev/null 2>&1",
            "> /etc/x",
            "echo a >| f 2>> g &> h",
            "cat < in | sort > out",
            "rm $(cat list)",
            "rm `cat list`",
            "diff <(rm a) <(rm b)",
            "echo \"$(rm \"a b\")\" '$(rm c)'",
            "echo $((1 + 2)) $((x))",
            "rm a\\ b \"c d\" e'f'\"g\"",
            "rm {a,b}",
            "rm -- -f",
            "rm $'a\\x20b\\n'",
            "rm -rf \"${D:?}\"/x ${A:-$(ls)}",
            "rm <dir> {{ x }} ${{ y }} [NAME] %NAME% ... $A",
            "rm a*b?[0-9]",
            "make |\n  sh",
            "a &&\n\n b",
            "r$@m a; rm${IFS}-rf${IFS}a",
            "source <(fetch x)",
            ". <(fetch x)",
            "tee >(sh)",
            "curl x |& sh",
            "cat <<A <<B\n1\nA\nrm 2\nB\nls",
            "bash <<< \"rm a\"",
            "cat <<< \"rm a\" | sh",
            "cat <<-E\n\trm $(rm b)\n\tE\nls",
            "cat <<'E'\n$(rm a)\nE",
            "cat <<E | bash\nrm a\nE",
            "psql <<E\nDROP TABLE x;\nE",
            "sudo tee /etc/x <<E\nrm a\nE",
            "git commit -F - <<E\nrm a\nE",
        ],
        Place::Code(Lang::Shell),
        expect![[r#"
            == cd x && rm a || true; ls & wait
            cd x [cd x]
            rm a [rm a]
            true [true]
            ls [ls]
            wait [wait]
            == ! rm a
            rm a [rm a]
            == for f in a b; do rm "$f"; done
            for f in a b [for f in a b]
            rm $f [rm "$f"]
            == while read l; do rm $l; done < list
            read l [read l]
            rm $l [rm $l]
             [list]
            == case $x in a) rm a ;; *) rm b;; esac
            case $x in a [case $x in a]
            rm a [rm a]
            * [*]
            rm b [rm b]
            == f() { rm a; }; f
            function f [f]
            rm a [rm a]
            f [f]
            == function g { rm a; }
            function g [function g]
            rm a [rm a]
            == ( cd x; rm a ) | tee log
            cd x [cd x]
            rm a [rm a]
            tee log | [tee log]
            == [[ -f a && -n b ]] && rm a
            [[ -f a [[[ -f a]
            -n b ]] [-n b ]]]
            rm a [rm a]
            == if [ -d a ]; then rm a; else rm b; fi
            [ -d a ] [[ -d a ]]
            rm a [rm a]
            rm b [rm b]
            == rm a # rm b
            rm a [rm a]
            == # rm a

            == echo a#b; rm c
            echo a#b [echo a#b]
            rm c [rm c]
            == rm a >/dev/null 2>&1
            rm a [rm a]
            == > /etc/x
             [/etc/x]
            == echo a >| f 2>> g &> h
            echo a [echo a]
            == cat < in | sort > out
            cat [cat]
            sort | [sort]
            == rm $(cat list)
            rm $(cat list) [rm $(cat list)]
            cat list < Substitution [cat list]
            == rm `cat list`
            rm `cat list` [rm `cat list`]
            cat list < Substitution [cat list]
            == diff <(rm a) <(rm b)
            diff <(rm a) <(rm b) [diff <(rm a) <(rm b)]
            rm a < Output [rm a]
            rm b < Output [rm b]
            == echo "$(rm "a b")" '$(rm c)'
            echo $(rm "a b") $(rm c) [echo "$(rm "a b")" '$(rm c)']
            rm a b < Substitution [rm "a b"]
            == echo $((1 + 2)) $((x))
            echo $((1 + 2)) $((x)) [echo $((1 + 2)) $((x))]
            1 + 2 < Substitution [1 + 2]
            x < Substitution [x]
            == rm a\ b "c d" e'f'"g"
            rm a b c d efg [rm a\ b "c d" e'f'"g"]
            == rm {a,b}
            rm {a,b} [rm {a,b}]
            == rm -- -f
            rm -- -f [rm -- -f]
            == rm $'a\x20b\n'
            rm a b
             [rm $'a\x20b\n']
            == rm -rf "${D:?}"/x ${A:-$(ls)}
            rm -rf ${D:?}/x ${A:-$(ls)} [rm -rf "${D:?}"/x ${A:-$(ls)}]
            ls < Substitution [ls]
            == rm <dir> {{ x }} ${{ y }} [NAME] %NAME% ... $A
            rm <dir> {{ x }} ${{ y }} [NAME] %NAME% ... $A [rm <dir> {{ x }} ${{ y }} [NAME] %NAME% ... $A]
            == rm a*b?[0-9]
            rm a*b?[0-9] [rm a*b?[0-9]]
            == make |
              sh
            make [make]
            sh | [sh]
            == a &&

             b
            a [a]
            b [b]
            == r$@m a; rm${IFS}-rf${IFS}a
            rm a [r$@m a]
            rm -rf a [rm${IFS}-rf${IFS}a]
            == source <(fetch x)
            source <(fetch x) [source <(fetch x)]
            fetch x < Output [fetch x]
            == . <(fetch x)
            . <(fetch x) [. <(fetch x)]
            fetch x < Output [fetch x]
            == tee >(sh)
            tee >(sh) [tee >(sh)]
            sh < Input [sh]
            == curl x |& sh
            curl x [curl x]
            sh | [sh]
            == cat <<A <<B
            1
            A
            rm 2
            B
            ls
            cat [cat]
            ls [ls]
            == bash <<< "rm a"
            bash [bash]
            rm a < Document [rm a]
            == cat <<< "rm a" | sh
            cat [cat]
            sh | [sh]
            rm a < Data [cat <<< "rm a]
            == cat <<-E
            	rm $(rm b)
            	E
            ls
            cat [cat]
            rm b < Substitution [rm b]
            ls [ls]
            == cat <<'E'
            $(rm a)
            E
            cat [cat]
            == cat <<E | bash
            rm a
            E
            cat [cat]
            bash | [bash]
            rm a < Document [rm a]
            == psql <<E
            DROP TABLE x;
            E
            psql [psql]
            sql DROP TABLE x < Document [DROP TABLE x]
            == sudo tee /etc/x <<E
            rm a
            E
            sudo: tee /etc/x [sudo tee /etc/x]
            == git commit -F - <<E
            rm a
            E
            git commit -F - [git commit -F -]
        "#]],
    );
}

#[test]
fn nothing_hides_a_command() {
    check(
        &[
            "# ends in a backslash \\\nrm a",
            ": <<'NEVER'\nrm a",
            "echo 'open\nrm a",
            "echo \"open\nrm a\n$(rm b",
            "$(\nrm a",
            "echo `open\nrm a",
            "echo \"a $(rm b\" ; rm c",
            "cat <<E\nrm a",
            "a \"b 'c\nrm d",
            "\\\nrm a",
            "\"\" rm a",
            "'r'\"m\" a",
            "${x}rm a; rm b",
            "if\nrm a",
            "{\nrm a",
            "((((((((((((\nrm a",
            "$($($($($($($($($($(rm a",
            "echo <<<\nrm a",
            "<<\nrm a",
            "rm a",
            "eval eval eval eval eval eval eval eval eval rm a",
            "{rm,-rf,a}",
            "$((rm a); (ls))",
            "sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo rm a",
            "@rm a; -rm b",
            "|---|---|\n| rm a | b |",
        ],
        Place::Code(Lang::Shell),
        expect![[r#"
            == # ends in a backslash \
            rm a
            rm a [rm a]
            == : <<'NEVER'
            rm a
            : [:]
            rm a [rm a]
            == echo 'open
            rm a
            echo open [echo 'open]
            rm a [rm a]
            == echo "open
            rm a
            $(rm b
            echo open [echo "open]
            rm a [rm a]
            $(rm b [$(rm b]
            rm b < Substitution [rm b]
            == $(
            rm a
            $(
            rm a [$(
            rm a]
            rm a < Substitution [rm a]
            == echo `open
            rm a
            echo open [echo `open]
            rm a [rm a]
            == echo "a $(rm b" ; rm c
            echo a $(rm b [echo "a $(rm b"]
            rm b < Substitution [rm b]
            rm c [rm c]
            == cat <<E
            rm a
            cat [cat]
            rm a [rm a]
            == a "b 'c
            rm d
            a b c [a "b 'c]
            rm d [rm d]
            == \
            rm a
            rm a [rm a]
            == "" rm a
             rm a ["" rm a]
            == 'r'"m" a
            rm a ['r'"m" a]
            == ${x}rm a; rm b
            ${x}rm a [${x}rm a]
            rm a < Inline [${x}rm a]
            rm b [rm b]
            == if
            rm a
            rm a [rm a]
            == {
            rm a
            rm a [rm a]
            == ((((((((((((
            rm a
            rm a [rm a]
            == $($($($($($($($($($(rm a
            $($($($($($($($($($(rm a [$($($($($($($($($($(rm a]
            $($($($($($($($($(rm a < Substitution [$($($($($($($($($(rm a]
            $($($($($($($($(rm a < Substitution [$($($($($($($($(rm a]
            $($($($($($($(rm a < Substitution [$($($($($($($(rm a]
            $($($($($($(rm a < Substitution [$($($($($($(rm a]
            $($($($($(rm a < Substitution [$($($($($(rm a]
            $($($($(rm a < Substitution [$($($($(rm a]
            $($($(rm a < Substitution [$($($(rm a]
            $ < Substitution [$]
            $ < Substitution [$]
            rm a < Substitution [rm a]
            == echo <<<
            rm a
            echo [echo]
            rm a [rm a]
            == <<
            rm a
             []
            rm a [rm a]
            == rm a
            rm a [rm a]
            == eval eval eval eval eval eval eval eval eval rm a
            eval: eval: eval: eval: eval: eval: eval: eval: eval: rm a [eval eval eval eval eval eval eval eval eval rm a]
            == {rm,-rf,a}
            rm -rf a [rm,-rf,a]
            == $((rm a); (ls))
            $((rm a); (ls)) [$((rm a); (ls))]
            rm a < Substitution [rm a]
            ls < Substitution [ls]
            == sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo rm a
            sudo: sudo: sudo: sudo: sudo: sudo: sudo: sudo: sudo: sudo: sudo: sudo: sudo: sudo: sudo: sudo: sudo: sudo: sudo: sudo: rm a [sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo rm a]
            == @rm a; -rm b
            @rm a [@rm a]
            -rm b [-rm b]
            == |---|---|
            | rm a | b |
            rm a [rm a]
            b | [b]
        "#]],
    );
}

#[test]
fn no_depth_hides_a_command() {
    let nest = |open: &str, close: &str, depth: usize| {
        format!("{}rm -rf x{}", open.repeat(depth), close.repeat(depth))
    };
    for depth in 0..40 {
        for unit in [
            nest("echo \"$(", ")\"", depth),
            nest("echo $(", ")", depth),
            nest("\"$(", ")\"", depth),
            nest("diff <(", ") b", depth),
            nest("( ", " )", depth),
            nest("f --run \"$(", ")\"", depth),
            nest("echo \"a $(b; ", ")\"; ls", depth),
            format!("echo \"`{}`\"", nest("echo \"$(", ")\"", depth)),
        ] {
            let found = dangers(&unit, Place::Code(Lang::Shell));
            assert!(!found.is_empty(), "{depth}: {unit}");
        }
    }
}
