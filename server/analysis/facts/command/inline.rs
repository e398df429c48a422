//! Commands inside the words of other commands: the string of `sh -c`, `eval`'s words, what `find -exec` runs, the SQL
//! that `psql -c` sends.

use super::dialect::Dialect;
use super::origin::Origin;
use super::places::schedule;
use super::read::Reader;
use super::redirects::writes_script;
use super::runners;
use super::script::{Feed, Simple, Via, Word};

/// POSIX-like shells.
const SHELLS: &[&str] =
    &["sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "mksh", "rbash", "su", "runuser"];

/// Wrappers that hand their words to a shell.
const HAND_ON: &[&str] =
    &["ssh", "watch", "adb shell", "parallel", "flock", "heroku run", "wsl", "git submodule foreach", "entr"];

/// Options of a shell that take a value.
const SHELL_VALUES: &[&str] = &["-o", "+o", "-O", "+O", "--rcfile", "--init-file"];

fn is_shell(program: &str) -> bool {
    SHELLS.contains(&program)
}

fn is_powershell(program: &str) -> bool {
    matches!(program, "powershell" | "pwsh")
}

/// The dialect in which a command runs its standard input, if it does.
pub(super) fn runs_its_input(simple: &Simple) -> Option<Dialect> {
    let program = simple.program.as_str();
    if is_shell(program) {
        let mut args = simple.args().iter();
        while let Some(arg) = args.next() {
            let value = arg.value.as_str();
            if SHELL_VALUES.contains(&value) {
                args.next();
            } else if value == "-s" || value == "-" || value == "--" || value == "/dev/stdin" {
                return Some(Dialect::Posix);
            } else if !value.starts_with(['-', '+']) || (!value.starts_with("--") && value.contains('c')) {
                return None;
            }
        }
        return Some(Dialect::Posix);
    }
    if is_powershell(program) {
        return match simple.args() {
            [] => Some(Dialect::PowerShell),
            args => args.iter().any(|arg| arg.value == "-").then_some(Dialect::PowerShell),
        };
    }
    // `ssh host` alone: the words after the host were taken off with it
    (program == "ssh" || matches!(program, "parallel" | "at" | "batch")).then_some(Dialect::Posix)
}

/// Whether a command sends SQL that it is fed.
pub(super) fn wants_sql(simple: &Simple) -> bool {
    matches!(
        simple.program.as_str(),
        "psql" | "mysql" | "mariadb" | "sqlite3" | "sqlcmd" | "sqlplus" | "cockroach" | "clickhouse-client"
    )
}

/// Whether a command prints its words.
fn is_printer(simple: &Simple) -> bool {
    matches!(simple.program.as_str(), "echo" | "printf" | "write-output" | "print")
}

/// Words joined by blanks, as `eval` does (POSIX `eval`), with the way back.
fn join(words: &[Word]) -> (String, Origin) {
    let mut text = String::new();
    let mut origin = Origin::default();
    for word in words {
        if !text.is_empty() {
            origin.push(text.len(), word.span.start, word.span.start);
            text.push(' ');
        }
        word.origin.copy(0, word.value.len(), text.len(), &mut origin);
        text.push_str(&word.value);
    }
    (text, origin)
}

/// What a command runs out of its own words.
enum Inner {
    /// The words from this one on, joined.
    Joined(usize, Dialect),
    /// This word.
    One(usize, Dialect),
    /// The words of this range, as a command of their own.
    Exec(std::ops::Range<usize>),
    /// The words from this one on, as a command that this one hands on.
    Behind(usize),
    /// This word from this byte of its value on.
    Part(usize, usize),
}

impl Reader<'_> {
    /// Reads what the command at `index` runs out of its own words.
    pub(super) fn inner(&mut self, index: usize) {
        let found = find_inner(&self.out.script.commands[index]);
        for inner in found {
            match inner {
                Inner::Joined(from, dialect) => {
                    let (text, origin) = join(&self.out.script.commands[index].words[from..]);
                    self.again(&text, &origin, dialect, Some((index, Via::Inline)));
                }
                Inner::One(at, dialect) => {
                    let word = self.out.script.commands[index].words[at].clone();
                    self.again(&word.value, &word.origin, dialect, Some((index, Via::Inline)));
                }
                Inner::Exec(range) => {
                    let words: Vec<Word> = self.out.script.commands[index].words[range].to_vec();
                    self.exec(words, index, Via::Exec);
                }
                Inner::Behind(from) => {
                    let words: Vec<Word> = self.out.script.commands[index].words[from..].to_vec();
                    self.exec(words, index, Via::Inline);
                }
                Inner::Part(at, from) => {
                    let word = self.out.script.commands[index].words[at].clone();
                    let mut origin = Origin::default();
                    word.origin.copy(from, word.value.len(), 0, &mut origin);
                    self.again(&word.value[from..], &origin, Dialect::Posix, Some((index, Via::Inline)));
                }
            }
        }
        self.options_of_ssh(index);
        let simple = &self.out.script.commands[index];
        let runs = runs_its_input(simple).or_else(|| wants_sql(simple).then_some(Dialect::Sql));
        if let (Feed::HereString(word), Some(dialect)) = (&simple.feed, runs) {
            let word = word.clone();
            self.again(&word.value, &word.origin, dialect, Some((index, Via::Document)));
        }
        self.indirect(index);
        let simple = &self.out.script.commands[index];
        if is_printer(simple)
            && simple.parent.is_none_or(|parent| parent.via != Via::Data)
            && writes_script(simple)
        {
            self.print(index, Dialect::Posix);
        }
    }

    /// Commands in the options of an `ssh` that was taken off.
    fn options_of_ssh(&mut self, index: usize) {
        let simple = &self.out.script.commands[index];
        if !simple.wrapped_by("ssh") {
            return;
        }
        let commands =
            simple.outer.iter().filter_map(|word| Some((word.clone(), runners::ssh_option(&word.value)?)));
        for (word, from) in commands.take(8).collect::<Vec<_>>() {
            let mut origin = Origin::default();
            word.origin.copy(from, word.value.len(), 0, &mut origin);
            self.again(&word.value[from..], &origin, Dialect::Posix, Some((index, Via::Inline)));
        }
    }

    /// Reads words that were read already as a command of their own.
    fn exec(&mut self, words: Vec<Word>, parent: usize, via: Via) {
        if self.depth >= super::words::DEPTH || self.out.budget < 16 {
            return;
        }
        self.out.budget -= 16;
        self.depth += 1;
        self.stage(words, parent, via);
        self.depth -= 1;
    }

    /// A string that is only handed on runs where the next stage is a shell: `echo 'rm -rf x' | sh`.
    pub(super) fn data(&mut self, stages: &[usize]) {
        for pair in stages.windows(2) {
            let commands = &self.out.script.commands;
            let (giver, taker) = (&commands[pair[0]], &commands[pair[1]]);
            let runs = runs_its_input(taker).or_else(|| wants_sql(taker).then_some(Dialect::Sql));
            let Some(dialect) = runs.or_else(|| writes_script(taker).then_some(Dialect::Posix)) else {
                continue;
            };
            if is_printer(giver) {
                self.print(pair[0], dialect);
            } else if let (Feed::HereString(word), "cat") = (&giver.feed, giver.program.as_str()) {
                let word = word.clone();
                self.again(&word.value, &word.origin, dialect, Some((pair[0], Via::Data)));
            }
        }
    }

    /// Reads what the command `giver` prints as commands: `echo`'s words, `printf`'s without a format that only
    /// joins them.
    pub(super) fn print(&mut self, giver: usize, dialect: Dialect) {
        let simple = &self.out.script.commands[giver];
        let args = simple.args();
        let mut skip = args.iter().take_while(|word| word.value.starts_with('-')).count();
        let joins = |word: &Word| word.value.replace("%s", "").replace("\\n", "").trim().is_empty();
        if simple.program == "printf" && args.len() > skip + 1 && joins(&args[skip]) {
            skip += 1;
        }
        let (text, mut origin) = join(args.get(skip..).unwrap_or_default());
        // a line of a cron table, and what it runs
        let from = schedule(&text).unwrap_or_default();
        if from > 0 {
            let mut part = Origin::default();
            origin.copy(from, text.len(), 0, &mut part);
            origin = part;
        }
        self.again(&text[from..], &origin, dialect, Some((giver, Via::Data)));
    }

    /// Reads the substitution at the current place, which no word holds.
    pub(super) fn expansion(&mut self, parent: usize) {
        let before = self.at;
        let _ = self.loose_piece(parent);
        if self.at == before {
            self.at += 1;
        }
    }
}

