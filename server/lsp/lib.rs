//! The language server: transport, sessions, hover, publishing.
//!
//! [`transport`] moves messages and knows nothing of documents; [`backend`] turns each message into one call of
//! [`session`], which holds the open documents and decides what the client is shown. Everything about a document's
//! content is asked of `caveat-analysis`.

mod actions;
mod backend;
mod capabilities;
mod complete_config;
mod completion;
mod day;
mod edit;
mod hints;
mod hover;
mod lane;
mod late;
mod project;
mod publish;
mod session;
mod settings;
mod survey;
mod sync;
mod transport;
mod uri;

use std::io::{self, Write};
use std::sync::Arc;

use tokio::sync::mpsc;

use backend::Backend;
use session::Session;
use transport::client::Client;
use transport::parent;
use transport::read::{self, Backlog, Event};
use transport::serve::Server;
use transport::write::Outbox;

/// How many threads there are for work that would hold up the loop.
const POOL: usize = 2;

/// How `caveat lsp` was called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// `--clientProcessId`: the process whose end ends us, also before `initialize` names one.
    pub client_process_id: Option<u32>,
}

/// Serves one client over stdin and stdout until it says `exit` or goes away. Returns the exit status: 0 after
/// `shutdown` and `exit`, else 1. The caller ends the process with it: a thread of ours may still wait for input.
#[must_use]
pub fn run(options: Options) -> i32 {
    std::panic::set_hook(Box::new(|panic| {
        // The payload may quote a document; the place cannot.
        let _ = match panic.location() {
            Some(place) => writeln!(io::stderr(), "caveat: panic at {}:{}", place.file(), place.line()),
            None => writeln!(io::stderr(), "caveat: panic"),
        };
    }));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(POOL)
        .enable_time()
        .build();
    let (Ok(runtime), Ok(output)) = (runtime, stdout()) else {
        let _ = writeln!(io::stderr(), "caveat: the system gave no threads or no standard output");
        return 1;
    };
    let (sender, events) = mpsc::unbounded_channel();
    let (outbox, backlog) = (Outbox::default(), Backlog::default());
    let client = Client::new(outbox.clone());
    if let Some(id) = options.client_process_id {
        parent::watch(id, sender.clone());
    }
    std::thread::spawn({
        let sender = sender.clone();
        move || {
            outbox.write_to(output);
            let _ = sender.send(Event::ClientGone);
        }
    });
    std::thread::spawn({
        let (sender, backlog, client) = (sender.clone(), backlog.clone(), client.clone());
        move || read::read(io::stdin().lock(), &sender, &backlog, &client)
    });
    let session = Arc::new(Session::new(client.clone(), sender.clone()));
    runtime.spawn(day::watch(sender.clone()));
    let (service, _socket) = Backend::service(Arc::clone(&session));
    let status = runtime.block_on(Server { service, session, client, events, sender, backlog }.serve());
    runtime.shutdown_background();
    status
}

/// Standard output without the line buffer that `io::stdout` puts before it and that would cut each frame in two.
#[cfg(unix)]
fn stdout() -> io::Result<std::fs::File> {
    use std::os::fd::AsFd;
    io::stdout().as_fd().try_clone_to_owned().map(Into::into)
}

/// Standard output without the line buffer that `io::stdout` puts before it and that would cut each frame in two.
#[cfg(windows)]
fn stdout() -> io::Result<std::fs::File> {
    use std::os::windows::io::AsHandle;
    io::stdout().as_handle().try_clone_to_owned().map(Into::into)
}
