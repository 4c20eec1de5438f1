//! What is drawn, as text files beside this one: `BLESS=1 cargo test --test view` rewrites them.

use std::path::PathBuf;

use flameline::trace::{SliceRef, Trace, TraceBuilder, TrackId};
use flameline::view::{
    ChartData, ChartLook, DARK, DisplayList, Folds, FrameRequest, LIGHT, Layout, MemoryChart, Theme,
    Viewport, draw_memory_chart, frame, sample,
};
use plotters::prelude::SVGBackend;

fn check(name: &str, actual: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/view").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, actual).expect("tests/data/view can be written");
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    if actual != expected {
        let beside = path.with_extension("actual");
        std::fs::write(&beside, actual).expect("tests/data/view can be written");
        panic!("{} differs from {}; BLESS=1 takes it over", beside.display(), path.display());
    }
}

fn draw(trace: &Trace, from: i64, span_ns: f64, margin: f64) -> DisplayList {
    let layout = Layout::new(trace, &Folds::default());
    let view = Viewport::exactly(from, span_ns, 1000.0);
    let selected = Some(SliceRef { track: TrackId::from_index(0), lane: 0, depth: 1, index: 1 });
    frame(trace, &layout, &FrameRequest { view, top: 0, height: 600, margin, selected, found: None })
}

#[test]
fn a_small_trace_as_a_whole() {
    check("whole.txt", &draw(&sample::small_trace(), 1_000, 10_000.0, 0.0).dump());
}

#[test]
fn a_small_trace_zoomed_in_and_out() {
    let trace = sample::small_trace();
    check("zoomed_in.txt", &draw(&trace, 4_090, 40.0, 1.0).dump());
    check("zoomed_out.txt", &draw(&trace, 0, 1e6, 0.0).dump());
}

#[test]
fn a_list_survives_the_way_to_the_other_thread() {
    let list = draw(&sample::small_trace(), 1_000, 10_000.0, 1.0);
    let bytes = list.encode();
    assert_eq!(DisplayList::decode(&bytes).as_ref(), Ok(&list));
    for cut in 0..bytes.len() {
        assert!(DisplayList::decode(&bytes[..cut]).is_err(), "cut at {cut}");
    }
}

#[test]
fn broken_bytes_are_refused_or_read_as_a_list_that_can_be_painted() {
    let bytes = draw(&sample::small_trace(), 1_000, 10_000.0, 0.0).encode();
    for at in 0..bytes.len() {
        for value in [0, 1, 0x7F, 0xFF] {
            let mut broken = bytes.clone();
            broken[at] = value;
            if let Ok(list) = DisplayList::decode(&broken) {
                list.dump();
            }
        }
    }
}

/// Two pools, an allocator and the Java heap over a second, as Comet records them.
fn comet_memory() -> Trace {
    let mut random = sample::Random::new(5);
    let mut builder = TraceBuilder::default();
    let mut pools = [0_i64; 2];
    for n in 0..400 {
        let ts = n * 2_500_000;
        let pool = &mut pools[n as usize % 2];
        *pool = (*pool + random.between(-3 << 20, 4 << 20)).max(0);
        let name = format!("thread_{}_comet_memory_reserved", 3 + n % 2);
        sample::sample(&mut builder, &name, ts, *pool as f64);
        let allocated = pools.iter().sum::<i64>() + (40 << 20) + n * (1 << 17);
        sample::sample(&mut builder, "jemalloc_allocated", ts + 1_000, allocated as f64);
        if n % 10 == 0 {
            sample::sample(&mut builder, "jvm_heap_used", ts, (n % 100) as f64 * 2e6);
        }
    }
    builder.finish().0
}

fn chart(trace: &Trace, view: &Viewport) -> ChartData {
    let mut chart = MemoryChart::default();
    chart.update(trace, true);
    chart.data(trace, view, 1.0)
}

fn svg(data: &ChartData, view: Viewport, theme: &Theme, hidden: &[bool]) -> String {
    let mut text = String::new();
    let look = ChartLook { view, gutter_px: 100.0, ratio: 1.0, theme, font: "sans-serif", hidden };
    let backend = SVGBackend::with_string(&mut text, (500, 140));
    draw_memory_chart(backend, data, &look).expect("a string can be drawn on");
    text
}

#[test]
fn the_memory_of_a_comet_trace() {
    let trace = comet_memory();
    let view = Viewport::fit(0, trace.end(), 400.0);
    let data = chart(&trace, &view);
    check("memory.svg", &svg(&data, view, &LIGHT, &[]));
    check("memory_dark_without_allocator.svg", &svg(&data, view, &DARK, &[true]));
    let closer = Viewport::exactly(100_000_000, 20_000_000.0, 400.0);
    check("memory_zoomed_in.svg", &svg(&chart(&trace, &closer), closer, &LIGHT, &[]));
}

#[test]
fn a_chart_survives_the_way_to_the_other_thread() {
    let trace = comet_memory();
    let view = Viewport::fit(0, trace.end(), 400.0);
    let data = chart(&trace, &view);
    let bytes = data.encode();
    assert_eq!(ChartData::decode(&bytes).as_ref(), Ok(&data));
    (0..bytes.len()).for_each(|cut| assert!(ChartData::decode(&bytes[..cut]).is_err()));
    assert!(data.covers(&view));
}

#[test]
fn the_legend_reads_what_stands_under_the_crosshair() {
    let trace = comet_memory();
    let view = Viewport::fit(0, trace.end(), 400.0);
    let data = chart(&trace, &view);
    let lines = |x| -> Vec<String> {
        data.readings(&view, x)
            .into_iter()
            .map(|reading| format!("{}: {}", reading.label, reading.value))
            .collect()
    };
    let nowhere = ["allocator: ", "sum of pools: ", "JVM heap: ", "not reserved: "];
    assert_eq!(lines(None), nowhere);
    assert_eq!(lines(Some(0.0)), nowhere, "before the first sample");
    let last = lines(Some(400.0));
    assert_eq!(last[3], "not reserved: 89.9 MB");
    assert_eq!(
        ChartData::decode(&chart(&Trace::default(), &view).encode()).unwrap().notice(),
        "This trace has no counters."
    );
}

#[test]
fn a_chart_of_nothing_and_one_of_the_highest_numbers_can_be_drawn() {
    let mut builder = TraceBuilder::default();
    for (n, value) in [f64::MAX, -f64::MAX, 0.0, 1e-300].into_iter().enumerate() {
        sample::sample(&mut builder, "memory", n as i64, value);
    }
    let extremes = builder.finish().0;
    for trace in [Trace::default(), extremes] {
        let view = Viewport::fit(0, 10, 400.0);
        svg(&chart(&trace, &view), view, &LIGHT, &[]);
    }
}
