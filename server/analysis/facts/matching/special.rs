//! The tests that the catalogue's data cannot say, each a function with its reason.

use super::super::command::{Script, Simple};
use crate::catalogue::Special;

/// Whether `special` holds of the command `at`.
pub(super) fn holds(special: Special, script: &Script, at: usize) -> bool {
    match special {
        Special::ForkBomb => fork_bomb(script, at),
        Special::SqlUnbounded => sql_unbounded(&script.commands[at]),
        Special::FedAFile => super::flow::fed_a_file(&script.commands[at]),
    }
}

/// `f() { f | f & }; f`, whatever `f` is called: one pipeline of two stages that call the same program without a word
/// more, and the same call once more outside of it, without which nothing starts. A table's row of equal cells has no
/// such second call.
fn fork_bomb(script: &Script, at: usize) -> bool {
    let name = &script.commands[at].program;
    let called = |command: usize| {
        let command = &script.commands[command];
        command.program == *name && command.args().is_empty() && command.redirects.is_empty()
    };
    let twice = script.pipeline_of(at).is_some_and(|pipeline| {
        pipeline.stages.first() == Some(&at)
            && pipeline.stages.len() == 2
            && pipeline.stages.iter().all(|s| called(*s))
    });
    // the call comes soon after: many functions and no call must not cost their square
    let started = || {
        let near = script.commands.iter().enumerate().skip(at).take(32).map(|(later, _)| later);
        near.filter(|later| called(*later))
            .any(|later| script.pipeline_of(later).is_some_and(|pipeline| pipeline.stages == [later]))
    };
    !name.is_empty() && twice && started()
}

/// A condition spares something unless it is always true: `1 = 1`, `true`.
fn sql_unbounded(command: &Simple) -> bool {
    let mut words = command.args().iter().map(|word| word.value.as_str());
    let Some(_) = words.find(|word| word.eq_ignore_ascii_case("where")) else { return true };
    let condition: Vec<&str> = words.collect();
    match condition.as_slice() {
        [one] => one.eq_ignore_ascii_case("true") || *one == "1",
        [a, "=", b] => a == b,
        _ => false,
    }
}
