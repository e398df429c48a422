//! The tests that the catalogue's data cannot say, each a function with its reason.

use super::super::command::{Script, Simple};
use crate::catalogue::Special;

/// Whether `special` holds of the command `at`.
pub(super) fn holds(special: Special, script: &Script, at: usize) -> bool {
    match special {
        Special::ForkBomb => fork_bomb(script, at),
        Special::SqlUnbounded => sql_unbounded(&script.commands[at]),
    }
}

/// `f() { f | f & }; f`, whatever `f` is called: two stages in a row of one pipeline call the same program without a
/// word more. No program does anything useful in that way, so neither the definition nor the `&` is asked for.
fn fork_bomb(script: &Script, at: usize) -> bool {
    let command = &script.commands[at];
    let alone = |command: &Simple| command.args().is_empty() && command.redirects.is_empty();
    script.pipeline_of(at).is_some_and(|pipeline| {
        pipeline.stages.windows(2).any(|pair| {
            let (one, two) = (&script.commands[pair[0]], &script.commands[pair[1]]);
            pair[0] == at
                && alone(one)
                && alone(two)
                && one.program == two.program
                && !command.program.is_empty()
        })
    })
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
