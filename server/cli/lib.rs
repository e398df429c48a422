//! The command line: arguments and output formats.
