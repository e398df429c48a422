//! Where a command's output goes, and what runs it.

use std::ops::Range;

use super::super::command::{Dialect, Feed, Pipeline, Script, Simple, Via, Word};

/// How deep output is followed through commands that hand it on.
const DEPTH: usize = 8;

/// Whether a command that runs it for each file asks before each: `find -ok`.
pub(super) fn asked_first(script: &Script, at: usize) -> bool {
    let command = &script.commands[at];
    let Some(parent) = command.parent.filter(|parent| parent.via == Via::Exec) else { return false };
    let first = command.wrappers.first().map(|wrapper| wrapper.span.start);
    let Some(first) = first.or(command.words.first().map(|word| word.span.start)) else { return false };
    // of several clauses the one that it stands in
    let before = script.commands[parent.command].words.iter().rev().filter(|word| word.span.start < first);
    let mut clauses = before.map(|word| word.value.as_str());
    clauses
        .find(|word| matches!(*word, "-ok" | "-okdir" | "-exec" | "-execdir"))
        .is_some_and(|word| word.starts_with("-ok"))
}

/// Whether one of `programs` runs the command `at` for each file that it finds.
pub(super) fn found_by(script: &Script, at: usize, programs: &[String]) -> bool {
    let outer = script.commands[at].parent.filter(|parent| parent.via == Via::Exec);
    outer.is_some_and(|parent| programs.contains(&script.commands[parent.command].program))
}

/// Whether what the tool asks is answered beforehand: `yes |`, `echo y |`.
pub(super) fn answered(script: &Script, at: usize) -> bool {
    let Feed::Pipe(from) = script.commands[at].feed else { return false };
    let giver = &script.commands[from];
    let says_yes = |word: &Word| matches!(word.value.as_str(), "y" | "Y" | "yes" | "YES" | "y\\n" | "yes\\n");
    giver.program == "yes"
        || (matches!(giver.program.as_str(), "echo" | "printf") && giver.args().iter().any(says_yes))
}

/// Whether operands come to the command from outside: from `xargs`, from the files that `find` finds, or, in
/// PowerShell, down the pipe.
pub(super) fn fed_operands(script: &Script, at: usize) -> bool {
    let command = &script.commands[at];
    fed_by_xargs(command)
        || command.parent.is_some_and(|parent| parent.via == Via::Exec)
        || (command.dialect == Dialect::PowerShell && matches!(command.feed, Feed::Pipe(_)))
}

/// The range of a finding about the command `at` itself: from the outermost command that only serves to run it.
pub(super) fn range(script: &Script, at: usize) -> Range<usize> {
    let command = &script.commands[at];
    let (mut start, mut link) = (command.span.start, command.parent);
    while let Some(parent) = link.filter(|parent| matches!(parent.via, Via::Inline | Via::Exec)) {
        let outer = &script.commands[parent.command];
        start = start.min(outer.span.start);
        link = outer.parent;
    }
    start..command.span.end
}

/// If an interpreter runs what the command `at` prints: the range of the whole, pipeline or outer command.
pub(super) fn into_interpreter(script: &Script, at: usize) -> Option<Range<usize>> {
    follow(script, at, DEPTH)
}

