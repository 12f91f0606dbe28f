//! What the benches share: the clock, and the texts that are read.

use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use criterion::{Criterion, Throughput};
use rustix::time::{ClockId, clock_gettime};

/// The processor time of this thread: other work on the machine is not in it.
pub struct ProcessorTime;

impl Measurement for ProcessorTime {
    type Intermediate = u64;
    type Value = u64;

    fn start(&self) -> u64 {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        time.tv_sec.unsigned_abs() * 1_000_000_000 + time.tv_nsec.unsigned_abs()
    }

    fn end(&self, start: u64) -> u64 {
        self.start() - start
    }

    fn add(&self, one: &u64, other: &u64) -> u64 {
        one + other
    }

    fn zero(&self) -> u64 {
        0
    }

    fn to_f64(&self, nanoseconds: &u64) -> f64 {
        *nanoseconds as f64
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}

/// Few samples: the table shows ratios of medians, not small changes.
pub fn criterion() -> Criterion<ProcessorTime> {
    Criterion::default()
        .with_measurement(ProcessorTime)
        .sample_size(11)
        .warm_up_time(std::time::Duration::from_millis(100))
        .measurement_time(std::time::Duration::from_millis(500))
        .without_plots()
}

/// Bytes are shown beside times.
pub fn throughput(text: &str) -> Throughput {
    Throughput::Bytes(text.len() as u64)
}

const ENTRY: &str = r#"{"finding_id":"F12","verdict":"confirmed","new_severity":"high","reasoning":"The error is swallowed in the handler, so the caller cannot know that the write was lost."}"#;

/// A ballot of about so many bytes.
pub fn ballot(length: usize) -> String {
    let entries = vec![ENTRY; (length / ENTRY.len()).max(1)];
    format!("{{\"validated\":[{}]}}", entries.join(","))
}

/// Prose of about so many bytes.
pub fn prose(length: usize) -> String {
    repeated("The reviewer looked at the handler, and then wrote down what was found. ", length)
}

/// A piece again and again, for about so many bytes.
pub fn repeated(piece: &str, length: usize) -> String {
    piece.repeat(length / piece.len())
}
