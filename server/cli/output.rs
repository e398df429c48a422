//! Where output goes, and what is said when it cannot.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use caveat_workspace::name::escaped;
use caveat_workspace::walk::PlanError;

use crate::arguments::Color;

/// Why a command did not do what was asked: wrong usage, a wrong configuration, output that cannot be written. Status 2.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    /// Wrong usage, in words of ours.
    pub(crate) fn usage(what: impl Into<String>) -> Failure {
        Failure(what.into())
    }

    /// Tells it on stderr and gives the status.
    pub(crate) fn told(&self) -> ExitCode {
        // Nobody is left to be told if stderr is gone.
        let _ = writeln!(anstream::stderr(), "caveat: {}", self.0);
        ExitCode::from(2)
    }
}

impl From<PlanError> for Failure {
    fn from(error: PlanError) -> Failure {
        Failure(error.to_string())
    }
}

/// Has `write` write to the file `to`, or to stdout. Colour is taken out where it does not belong. A reader of stdout
/// that went away (`| head`) is no failure.
pub(crate) fn write(
    to: Option<&Path>,
    color: Color,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let Some(path) = to else {
        return written(to_stdout(color, write), &"standard output");
    };
    let name = path.to_string_lossy();
    let file = File::create(path).and_then(|file| {
        let choice = if color == Color::Always { color.choice() } else { anstream::ColorChoice::Never };
        let mut out = anstream::AutoStream::new(Box::new(BufWriter::new(file)) as Box<dyn Write>, choice);
        write(&mut out)?;
        out.flush()
    });
    written(file, &escaped(&name))
}

/// As [`write`], for formats in which there is no colour to take out.
pub(crate) fn write_plain(
    to: Option<&Path>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let through = |mut out: BufWriter<Box<dyn Write>>| {
        write(&mut out)?;
        out.flush()
    };
    let Some(path) = to else {
        return written(through(BufWriter::new(Box::new(io::stdout().lock()))), &"standard output");
    };
    let name = path.to_string_lossy();
    let result = File::create(path).and_then(|file| through(BufWriter::new(Box::new(file))));
    written(result, &escaped(&name))
}

fn to_stdout(color: Color, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let stdout = io::stdout();
    let choice = match color {
        Color::Auto => anstream::AutoStream::choice(&stdout),
        set => set.choice(),
    };
    let mut out =
        anstream::AutoStream::new(Box::new(BufWriter::new(stdout.lock())) as Box<dyn Write>, choice);
    write(&mut out)?;
    out.flush()
}

fn written(result: io::Result<()>, to: &dyn Display) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure(format!("the output cannot be written to {to}")))
        }
        _ => Ok(()),
    }
}
