//! The language server: transport, sessions, hover, publishing.
