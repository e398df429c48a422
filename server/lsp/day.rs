//! The day, in UTC: what the last days of suppressions are compared with. The one place where the server reads the clock
//! for what it finds.

use std::time::Duration;

use jiff::Zoned;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use tokio::sync::mpsc::UnboundedSender;

use crate::transport::read::Event;

/// How long the clock is not looked at, at most: a machine that sleeps does not count its sleep, and clocks are set.
const LOOK: Duration = Duration::from_secs(60);

/// Today.
pub(crate) fn today() -> Date {
    now().date()
}

fn now() -> Zoned {
    let now = jiff::Timestamp::now();
    #[cfg(debug_assertions)]
    let now = now + debug::later();
    now.to_zoned(TimeZone::UTC)
}

/// Until the day ends.
fn left() -> Duration {
    let now = now();
    let midnight = now.tomorrow().and_then(|tomorrow| tomorrow.start_of_day());
    midnight.ok().and_then(|midnight| now.duration_until(&midnight).try_into().ok()).unwrap_or(LOOK)
}

/// Tells the loop of each new day, also when nothing else happens: what was suppressed until yesterday is to be shown.
pub(crate) async fn watch(events: UnboundedSender<Event>) {
    let mut known = today();
    loop {
        let nap = left().min(LOOK);
        #[cfg(debug_assertions)]
        let _ = tokio::time::timeout(nap, debug::CHANGED.notified()).await;
        #[cfg(not(debug_assertions))]
        tokio::time::sleep(nap).await;
        let today = today();
        if std::mem::replace(&mut known, today) != today && events.send(Event::Day).is_err() {
            return;
        }
    }
}

/// Another day on demand, so that the tests over stdio can see one end. Not in a released binary.
#[cfg(debug_assertions)]
pub(crate) mod debug {
    use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

    use tokio::sync::Notify;

    static SECONDS: AtomicI64 = AtomicI64::new(0);
    /// The clock was set.
    pub(super) static CHANGED: Notify = Notify::const_new();

    /// From now on it is so many hours later than it is.
    pub(crate) fn set_later(hours: i64) {
        SECONDS.store(hours * 3600, Relaxed);
        CHANGED.notify_one();
    }

    /// It is now so many seconds before the next midnight.
    pub(crate) fn set_before_midnight(seconds: i64) {
        let left = i64::try_from(super::left().as_secs()).unwrap_or_default();
        SECONDS.fetch_add(left - seconds, Relaxed);
        CHANGED.notify_one();
    }

    pub(super) fn later() -> jiff::SignedDuration {
        jiff::SignedDuration::from_secs(SECONDS.load(Relaxed))
    }
}
