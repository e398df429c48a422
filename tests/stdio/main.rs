//! The server as an editor uses it: the real binary, driven over its standard streams.

mod client;
mod lifecycle;
mod sync;
mod transport;
