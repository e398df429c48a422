//! The day, in UTC: what the last days of suppressions are compared with. The one place where the server reads the clock
//! for what it finds.

use jiff::civil::Date;

/// Today.
pub(crate) fn today() -> Date {
    let now = jiff::Timestamp::now();
    #[cfg(debug_assertions)]
    let now = now + debug::later();
    now.to_zoned(jiff::tz::TimeZone::UTC).date()
}

/// Another day on demand, so that the tests over stdio can see one end. Not in a released binary.
#[cfg(debug_assertions)]
pub(crate) mod debug {
    use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

    static HOURS: AtomicI64 = AtomicI64::new(0);

    /// From now on it is so many hours later than it is.
    pub(crate) fn set_later(hours: i64) {
        HOURS.store(hours, Relaxed);
    }

    pub(super) fn later() -> jiff::SignedDuration {
        jiff::SignedDuration::from_hours(HOURS.load(Relaxed))
    }
}