fn follow(script: &Script, at: usize, depth: usize) -> Option<Range<usize>> {
    let depth = depth.checked_sub(1)?;
    if let Some(pipeline) = script.pipeline_of(at)
        && behind(pipeline, at)
            .any(|stage| reads_program(&script.commands[*stage]) || hands_input_on(script, *stage))
    {
        return Some(pipeline.span.clone());
    }
    let parent = script.commands[at].parent?;
    let (outer, inner) = (&script.commands[parent.command], &script.commands[at]);
    let within = |word: &Word| word.span.start <= inner.span.start && inner.span.end <= word.span.end;
    let run = match parent.via {
        Via::Output => takes_file(outer, within) || (reads_program(outer) && fed_by(outer, within)),
        Via::Substitution => {
            // The output is the command: `$(…)` in the program's place.
            outer.words.first().is_some_and(within)
                || matches!(outer.program.as_str(), "eval" | "iex" | "invoke-expression")
                || takes_text(outer, within)
                || (reads_program(outer) && fed_by(outer, within))
        }
        Via::Input | Via::Inline | Via::Exec | Via::Document | Via::Data => false,
    };
    if run {
        return Some(range(script, parent.command));
    }
    // What is printed inside a string or by a command that hands it on is printed by the outer command.
    let handed_on = match parent.via {
        Via::Substitution | Via::Output => {
            matches!(outer.program.as_str(), "echo" | "printf" | "cat" | "tee")
        }
        Via::Inline | Via::Exec | Via::Document => true,
        Via::Input | Via::Data => false,
    };
    if handed_on { follow(script, parent.command, depth) } else { None }
}

/// If a program sends what the command `at` prints over the network: the range of the whole.
pub(super) fn into_upload(script: &Script, at: usize) -> Option<Range<usize>> {
    const SENDERS: [&str; 10] = [
        "curl",
        "wget",
        "nc",
        "ncat",
        "netcat",
        "socat",
        "http",
        "telnet",
        "invoke-restmethod",
        "invoke-webrequest",
    ];
    let sends = |command: &Simple| SENDERS.contains(&command.program.as_str());
    if let Some(range) = into_stage(script, at, sends) {
        return Some(range);
    }
    let parent = script.commands[at].parent?;
    let inside = matches!(parent.via, Via::Substitution | Via::Output);
    (inside && sends(&script.commands[parent.command])).then(|| range(script, parent.command))
}

/// If a later stage deletes the files that the command `at` names: the range of the pipeline.
pub(super) fn into_removal(script: &Script, at: usize) -> Option<Range<usize>> {
    into_stage(script, at, |command| match command.program.as_str() {
        "rm" | "unlink" | "shred" => fed_by_xargs(command) || command.dialect == Dialect::PowerShell,
        "remove-item" | "ri" | "del" | "erase" | "rd" | "rmdir" => command.dialect == Dialect::PowerShell,
        _ => false,
    })
}

/// The pipeline's range, if a stage behind the command `at` passes `test`.
fn into_stage(script: &Script, at: usize, test: impl Fn(&Simple) -> bool) -> Option<Range<usize>> {
    let pipeline = script.pipeline_of(at)?;
    behind(pipeline, at).any(|stage| test(&script.commands[*stage])).then(|| pipeline.span.clone())
}

/// Whether the command `at` hands its input to an interpreter: one that it runs out of a string of its own, as
/// `env -S "bash -x"`, or one that it writes to, as `tee >(sh)`.
fn hands_input_on(script: &Script, at: usize) -> bool {
    const CHILDREN: usize = 4;
    script.commands[at + 1..].iter().take(CHILDREN).any(|inner| {
        let inline = inner
            .parent
            .is_some_and(|parent| parent.command == at && matches!(parent.via, Via::Inline | Via::Input));
        inline && inner.feed == Feed::Nothing && reads_program(inner)
    })
}

/// The stages behind the command `at`, as many as anybody writes.
fn behind(pipeline: &Pipeline, at: usize) -> impl Iterator<Item = &usize> {
    const STAGES: usize = 256;
    let first = pipeline.stages.partition_point(|stage| *stage <= at);
    pipeline.stages[first..].iter().take(STAGES)
}

fn fed_by_xargs(command: &Simple) -> bool {
    ["xargs", "parallel"].iter().any(|name| command.wrapped_by(name))
}

/// The families of interpreters, by what is asked of their options.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Interpreter {
    Shell,
    Script,
    Source,
}