/// The place after the option `-c` (or one that ends with it, as `-lc`) of a shell.
fn after_c(simple: &Simple) -> Option<usize> {
    let words = &simple.words;
    let mut at = 1;
    while at < words.len() {
        let value = words[at].value.as_str();
        if matches!(value, "--command" | "--session-command") {
            return (at + 1 < words.len()).then_some(at + 1);
        }
        if SHELL_VALUES.contains(&value) {
            at += 1;
        } else if value.starts_with('-') && !value.starts_with("--") && value.contains('c') {
            // further options may stand between: `bash -c -e '…'`
            let mut next = at + 1;
            while next < words.len() && words[next].value.starts_with('-') && !words[next].quoted {
                next += 1;
            }
            return (next < words.len()).then_some(next);
        } else if !value.starts_with(['-', '+']) && !matches!(simple.program.as_str(), "su" | "runuser") {
            return None;
        }
        at += 1;
    }
    None
}

fn find_inner(simple: &Simple) -> Vec<Inner> {
    let words = &simple.words;
    let program = simple.program.as_str();
    let value_of = |names: &[&str]| {
        words.iter().enumerate().skip(1).find_map(|(at, word)| {
            (names.iter().any(|name| word.value.eq_ignore_ascii_case(name)) && at + 1 < words.len())
                .then_some(at + 1)
        })
    };
    // `ssh host 'rm -rf x; y'`: these hand their words, joined, to a shell
    if let Some(last) = simple.wrappers.last() {
        let split = |word: &Word, signs: &[char]| word.quoted && word.value.contains(signs);
        let joins = HAND_ON.contains(&last.name);
        match words.as_slice() {
            [word] | [word, ..]
                if joins
                    && (words.len() == 1 || (last.name == "parallel" && word.quoted))
                    && split(word, &[' ', ';', '|', '&', '$']) =>
            {
                return vec![Inner::One(0, Dialect::Posix)];
            }
            words if joins && words.iter().any(|word| split(word, &[';', '|', '&'])) => {
                return vec![Inner::Joined(0, Dialect::Posix)];
            }
            _ => {}
        }
    }
    if is_shell(program) {
        // a step of a pipeline, `sh 'make; make install'` (Jenkins): no file is called so
        let step = || match words.as_slice() {
            [_, only] if only.quoted && only.value.trim().contains(char::is_whitespace) => Some(1),
            _ => None,
        };
        return after_c(simple).or_else(step).map(|at| Inner::One(at, Dialect::Posix)).into_iter().collect();
    }
    if is_powershell(program) {
        let at = value_of(&["-Command", "-c", "-Com", "/c", "-comm"]);
        return at.map(|at| Inner::Joined(at, Dialect::PowerShell)).into_iter().collect();
    }
    match program {
        "cmd" => {
            value_of(&["/c", "/k", "//c"]).map(|at| Inner::Joined(at, Dialect::Cmd)).into_iter().collect()
        }
        "eval" => (words.len() > 1).then_some(Inner::Joined(1, Dialect::Posix)).into_iter().collect(),
        "iex" | "invoke-expression" => {
            (words.len() > 1).then_some(Inner::Joined(1, Dialect::PowerShell)).into_iter().collect()
        }
        "trap" if words.len() > 2 => vec![Inner::One(1, Dialect::Posix)],
        "env" => {
            let split = words.iter().position(|word| word.value == "-S" || word.value == "--split-string");
            split
                .filter(|at| at + 1 < words.len())
                .map(|at| Inner::Joined(at + 1, Dialect::Posix))
                .into_iter()
                .collect()
        }
        "script" | "flock" | "vagrant" => {
            value_of(&["-c", "--command"]).map(|at| Inner::One(at, Dialect::Posix)).into_iter().collect()
        }
        "gcloud" => {
            let joined = words.iter().enumerate().skip(1);
            let joined = joined.filter(|(_, word)| word.value.starts_with("--command="));
            let joined = joined.map(|(at, _)| Inner::Part(at, "--command=".len()));
            value_of(&["--command"])
                .map(|at| Inner::One(at, Dialect::Posix))
                .into_iter()
                .chain(joined)
                .collect()
        }
        "fly" | "flyctl" => {
            value_of(&["-C", "--command"]).map(|at| Inner::One(at, Dialect::Posix)).into_iter().collect()
        }
        "ansible" => {
            value_of(&["-a", "--args"]).map(|at| Inner::One(at, Dialect::Posix)).into_iter().collect()
        }
        "tmux" => {
            let runs = words.iter().any(|word| {
                matches!(
                    word.value.as_str(),
                    "new"
                        | "new-session"
                        | "new-window"
                        | "neww"
                        | "split-window"
                        | "splitw"
                        | "send-keys"
                        | "send"
                        | "run-shell"
                        | "run"
                        | "respawn-pane"
                )
            });
            let quoted =
                words.iter().enumerate().skip(2).filter(|(_, word)| word.quoted && word.value.contains(' '));
            if runs { quoted.map(|(at, _)| Inner::One(at, Dialect::Posix)).collect() } else { Vec::new() }
        }
        "screen" => {
            let mut at = 1;
            while at < words.len() && words[at].value.starts_with('-') {
                at += if matches!(
                    words[at].value.as_str(),
                    "-S" | "-c" | "-e" | "-h" | "-p" | "-s" | "-t" | "-T" | "-dmS" | "-DmS" | "-mdS"
                ) {
                    2
                } else {
                    1
                };
            }
            if at < words.len() { vec![Inner::Exec(at..words.len())] } else { Vec::new() }
        }
        "find" | "gfind" => {
            let mut found = Vec::new();
            let mut at = 1;
            while at < words.len() {
                if matches!(words[at].value.as_str(), "-exec" | "-execdir" | "-ok" | "-okdir") {
                    let from = at + 1;
                    let to = words[from..]
                        .iter()
                        .position(|word| matches!(word.value.as_str(), ";" | "+"))
                        .map_or(words.len(), |len| from + len);
                    if from < to {
                        found.push(Inner::Exec(from..to));
                    }
                    at = to;
                }
                at += 1;
            }
            found
        }
        "fd" | "fdfind" => {
            let from = value_of(&["-x", "-X", "--exec", "--exec-batch"]);
            from.map(|at| Inner::Exec(at..words.len())).into_iter().collect()
        }
        "psql" | "cockroach" => value_of(&["-c", "--command", "-e", "--execute"])
            .map(|at| Inner::One(at, Dialect::Sql))
            .into_iter()
            .collect(),
        "mysql" | "mariadb" => {
            value_of(&["-e", "--execute"]).map(|at| Inner::One(at, Dialect::Sql)).into_iter().collect()
        }
        "sqlcmd" => value_of(&["-Q", "-q"]).map(|at| Inner::One(at, Dialect::Sql)).into_iter().collect(),
        "clickhouse-client" => {
            value_of(&["-q", "--query"]).map(|at| Inner::One(at, Dialect::Sql)).into_iter().collect()
        }
        "bq" => words
            .iter()
            .enumerate()
            .skip(1)
            .filter(|(_, word)| word.quoted && word.value.contains(' '))
            .map(|(at, _)| Inner::One(at, Dialect::Sql))
            .collect(),
        "sqlite3" => {
            let strings =
                words.iter().enumerate().skip(2).filter(|(_, word)| !word.value.starts_with(['-', '.']));
            strings.map(|(at, _)| Inner::One(at, Dialect::Sql)).collect()
        }
        _ => {
            let strings = runners::strings(simple).into_iter().map(|(at, from)| Inner::Part(at, from));
            strings.chain(runners::command_behind(simple).map(Inner::Behind)).collect()
        }
    }
}
