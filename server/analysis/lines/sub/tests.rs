//! The state after the lines of a fence.

use super::*;

/// The state after the lines of `text`, as a word.
fn after(lang: Lang, text: &str) -> String {
    let mut names = Names::default();
    let sub = text.split('\n').fold(Sub::Fresh, |sub, line| advance(sub, lang, line, &mut names));
    match sub {
        Sub::Fresh => "fresh".into(),
        Sub::Continued { .. } => "continued".into(),
        Sub::Quoted { by, .. } => format!("quoted {}", char::from(by)),
        Sub::Rules { denied } => format!("rules {denied}"),
        Sub::Record { left, rules } => format!("record {left} {rules:?}"),
        Sub::HereDoc { delim, by, tabs, expands, left, rest: _ } => {
            let flags = [
                (by == Fed::Shell, " live"),
                (by == Fed::Program(Lang::Python), " python"),
                (tabs, " tabs"),
                (expands, " expands"),
                (left > 0, " open"),
            ];
            let flags: String = flags.iter().filter(|flag| flag.0).map(|flag| flag.1).collect();
            format!("document {}{flags}", names.get(delim))
        }
    }
}

#[test]
fn the_state_between_lines() {
    for (lang, text, state) in [
        (Lang::Shell, "rm -rf x", "fresh"),
        (Lang::Shell, "rm \\", "continued"),
        (Lang::Shell, "rm \\\n-rf x", "fresh"),
        (Lang::Shell, "rm \\\\", "fresh"),
        (Lang::Shell, "rm \\ ", "fresh"),
        (Lang::Shell, "fetch |", "continued"),
        (Lang::Shell, "fetch |&  ", "continued"),
        (Lang::Shell, "make && ", "continued"),
        (Lang::Shell, "make ||", "continued"),
        (Lang::Shell, "serve &", "fresh"),
        (Lang::Shell, "fetch |\n\n# why", "continued"),
        (Lang::Shell, "fetch |\n\n# why\nsh", "fresh"),
        (Lang::Console, "$ fetch |\n# why", "continued"),
        (Lang::Shell, "ls # and so on \\", "fresh"),
        (Lang::Shell, "ls a#b \\", "continued"),
        (Lang::Shell, "echo 'a", "quoted '"),
        (Lang::Shell, "echo 'a\nb\\'", "fresh"),
        (Lang::Shell, "echo \"a\\\"", "quoted \""),
        (Lang::Shell, "echo \"a\n# b\" && ", "continued"),
        (Lang::Shell, "echo $'a\\'", "quoted $"),
        (Lang::Shell, "echo $'a\\'\nb'", "fresh"),
        (Lang::Shell, "cat <<EOF > f.txt", "document EOF expands"),
        (Lang::Shell, "cat <<'EOF' | tee f.txt", "document EOF"),
        (Lang::Shell, "cat <<EOF > /tmp/run-me", "document EOF live expands"),
        (Lang::Shell, "cat <<'EOF' | tee run-me", "document EOF live"),
        (Lang::Shell, "read -r -d '' JOB <<'EOF'", "document EOF live"),
        (Lang::Shell, "read -r -d '' USAGE <<'EOF'", "document EOF"),
        (Lang::Shell, "cat <<'EOF' > README", "document EOF"),
        (Lang::Shell, "cat <<'EOF' >> /etc/hosts", "document EOF"),
        (Lang::Shell, "cat <<'EOF' > f.x\n#!/bin/sh", "document EOF live"),
        (Lang::Shell, "cat <<'EOF' > f.x\n#!/usr/bin/env python3", "document EOF python"),
        (Lang::Shell, "cat <<-\\END", "document END tabs"),
        (Lang::Shell, "cat <<-END\n\tEND", "fresh"),
        (Lang::Shell, "cat <<END\n\tEND", "document END expands"),
        (Lang::Shell, "sudo /bin/bash -s << \"E F\"", "document E F live"),
        (Lang::Shell, "cat <<EOF | sh", "document EOF live expands"),
        (Lang::Shell, "source <(cat <<'EOF'", "document EOF live"),
        (Lang::Shell, "at now <<'EOF'", "document EOF live"),
        (Lang::Shell, "crontab - <<'EOF'", "document EOF live"),
        (Lang::Shell, "cat > bin/clean.sh <<'EOF'", "document EOF live"),
        (Lang::Shell, "sudo tee -a /etc/cron.d/clean <<'EOF'", "document EOF live"),
        (Lang::Shell, "cat > notes.shell <<'EOF'", "document EOF"),
        (Lang::Shell, "cat > shopping.md <<'EOF'", "document EOF"),
        (Lang::Shell, "python3.12 - <<'EOF'", "document EOF python"),
        (Lang::Shell, "python <<EOF\nx = 1 \\", "document EOF python expands"),
        (Lang::Shell, "cat > tool.py <<'EOF'", "document EOF python"),
        (Lang::Shell, "cat <<< EOF", "fresh"),
        (Lang::Shell, "echo $((1<<2))", "fresh"),
        (Lang::Shell, "echo $((1<<EOF))", "fresh"),
        (Lang::Shell, "(( x = 1 << EOF ))", "fresh"),
        (Lang::Shell, "(( x )); cat <<'EOF'", "document EOF"),
        (Lang::Shell, "((cat <<'EOF'", "document EOF"),
        (Lang::Shell, "echo '<<EOF'", "fresh"),
        (Lang::Shell, "# <<EOF", "fresh"),
        (Lang::Shell, "bash <<EOF\nrm \\", "document EOF live expands open"),
        (Lang::Shell, "bash <<EOF\nrm \\\n-rf x", "document EOF live expands"),
        (Lang::Shell, "bash <<EOF\nfetch |\nsh", "document EOF live expands"),
        (Lang::Shell, "cat <<EOF\nrm \\", "document EOF expands"),
        (Lang::Shell, "cat <<A <<'B'", "document A expands"),
        (Lang::Shell, "cat <<A <<'B'\nB", "document A expands"),
        (Lang::Shell, "cat <<A <<'B'\nA", "document B"),
        (Lang::Shell, "cat <<A; cat <<-B; cat <<C\nA\n\tB", "document C expands"),
        (Lang::Shell, "cat <<A; cat <<-B; cat <<C\nA\nB\nC", "fresh"),
        (Lang::Unknown, "I don't know", "fresh"),
        (Lang::Unknown, "say \"a", "fresh"),
        (Lang::Unknown, "# rm \\", "continued"),
        (Lang::Console, "$ rm \\\n> -rf x \\", "continued"),
        (Lang::PowerShell, "Remove-Item `", "continued"),
        (Lang::PowerShell, "Get-Item x |", "continued"),
        (Lang::PowerShell, "Write-Output 'a", "quoted '"),
        (Lang::PowerShell, "cat <<EOF", "fresh"),
        (Lang::PowerShell, "$x = @\"", "quoted D"),
        (Lang::PowerShell, "$x = @\"\nsay \"hi", "quoted D"),
        (Lang::PowerShell, "$x = @\"\n \"@", "quoted D"),
        (Lang::PowerShell, "$x = @\"\nsay \"hi\n\"@", "fresh"),
        (Lang::PowerShell, "$x = @'\nit's\n\"@", "quoted S"),
        (Lang::PowerShell, "$x = @'\nit's\n'@ |", "continued"),
        (Lang::PowerShell, "$x = @\"a", "quoted \""),
        (Lang::Cmd, "rd /s ^", "continued"),
        (Lang::Cmd, "echo don't", "fresh"),
        (Lang::Sql, "delete from a", "continued"),
        (Lang::Sql, "delete from a\nwhere b = 1; -- why", "fresh"),
        (Lang::Sql, "delete from a -- why;", "continued"),
        (Lang::Sql, "delete from a\n-- why", "continued"),
        (Lang::Sql, "delete from a\n\n", "fresh"),
        (Lang::Sql, "-- why", "fresh"),
        (Lang::Sql, "\\d a", "fresh"),
        (Lang::Dockerfile, "RUN ls \\\n# why", "continued"),
        (Lang::Dockerfile, "# RUN ls \\", "fresh"),
        (Lang::Dockerfile, "RUN <<EOF", "document EOF live expands"),
    ] {
        assert_eq!(after(lang, text), state, "{lang:?} {text:?}");
    }
}

#[test]
fn what_never_ends_ends() {
    let mut names = Names::default();
    for (line, most) in [("a \\", LONGEST), ("echo 'a", u16::from(SPAN))] {
        let mut sub = Sub::Fresh;
        let mut lines = 0;
        loop {
            sub = advance(sub, Lang::Shell, if lines == 0 { line } else { "b \\" }, &mut names);
            lines += 1;
            if sub == Sub::Fresh {
                break;
            }
        }
        assert_eq!(lines, usize::from(most), "{line}");
    }
}

#[test]
fn apostrophes() {
    for (line, yes) in [
        ("don't", true),
        ("it's so", true),
        ("users' files", true),
        ("r'm' -rf", false),
        ("rm'' x", false),
        ("echo 'a'", false),
        ("l'eau", false),
        ("x='t'", false),
        ("i'm", true),
    ] {
        assert_eq!(is_apostrophe(line, line.find('\'').unwrap()), yes, "{line}");
    }
}
