//! The server as an editor uses it: the real binary, driven over its standard streams.

mod actions;
mod client;
mod config;
mod diagnostics;
mod held;
mod help;
mod hostile;
mod hover;
#[cfg(debug_assertions)]
mod late;
mod lifecycle;
mod no_text;
mod sync;
mod transport;
mod whole;
mod workspace;
