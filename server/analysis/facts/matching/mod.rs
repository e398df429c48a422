//! Commands that were read, held against the catalogue.
//!
//! The reader says what would run; the catalogue says which of that loses something. Nothing here knows where the
//! text came from or who forbids it.

mod flow;
mod operand;
mod options;
mod saved;
mod special;

use std::ops::Range;

use super::command::{Candidate, Dialect, Place, RedirectOp, Script, Simple, Word, candidates, permitted};
use crate::catalogue::{
    self, Catalogue, CommandEntry, DialectName, Example, GateHits, OperandTests, Own, Pipe, RuleId, Severity,
    Style,
};
use crate::lines::Lang;
use options::Arguments;

/// How many findings back the same one is looked for: no pipeline that anybody writes has more.
const NEARBY: usize = 64;

/// A dangerous command in a scan unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandHit {
    /// The rule.
    pub rule: RuleId,
    /// The catalogue entry's id within the rule.
    pub pattern: &'static str,
    /// Graded by what is lost.
    pub severity: Severity,
    /// Byte range in the unit: from the outermost wrapper's first word to the last operand; a pipeline rule spans the
    /// pipeline.
    pub range: Range<usize>,
    /// Whether it belongs to the command (or the code span that is one) with which a list entry begins.
    pub leads: bool,
    /// Whether an affirmative prefix (always, must, run, execute, use, follow) stands before it.
    pub affirmed: bool,
    /// The rule of an entry that yields to this one on the same words.
    pub also: Option<RuleId>,
}

/// Finds the dangerous commands in `unit`: its lines joined by `\n`, without container prefixes and list markers. `own`
/// are the project's own.
pub fn scan(unit: &str, place: Place, own: Option<&Own>, hits: &mut Vec<CommandHit>) {
    for candidate in candidates(unit, place) {
        match_candidate(&candidate, own, hits);
    }
}

/// Finds what begins in the first `own` bytes of `text` and ends behind them: what is fetched here and run on a later line.
pub fn scan_ahead(text: &str, own: usize, place: Place, hits: &mut Vec<CommandHit>) {
    let runs = ["sh", "eval", "source", ". ", "./", "/", "python", "perl", "ruby", "node", "php"];
    if !text.get(own..).is_some_and(|behind| runs.iter().any(|name| behind.contains(name))) {
        return;
    }
    let catalogue = Catalogue::get();
    for candidate in candidates(text, place) {
        let script = &candidate.script;
        let here = script.commands.iter().enumerate().take_while(|(_, command)| command.span.start < own);
        for (at, command) in here {
            let lower = command.program.to_ascii_lowercase();
            let later = |entry: &CommandEntry| matches!(entry.pipe, Some(Pipe::File | Pipe::Variable));
            for (rule, entry) in catalogue.entries_for(&lower).filter(|(_, entry)| later(entry)) {
                let Some(range) = names(entry, command).then(|| matches(entry, script, at)).flatten() else {
                    continue;
                };
                if range.start < own && own < range.end {
                    hits.push(CommandHit {
                        rule,
                        pattern: entry.id.as_str(),
                        severity: severity(entry, command, catalogue.rule(rule).severity),
                        range,
                        leads: candidate.leads,
                        affirmed: candidate.affirmed,
                        also: None,
                    });
                }
            }
        }
    }
}

/// What an entry's example gives, by the built-in catalogue and `own`, through the gate, the reader and the matcher.
#[must_use]
pub fn in_example(example: &Example, own: Option<&Own>) -> Vec<CommandHit> {
    let place = match example.place {
        catalogue::Place::Shell => Place::Code(Lang::Shell),
        catalogue::Place::Console => Place::Code(Lang::Console),
        catalogue::Place::Powershell => Place::Code(Lang::PowerShell),
        catalogue::Place::Cmd => Place::Code(Lang::Cmd),
        catalogue::Place::Sql => Place::Code(Lang::Sql),
        catalogue::Place::Prose => Place::Prose,
        catalogue::Place::Item => Place::Item,
        catalogue::Place::Row => Place::Row,
    };
    let mut gate = GateHits::default();
    let mut hits = Vec::new();
    let open = example.text.lines().any(|line| {
        Catalogue::get().gate(line, &mut gate);
        gate.commands()
            || own.is_some_and(|own| {
                own.look(line, &mut gate);
                gate.commands()
            })
    });
    if open {
        scan(&example.text, place, own, &mut hits);
    }
    hits
}

/// Finds the dangerous commands in a permission rule, the bytes `range` of `unit`.
pub fn scan_rule(unit: &str, range: Range<usize>, own: Option<&Own>, hits: &mut Vec<CommandHit>) {
    if let Some(candidate) = permitted(unit, range) {
        match_candidate(&candidate, own, hits);
    }
}

