//! What is drawn, as text files beside this one: `BLESS=1 cargo test --test view` rewrites them.

use std::path::PathBuf;

use flameline::trace::{SliceRef, Trace, TrackId};
use flameline::view::{DisplayList, Folds, FrameRequest, Layout, Viewport, frame, sample};

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
