//! The watch over the process that started us: when it is gone, nobody is left to say `exit`.
//!
//! End of input usually says the same, but not where another process inherited the pipe.

use std::time::Duration;

use sysinfo::{Pid, ProcessRefreshKind, ProcessStatus, ProcessesToUpdate, System};
use tokio::sync::mpsc::UnboundedSender;

use super::read::Event;

/// How often we look. CONTRACTS promises five seconds.
const EVERY: Duration = Duration::from_millis(1500);

/// Sends [`Event::ParentGone`] when the process `id` has ended, or at once if there is none.
pub(crate) fn watch(id: u32, events: UnboundedSender<Event>) {
    std::thread::spawn(move || {
        let mut system = System::new();
        let first = started(&mut system, id);
        // A process that began at another time is another process under the same number.
        while first.is_some() && started(&mut system, id) == first {
            std::thread::sleep(EVERY);
        }
        let _ = events.send(Event::ParentGone);
    });
}

/// When the process `id` began, if it lives; one that has ended and was not yet waited for does not.
fn started(system: &mut System, id: u32) -> Option<u64> {
    let id = Pid::from_u32(id);
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[id]), true, ProcessRefreshKind::nothing());
    let process = system.process(id)?;
    let ended = matches!(process.status(), ProcessStatus::Zombie | ProcessStatus::Dead);
    (!ended).then(|| process.start_time())
}
