//! A fault of ours must not tell what a document says.

use std::io::Write as _;

/// From now on a panic prints its place in our source, and not its message: messages of slices and parsers quote what
/// they were given.
pub fn keep_quiet_about_values() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
        let _ = writeln!(std::io::stderr(), "caveat: a fault of caveat itself{place}; please report it");
    }));
}