/// Adds the dangerous commands of `candidate` to `hits`: of each command at most one per rule, the first entry that
/// matches, in the order of the commands' start.
pub fn match_candidate(candidate: &Candidate, own: Option<&Own>, hits: &mut Vec<CommandHit>) {
    let (catalogue, script) = (Catalogue::get(), &candidate.script);
    for (at, command) in script.commands.iter().enumerate() {
        if flow::asked_first(script, at) {
            continue;
        }
        let lower = command.program.to_ascii_lowercase();
        let first = hits.len();
        let mut last: Option<RuleId> = None;
        let mut yielding = None;
        match_wrappers(candidate, command, hits);
        let built_in = catalogue.entries_for(&lower).map(|(rule, entry)| (rule, entry, entry.id.as_str()));
        let own = own.into_iter().flat_map(|own| own.entries_for(&lower));
        for (rule, entry, pattern) in built_in.chain(own) {
            if last == Some(rule)
                || !names(entry, command)
                || (candidate.bare
                    && !(unlike_prose(entry, command) || (candidate.leads && !entry.wrapped_by.is_empty())))
            {
                continue;
            }
            let Some(range) = matches(entry, script, at) else { continue };
            last = Some(rule);
            let hit = CommandHit {
                rule,
                pattern,
                severity: severity(entry, command, catalogue.rule(rule).severity),
                range,
                leads: candidate.leads,
                affirmed: candidate.affirmed,
                also: None,
            };
            if entry.yields {
                yielding = yielding.or(Some(hit));
            } else if !hits
                .iter()
                .rev()
                .take(NEARBY)
                .any(|known| known.rule == rule && known.range == hit.range)
            {
                // Two stages of one pipeline are one finding.
                hits.push(hit);
            }
        }
        if hits.len() == first {
            hits.extend(yielding);
        } else if let Some(yielding) = yielding {
            hits[first..].iter_mut().for_each(|hit| hit.also = Some(yielding.rule));
        }
    }
}

/// Adds what the entries say that are about a program which runs `command`.
fn match_wrappers(candidate: &Candidate, command: &Simple, hits: &mut Vec<CommandHit>) {
    let catalogue = Catalogue::get();
    // However many wrappers somebody writes, a rule speaks of few of them.
    for wrapper in command.wrappers.iter().take(NEARBY) {
        let program = wrapper.name.split(' ').next().unwrap_or_default();
        let mut entries = catalogue.entries_for(program).filter(|(_, entry)| entry.outer).peekable();
        if entries.peek().is_none() {
            continue;
        }
        let inside = |word: &&Word| {
            !word.value.is_empty()
                && wrapper.span.start <= word.span.start
                && word.span.end <= wrapper.span.end
        };
        let words = command.outer.iter().filter(inside).cloned().collect();
        let outer = Simple {
            span: wrapper.span.start..command.span.end,
            program: program.to_owned(),
            words,
            dialect: command.dialect,
            ..Simple::default()
        };
        let script = Script { commands: vec![outer], ..Script::default() };
        let mut last = None;
        for (rule, entry) in entries {
            let Some(range) = (last != Some(rule)).then(|| matches(entry, &script, 0)).flatten() else {
                continue;
            };
            last = Some(rule);
            let severity = severity(entry, &script.commands[0], catalogue.rule(rule).severity);
            let pattern = entry.id.as_str();
            hits.push(CommandHit {
                rule,
                pattern,
                severity,
                range,
                leads: candidate.leads,
                affirmed: candidate.affirmed,
                also: None,
            });
        }
    }
}

/// Whether the entry is about a program of this name and dialect. Case matters where the program's file name does.
fn names(entry: &CommandEntry, command: &Simple) -> bool {
    let dialect = match command.dialect {
        Dialect::Posix => DialectName::Posix,
        Dialect::PowerShell => DialectName::Powershell,
        Dialect::Cmd => DialectName::Cmd,
        Dialect::Sql => DialectName::Sql,
    };
    let any_case =
        matches!(entry.style, Style::Powershell | Style::Slash) || command.dialect != Dialect::Posix;
    // Some file systems do not care, and a sentence begins with a capital; an option says that it is no sentence.
    let exact = any_case
        || command.program.bytes().all(|byte| !byte.is_ascii_uppercase())
        || command.args().iter().any(|word| word.value.len() > 1 && word.value.starts_with('-'));
    let spoken = entry.dialects.is_empty() || entry.dialects.contains(&dialect);
    spoken && (exact || entry.programs.iter().any(|name| name == "*"))
}

