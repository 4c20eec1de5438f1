//! What it costs to share memory among functions, and to look for growth.
//!
//! `cargo bench --bench attribution`: medians on this machine for a made-up Comet trace of 100 MB. Fails when one
//! table takes more than a second.

use std::hint::black_box;
use std::time::{Duration, Instant};

use flameline::analysis::{Series, attribute, growth};
use flameline::generate::comet::{CometOptions, CometTrace};
use flameline::import::{Import, ImportOptions};
use flameline::trace::{Trace, Track};

fn main() {
    let trace = comet(100_000_000);
    let process = trace.ordered_processes()[0];
    let series = Series::excess(&trace, process).expect("Comet's traces have pools");
    let slices: u64 = trace.tracks().iter().map(Track::slices).sum();
    let pairing = median(9, || Series::excess(&trace, process));
    let sharing = median(9, || attribute(&trace, process, &series));
    let growing = median(9, || growth(&trace, process, &series));
    println!(
        "{slices} slices, {} points: excess {pairing:.1?}, sharing {sharing:.1?}, growth with its shares {growing:.1?}",
        series.points().len()
    );
    assert!(sharing < Duration::from_secs(1), "sharing takes {sharing:.1?}");
}

fn comet(size: u64) -> Trace {
    let mut made = CometTrace::new(1, CometOptions { size, ..Default::default() });
    let (mut import, mut block) = (Import::new(ImportOptions::default()), Vec::new());
    while made.next_block(&mut block) {
        import.feed(&block).expect("it is a trace");
        block.clear();
    }
    import.finish().expect("it is a trace").trace
}

fn median<T>(rounds: usize, mut work: impl FnMut() -> T) -> Duration {
    let time = |_| {
        let start = Instant::now();
        black_box(work());
        start.elapsed()
    };
    let mut times: Vec<Duration> = (0..rounds).map(time).collect();
    times.sort_unstable();
    times[rounds / 2]
}
