//! Terminals, and fences without a tag.

use expect_test::expect;

use super::check;
use crate::facts::command::Place;
use crate::lines::Lang;

#[test]
fn console() {
    check(
        &["$ rm -rf \\\n> x"],
        Place::Code(Lang::Console),
        expect![[r#"
        == $ rm -rf \
        > x
        rm -rf x [rm -rf \
        > x]
    "#]],
    );
}

#[test]
fn untagged() {
    check(
        &[
            "always run rm -rf x",
            "echo \"rm -rf x\"",
            "Please clean with rm -rf x now",
            "git commit -m 'no rm -rf x'",
            "\tcd x && rm -rf y",
            "$ rm -rf x",
            "don't rm -rf x",
            "DROP TABLE x;",
            "Remove-Item -Recurse x",
            "FOO=1 rm x",
            "- rm -rf x",
            "1. rm -rf x",
            "> rm -rf x",
            "rm -rf x   # it's gone",
        ],
        Place::Code(Lang::Unknown),
        expect![[r#"
            == always run rm -rf x
            rm -rf x affirmed [rm -rf x]
            rm -rf x affirmed [rm -rf x]
            == echo "rm -rf x"
            echo rm -rf x [echo "rm -rf x"]
            == Please clean with rm -rf x now
            Please clean with rm -rf x now [Please clean with rm -rf x now]
            rm -rf x [rm -rf x]
            == git commit -m 'no rm -rf x'
            git commit -m no rm -rf x [git commit -m 'no rm -rf x']
            == 	cd x && rm -rf y
            cd x [cd x]
            rm -rf y [rm -rf y]
            == $ rm -rf x
            rm -rf x [rm -rf x]
            == don't rm -rf x
            don't rm -rf x [don't rm -rf x]
            rm -rf x [rm -rf x]
            == DROP TABLE x;
            sql DROP TABLE x [DROP TABLE x]
            sql DROP TABLE x [DROP TABLE x]
            == Remove-Item -Recurse x
            Remove-Item -Recurse x [Remove-Item -Recurse x]
            Remove-Item -Recurse x [Remove-Item -Recurse x]
            == FOO=1 rm x
            rm x [FOO=1 rm x]
            == - rm -rf x
            - rm -rf x [- rm -rf x]
            rm -rf x [rm -rf x]
            == 1. rm -rf x
            1. rm -rf x [1. rm -rf x]
            rm -rf x [rm -rf x]
            == > rm -rf x
            rm -rf x [rm -rf x]
            == rm -rf x   # it's gone
            rm -rf x [rm -rf x]
        "#]],
    );
}

#[test]
fn terminal() {
    check(
        &[
            "# rm -rf a",
            "root@host:/srv# rm -rf a",
            "user@host:~$ rm -rf a",
            "[u@h d]$ rm -rf a",
            "PS C:\\x> Remove-Item a",
            "C:\\x>rd /s a",
            "(venv) $ rm a",
            "> rm a",
            "rm: cannot remove 'a': No such file",
            "total 5",
        ],
        Place::Code(Lang::Console),
        expect![[r#"
            == # rm -rf a
            rm -rf a [rm -rf a]
            == root@host:/srv# rm -rf a
            rm -rf a [rm -rf a]
            == user@host:~$ rm -rf a
            rm -rf a [rm -rf a]
            == [u@h d]$ rm -rf a
            rm -rf a [rm -rf a]
            == PS C:\x> Remove-Item a
            Remove-Item a [Remove-Item a]
            == C:\x>rd /s a
            rd /s a [rd /s a]
            == (venv) $ rm a
            rm a [rm a]
            == > rm a
            rm a [rm a]
            == rm: cannot remove 'a': No such file
            rm: cannot remove a: No such file [rm: cannot remove 'a': No such file]
            == total 5
            total 5 [total 5]
        "#]],
    );
}