fn interpreter(program: &str) -> Option<Interpreter> {
    // Some file systems do not care for case; a path of Windows that a POSIX shell reads loses its backslashes.
    let lower = program.to_ascii_lowercase();
    // the variables that name the shell at hand
    let named = lower.strip_prefix('$').map(|name| name.trim_start_matches('{').trim_end_matches('}'));
    if named.is_some_and(|name| matches!(name.split([':', '-']).next(), Some("shell" | "0" | "bash"))) {
        return Some(Interpreter::Shell);
    }
    let drive = lower.as_bytes().get(1) == Some(&b':');
    let shells = ["pwsh", "powershell", "bash", "cmd"];
    let program = match shells.iter().find(|name| drive && lower.ends_with(**name)) {
        Some(name) => name,
        None => lower.as_str(),
    };
    let stem = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    match stem {
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "mksh" | "ash" | "fish" | "csh" | "tcsh" | "rbash"
        | "pwsh" | "powershell" | "nu" | "xonsh" | "cmd" => Some(Interpreter::Shell),
        "python" | "pypy" | "perl" | "ruby" | "node" | "nodejs" | "deno" | "bun" | "php" | "lua"
        | "luajit" | "tclsh" | "osascript" | "rscript" | "ipython" | "elixir" | "julia" | "groovy" => {
            Some(Interpreter::Script)
        }
        "source" => Some(Interpreter::Source),
        _ if program == "." => Some(Interpreter::Source),
        _ => None,
    }
}

/// What an interpreter's words say about where its program comes from.
struct Invocation<'a> {
    /// The program is text on the command line (`-c`, `-e`) or a module (`-m`), or nothing is run (`--help`, `-n`).
    elsewhere: bool,
    /// The text after `-c` or `-e`.
    text: Option<&'a Word>,
    /// The first operand: the program's file.
    file: Option<&'a Word>,
    /// Standard input by name: `-s`, `-`, `/dev/stdin`.
    stdin: bool,
}

fn invocation(command: &Simple, kind: Interpreter) -> Invocation<'_> {
    let mut seen = Invocation { elsewhere: false, text: None, file: None, stdin: false };
    let mut words = command.args().iter();
    while let Some(word) = words.next() {
        let value = word.value.as_str();
        match value {
            "-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0" => {
                seen.stdin = true;
                break;
            }
            "run" if matches!(command.program.as_str(), "deno" | "bun") => continue,
            "--" => {
                seen.file = words.next();
                break;
            }
            "--help" | "--version" | "-V" | "--noexec" | "--check" => seen.elsewhere = true,
            "-o" | "-O" | "+o" | "+O" | "--rcfile" | "--init-file" | "-W" | "-X"
                if kind == Interpreter::Shell || command.program.starts_with("python") =>
            {
                words.next();
            }
            _ if value.starts_with("--") => {
                if matches!(value.split('=').next(), Some("--eval" | "--print" | "--command")) {
                    (seen.elsewhere, seen.text) = (true, words.next());
                    break;
                }
            }
            // `-euo pipefail`: the last letter takes the next word.
            _ if kind == Interpreter::Shell
                && value.ends_with(['o', 'O'])
                && value.starts_with('-')
                && !value.contains('c') =>
            {
                words.next();
            }
            _ if value.starts_with('-') || (value.starts_with('+') && kind == Interpreter::Shell) => {
                let long = value[1..].to_ascii_lowercase();
                let letters = &value[1..];
                let inline = match kind {
                    Interpreter::Shell => {
                        letters.contains('c') || (long.len() > 2 && "-command".ends_with(&long))
                    }
                    Interpreter::Script => letters.contains(['c', 'e', 'E', 'r', 'p', 'm']),
                    Interpreter::Source => false,
                };
                let stdin = kind == Interpreter::Shell && letters.contains('s') && !inline;
                if stdin {
                    seen.stdin = true;
                    break;
                }
                if inline {
                    let text = words.next();
                    // `pwsh -Command -` reads standard input.
                    if text.is_some_and(|text| text.value == "-") {
                        seen.stdin = true;
                    } else {
                        (seen.elsewhere, seen.text) = (true, text);
                    }
                    break;
                }
                seen.elsewhere |= kind == Interpreter::Shell && letters == "n";
            }
            _ => {
                seen.file = Some(word);
                break;
            }
        }
    }
    seen
}

