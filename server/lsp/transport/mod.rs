//! Bytes in, bytes out: frames, the two plain threads, the loop between them, and the watch over the parent.
//!
//! tower-lsp's own `Server` answers out of order as soon as a handler awaits, ends at the first malformed frame, drops
//! what follows `initialize` in the same write and never ends when the client forgets to close the pipe. Its service
//! and types are sound, so only the loop is ours.

pub(crate) mod client;
pub(crate) mod frame;
pub(crate) mod parent;
pub(crate) mod read;
pub(crate) mod serve;
pub(crate) mod write;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks `mutex` whether or not a thread panicked while it held it: what we guard is valid between any two statements.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
