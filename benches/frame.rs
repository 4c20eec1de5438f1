//! What a frame costs, beside looking at every slice.
//!
//! `cargo bench --bench frame`: medians on this machine, for one row of 10 million slices and for a screen of
//! 50 rows over 100 threads. Fails when the index is less than 20 times as fast as the scan.

use std::hint::black_box;
use std::time::{Duration, Instant};

use flameline::trace::{Row, Trace, TraceBuilder};
use flameline::view::bins::Bins;
use flameline::view::sample::{Random, slice};
use flameline::view::{DisplayList, Folds, FrameRequest, Layout, Viewport, frame};

const WIDTH_PX: f64 = 2000.0;
/// Ratio that has to hold on any machine.
const LEAST_RATIO: f64 = 20.0;

fn main() {
    let ratio = one_row(10_000_000);
    for slices in [1_000_000, 10_000_000] {
        screen(slices);
    }
    assert!(ratio >= LEAST_RATIO, "the index is only {ratio:.1} times as fast as the scan");
}

/// Slices of 20 to 200 ns with gaps, one after another in one row.
fn one_row(slices: i64) -> f64 {
    let mut random = Random::new(1);
    let mut builder = TraceBuilder::default();
    let mut time = 0;
    for _ in 0..slices {
        let dur = random.between(20, 200);
        slice(&mut builder, 1, time, Some(dur), "work");
        time += dur + random.between(0, 60);
    }
    let trace = builder.finish().0;
    let row = &trace.tracks()[0].lanes[0].rows[0];
    let view = Viewport::fit(0, time, WIDTH_PX);
    let bins = Bins::new(view.start().0, view.end().0, view.bin_ns(), time);
    let scan = median(7, || plain_scan(row, &bins));
    let index = median(51, || {
        let mut pieces = 0;
        bins.pieces(row, |piece| pieces += black_box(piece).slices.len().min(1));
        pieces
    });
    let request = request(view, 0.0);
    let layout = Layout::new(&trace, &Folds::default());
    let whole = median(51, || frame(&trace, &layout, &request).rects.t0.len());
    let ratio = scan.as_secs_f64() / index.as_secs_f64();
    println!(
        "{slices} slices in one row, {WIDTH_PX} px: scan {scan:.2?}, index {index:.2?} ({ratio:.0} x), whole frame {whole:.2?}"
    );
    ratio
}

/// What a viewer without an index does: looks at every slice and counts those that need a rectangle.
fn plain_scan(row: &Row, bins: &Bins) -> usize {
    let (mut rects, mut bin) = (0, i64::MIN);
    for at in 0..row.len() {
        let (start, end) = (row.start(at), row.end(at, bins.trace_end));
        let own = start & -bins.bin_ns;
        if end - start >= bins.bin_ns || own != bin {
            rects += 1;
            bin = own;
        }
    }
    rects
}

/// 100 threads, five deep, 50 rows on screen; at several zooms, without and with what lies around the screen.
fn screen(slices: i64) {
    let trace = threads(slices);
    let layout = Layout::new(&trace, &Folds::default());
    let (first, last) = trace.span().expect("the trace has slices");
    for zoom in [1.0, 16.0, 256.0, 4096.0] {
        let view = Viewport::exactly(first + (last - first) / 3, (last - first) as f64 / zoom, WIDTH_PX);
        for margin in [0.0, 1.0] {
            let request = request(view, margin);
            let mut list = DisplayList::default();
            let time = median(21, || {
                list = frame(&trace, &layout, &request);
                list.rects.t0.len()
            });
            let encoding = median(21, || list.encode().len());
            let (rects, bytes) = (list.rects.t0.len(), list.encode().len());
            println!(
                "{slices} slices on 100 threads, zoom {zoom}, margin {margin}: frame {time:.2?}, encode {encoding:.2?}, {rects} rectangles, {bytes} bytes"
            );
        }
    }
}

fn threads(slices: i64) -> Trace {
    let mut random = Random::new(2);
    let mut builder = TraceBuilder::default();
    let calls = slices / 100 / 11;
    for tid in 0..100 {
        let mut time = random.between(0, 1000);
        for n in 0..calls {
            let unit = random.between(10, 100);
            let name = ["executePlan", "createPlan", "shuffle_write", "decodeShuffleBlock"][n as usize % 4];
            slice(&mut builder, tid, time, Some(unit * 12), name);
            slice(&mut builder, tid, time + 1, Some(unit * 11), "next");
            for part in 0..3 {
                let start = time + 2 + part * unit * 3;
                slice(&mut builder, tid, start, Some(unit * 3), "batch");
                slice(&mut builder, tid, start + 1, Some(unit * 2), "scan");
                slice(&mut builder, tid, start + 2, Some(unit), "read");
            }
            time += unit * 12 + random.between(0, 200);
        }
    }
    builder.finish().0
}

fn request(view: Viewport, margin: f64) -> FrameRequest<'static> {
    FrameRequest { view, top: 0, height: 1000, margin, selected: None, found: None }
}

fn median<T>(times: usize, mut run: impl FnMut() -> T) -> Duration {
    let mut measured: Vec<Duration> = (0..times)
        .map(|_| {
            let start = Instant::now();
            black_box(run());
            start.elapsed()
        })
        .collect();
    measured.sort();
    measured[times / 2]
}