/// The range of the finding, if `entry` matches the command `at`.
fn matches(entry: &CommandEntry, script: &Script, at: usize) -> Option<Range<usize>> {
    let command = &script.commands[at];
    if !entry.wrapped_by.is_empty() && !entry.wrapped_by.iter().any(|name| command.wrapped_by(name)) {
        return None;
    }
    if !entry.inside.is_empty() && !flow::found_by(script, at, &entry.inside) {
        return None;
    }
    let has_word = |form: &String| command.words.iter().any(|word| operand::like(form, &word.value, true));
    if !entry.words.is_empty() && !entry.words.iter().any(has_word) {
        return None;
    }
    // cheap looks first: telling the arguments apart costs an allocation for each option
    let names_sub = |words: &String| {
        let mut choices = words.split('|');
        choices.any(|choice| {
            command.args().iter().any(|word| operand::like(choice, &word.value, entry.operands.any_case))
        })
    };
    if !redirects_pass(entry, command) || !entry.sub.iter().all(names_sub) {
        return None;
    }
    let arguments = Arguments::read(entry, command.args());
    let operands = arguments.after_sub(entry)?;
    let answered = flow::answered(script, at);
    if arguments.asks_for_help(entry)
        || arguments.holds_any(entry, &entry.defused_by)
        || arguments.has_any(entry, &entry.without)
        || !((entry.asks && answered) || entry.flags.iter().all(|group| arguments.has_any(entry, group)))
        || (!answered && entry.last_wins.iter().any(|pair| arguments.defused(entry, pair)))
        || !operands_pass(&entry.operands, &operands, flow::fed_operands(script, at))
        || entry.when.is_some_and(|special| !special::holds(special, script, at))
    {
        return None;
    }
    match entry.pipe {
        None => Some(flow::range(script, at)),
        Some(Pipe::Interpreter) => flow::into_interpreter(script, at),
        Some(Pipe::File) => saved::file_run(script, at),
        Some(Pipe::Variable) => saved::text_run(script, at),
        Some(Pipe::Upload) => flow::into_upload(script, at),
        Some(Pipe::Removal) => flow::into_removal(script, at),
    }
}

/// Whether the operands pass; `fed` says that more of them come from elsewhere (`xargs`, `find -exec`).
fn operands_pass(tests: &OperandTests, operands: &[&Word], fed: bool) -> bool {
    let passes =
        |list: &[String], word: &Word| list.iter().any(|test| operand::passes(test, word, tests.any_case));
    let end = |list: &[String], word: Option<&&Word>| {
        list.is_empty() || word.is_some_and(|word| passes(list, word))
    };
    end(&tests.first, operands.first())
        && end(&tests.last, operands.last())
        && (tests.some.is_empty() || operands.iter().any(|word| passes(&tests.some, word)))
        && (tests.all.is_empty()
            || (!operands.is_empty() && operands.iter().all(|word| passes(&tests.all, word))))
        && !operands.iter().any(|word| passes(&tests.none, word))
        && operands.len() + usize::from(fed) >= tests.at_least
        && tests.at_most.is_none_or(|most| operands.len() <= most)
}

fn redirects_pass(entry: &CommandEntry, command: &Simple) -> bool {
    let (to, writes) = (&entry.redirects.to, &entry.redirects.overwrites);
    to.is_empty()
        || command.redirects.iter().any(|redirect| {
            // `>& FILE` is `&> FILE` where no descriptor stands (bash(1), "Redirecting Standard Output and Standard Error")
            let file = || {
                redirect.target.value.bytes().any(|byte| !byte.is_ascii_digit())
                    && redirect.target.value != "-"
            };
            let over = matches!(redirect.op, RedirectOp::Write | RedirectOp::Both)
                || (redirect.op == RedirectOp::Duplicate && file());
            let out = over || (!writes && matches!(redirect.op, RedirectOp::Append | RedirectOp::AppendBoth));
            out && to.iter().any(|test| operand::passes(test, &redirect.target, false))
        })
}

fn severity(entry: &CommandEntry, command: &Simple, of_rule: Severity) -> Severity {
    let arguments = Arguments::read(entry, command.args());
    let operands = arguments.after_sub(entry).unwrap_or_default();
    let grade = entry.severity_when.iter().find(|grade| {
        (grade.flags.is_empty() || arguments.has_any(entry, &grade.flags))
            && (grade.words.is_empty() || arguments.words().any(|word| grade.words.contains(&word.value)))
            && operands_pass(&grade.operands, &operands, false)
    });
    grade.map(|grade| grade.severity).or(entry.severity).unwrap_or(of_rule)
}

/// Whether a command that stands bare in a sentence has something that no English sentence has: an option, a path, a
/// variable, a number; or a program whose name is no word, with its subcommand.
fn unlike_prose(entry: &CommandEntry, command: &Simple) -> bool {
    const WORDS: [&str; 16] = [
        "find", "format", "fetch", "service", "kill", "shred", "parted", "sql", "at", "fly", "install",
        "move", "copy", "del", "erase", "http",
    ];
    let odd = |word: &Word| {
        (word.value.len() > 1 && word.value.starts_with(['-', '+', '/', '~', '$']))
            || word.value.contains(['=', '$', '\\', '*'])
            || word.value.trim_end_matches('.').contains('/')
            || word.value.bytes().all(|byte| byte.is_ascii_digit())
    };
    command.args().iter().any(odd)
        || (!entry.sub.is_empty() && !WORDS.contains(&command.program.as_str()))
        || entry.pipe.is_some()
        || !entry.redirects.to.is_empty()
}

#[cfg(test)]
mod tests;