/// Whether `command` is an interpreter whose program is its standard input.
pub(super) fn reads_program(command: &Simple) -> bool {
    if fed_by_xargs(command) {
        return runs_each_line(command);
    }
    let args = command.args();
    let is_stdin = |word: &Word| matches!(word.value.as_str(), "-" | "/dev/stdin");
    match command.program.as_str() {
        "at" | "batch" => {
            return !args.iter().any(|word| matches!(word.value.as_str(), "-f" | "-l" | "-r" | "-d"));
        }
        "crontab" => return args.iter().any(is_stdin),
        "parallel" => return !args.iter().any(|word| word.value.starts_with(":::")),
        "make" | "gmake" | "awk" | "gawk" | "mawk" | "ansible-playbook" => {
            return args.iter().any(is_stdin) || args.iter().any(|word| word.value == "-f-");
        }
        "" if command.wrapped_by("uv run") => return command.words.first().is_some_and(is_stdin),
        _ => {}
    }
    if matches!(command.program.to_ascii_lowercase().as_str(), "iex" | "invoke-expression") {
        return true;
    }
    let Some(kind) = interpreter(&command.program) else { return false };
    let seen = invocation(command, kind);
    !seen.elsewhere && (seen.stdin || (kind != Interpreter::Source && seen.file.is_none()))
}

/// Whether a shell behind `xargs` runs what `xargs` is given: `xargs sh -c`, `xargs -I{} sh -c '{}'`.
fn runs_each_line(command: &Simple) -> bool {
    let Some(kind) = interpreter(&command.program) else { return false };
    let seen = invocation(command, kind);
    let stands_for_a_line = |text: &Word| {
        matches!(text.value.split(' ').next(), Some("{}" | "%" | "@" | "_" | "$0" | "$1" | "$@"))
    };
    seen.elsewhere
        && kind != Interpreter::Source
        && seen.text.map_or(ends_in_code(command), stands_for_a_line)
}

/// Whether an interpreter's words end in the option whose text they lack.
fn ends_in_code(command: &Simple) -> bool {
    command.args().last().is_some_and(|last| last.value.starts_with('-') && last.value.ends_with(['c', 'e']))
}

/// Whether `command` is an interpreter that is fed a file, which is its program: `sh < FILE`.
pub(super) fn fed_a_file(command: &Simple) -> bool {
    let Feed::File(file) = &command.feed else { return false };
    let nothing = file.value.starts_with("/dev/") || file.value.starts_with("<(") || file.value.is_empty();
    !nothing && reads_program(command)
}

/// Whether `command` is an interpreter whose program is the file that `of` tells.
pub(super) fn takes_file(command: &Simple, of: impl Fn(&Word) -> bool) -> bool {
    interpreter(&command.program).is_some_and(|kind| {
        let seen = invocation(command, kind);
        !seen.elsewhere && seen.file.is_some_and(of)
    })
}

/// Whether `command` is an interpreter whose program is the text that `of` tells.
pub(super) fn takes_text(command: &Simple, of: impl Fn(&Word) -> bool) -> bool {
    interpreter(&command.program).is_some_and(|kind| invocation(command, kind).text.is_some_and(of))
}

/// Whether standard input comes from a word that `of` tells: `<<< "$(…)"`, `< <(…)`.
fn fed_by(command: &Simple, of: impl Fn(&Word) -> bool) -> bool {
    match &command.feed {
        Feed::HereString(word) | Feed::File(word) => of(word),
        Feed::Nothing | Feed::Pipe(_) | Feed::HereDoc(_) => false,
    }
}
