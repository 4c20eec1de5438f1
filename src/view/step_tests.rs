//! Steps from thing to thing on a small trace, as a reader with a keyboard takes them.

use super::display_list::MarkOwner;
use super::item::Item;
use super::layout::{Fold, Folds, Layout};
use super::sample::small_trace;
use super::step::{Led, Step, Window, hidden_by, is_folded, place_of, step};
use crate::trace::{CounterId, SliceRef, Trace, TrackId};

const ALL: Window = Window { from: 0, to: 20_000, top: 0, bottom: 1_000 };

fn at(track: usize, depth: u32, index: u32) -> Item {
    Item::Slice(SliceRef { track: TrackId::from_index(track), lane: 0, depth, index }, 1)
}

fn track(id: usize) -> Item {
    Item::Track(TrackId::from_index(id))
}

/// Takes the steps one after another, folding what is folded; a step that leads nowhere stays.
fn walk(trace: &Trace, from: Option<Item>, steps: &[Step]) -> (Option<Item>, Folds) {
    let (mut item, mut folds) = (from, Folds::default());
    for &taken in steps {
        match step(trace, &Layout::new(trace, &folds), item, taken, ALL) {
            Some(Led::To(to)) => item = Some(to),
            Some(Led::Folds(fold, title)) => {
                folds.toggle(fold);
                item = Some(title);
            }
            None => {}
        }
    }
    (item, folds)
}

fn after(from: Item, steps: &[Step]) -> Item {
    walk(&small_trace(), Some(from), steps).0.expect("something stays selected")
}

#[test]
fn arrows_go_to_neighbours_callers_and_the_longest_child() {
    let deep = at(0, 2, 1);
    assert_eq!(after(deep, &[Step::Left]), at(0, 2, 0));
    assert_eq!(after(deep, &[Step::Left, Step::Left, Step::Left]), at(0, 2, 0));
    assert_eq!(after(deep, &[Step::Right, Step::Right]), at(0, 2, 2));
    assert_eq!(after(deep, &[Step::First]), at(0, 2, 0));
    assert_eq!(after(deep, &[Step::Last]), at(0, 2, 2));
    assert_eq!(after(deep, &[Step::Up]), at(0, 1, 1));
    assert_eq!(after(deep, &[Step::Up, Step::Up]), at(0, 0, 0));
    assert_eq!(after(deep, &[Step::Up, Step::Up, Step::Up]), track(0));
    assert_eq!(after(at(0, 0, 0), &[Step::Down]), at(0, 1, 1), "the longest child, not the first");
    assert_eq!(after(at(0, 0, 0), &[Step::Down, Step::Down, Step::Down]), at(0, 2, 1));
}

#[test]
fn enter_begins_with_the_longest_slice_of_the_first_thread_on_screen() {
    let trace = small_trace();
    // the thread without a name stands first
    assert_eq!(walk(&trace, None, &[Step::Enter]).0, Some(at(1, 0, 0)));
    let layout = Layout::new(&trace, &Folds::default());
    let enter = |window| step(&trace, &layout, None, Step::Enter, window);
    assert_eq!(enter(Window { from: 5_000, ..ALL }), Some(Led::To(at(1, 0, 1))));
    let below = layout.places().last().map_or(0, |place| place.y);
    assert_eq!(enter(Window { top: below, ..ALL }), Some(Led::To(at(0, 0, 0))));
    assert_eq!(step(&Trace::default(), &Layout::default(), None, Step::Enter, ALL), None);
    assert_eq!(walk(&trace, None, &[Step::Left]).0, None, "without a selection arrows move the screen");
}

#[test]
fn every_title_is_a_stop() {
    let trace = small_trace();
    let process = trace.ordered_processes()[0];
    let counter = CounterId::from_index(0);
    let expected = [
        Item::Instant(MarkOwner::Trace, 0, 1),
        Item::Process(process),
        Item::Instant(MarkOwner::Process(0), 0, 1),
        Item::Counters(process),
        Item::Counter(counter, 10_000),
        track(1),
        Item::Instant(MarkOwner::Track(1), 0, 1),
        track(0),
    ];
    for (n, stop) in expected.iter().enumerate() {
        let steps = vec![Step::Next; n + 1];
        assert_eq!(walk(&trace, None, &steps).0, Some(*stop));
        assert_eq!(walk(&trace, Some(expected[7]), &vec![Step::Up; 7 - n]).0, Some(*stop));
    }
    assert_eq!(after(expected[7], &[Step::Next]), expected[7]);
    assert_eq!(after(at(1, 0, 1), &[Step::Next]), expected[6]);
    assert_eq!(after(at(1, 0, 1), &[Step::Previous, Step::Previous]), expected[4]);
    assert_eq!((after(track(1), &[Step::First]), after(track(1), &[Step::Last])), (expected[0], expected[7]));
}

#[test]
fn left_and_right_fold_titles_and_lead_in_and_out() {
    let trace = small_trace();
    let process = trace.ordered_processes()[0];
    let rows = |folds: &Folds| Layout::new(&trace, folds).height();
    let open = rows(&Folds::default());
    let (item, folds) = walk(&trace, Some(track(0)), &[Step::Left]);
    assert_eq!((item, rows(&folds) < open), (Some(track(0)), true));
    assert_eq!(is_folded(&Layout::new(&trace, &folds), track(0)), Some(true));
    let (item, folds) = walk(&trace, Some(track(0)), &[Step::Left, Step::Right]);
    assert_eq!((item, rows(&folds)), (Some(track(0)), open));
    assert_eq!(after(track(0), &[Step::Left, Step::Left]), Item::Process(process));
    assert_eq!(after(track(0), &[Step::Right]), at(0, 0, 0));
    let (_, folds) = walk(&trace, Some(Item::Process(process)), &[Step::Enter]);
    assert_eq!(Layout::new(&trace, &folds).places().len(), 2);
    let (item, folds) = walk(&trace, Some(at(0, 2, 1)), &[Step::Fold]);
    assert_eq!((item, rows(&folds) < open), (Some(track(0)), true));
    // a thread of one row can't fold: enter leads into it
    assert_eq!(after(track(1), &[Step::Enter]), at(1, 0, 0));
}

#[test]
fn samples_and_instants_are_stepped_through() {
    let counter = |time| Item::Counter(CounterId::from_index(0), time);
    assert_eq!(after(counter(5_000), &[Step::Left]), counter(3_001));
    assert_eq!(after(counter(5_000), &[Step::Left, Step::Left]), counter(3_000));
    assert_eq!(after(counter(5_000), &[Step::Right, Step::Right]), counter(8_000));
    assert_eq!(after(counter(5_000), &[Step::First]), counter(1_000));
    assert_eq!(after(counter(5_000), &[Step::Last]), counter(8_000));
    let instant = Item::Instant(MarkOwner::Track(1), 0, 1);
    assert_eq!(after(instant, &[Step::Left, Step::Right, Step::First, Step::Last]), instant);
}

#[test]
fn what_is_folded_away_says_what_to_open() {
    let trace = small_trace();
    let mut folds = Folds::default();
    let process = trace.ordered_processes()[0];
    let thread = Fold::Track(TrackId::from_index(0));
    let hidden = |folds: &Folds, item| hidden_by(&trace, &Layout::new(&trace, folds), item);
    assert_eq!(hidden(&folds, at(0, 2, 1)), None);
    folds.toggle(thread);
    assert_eq!(hidden(&folds, at(0, 2, 1)), Some(thread));
    assert_eq!(hidden(&folds, at(0, 0, 0)), None, "the outermost row stays");
    folds.toggle(Fold::Process(process));
    assert_eq!(hidden(&folds, at(0, 0, 0)), Some(Fold::Process(process)));
    assert_eq!(place_of(&trace, &Layout::new(&trace, &folds), track(0)), None);
    let open = Layout::new(&trace, &Folds::default());
    for item in [at(0, 2, 1), track(1), Item::Process(process), Item::Instant(MarkOwner::Track(1), 0, 1)] {
        let (y, height) = place_of(&trace, &open, item).expect("everything is open");
        assert!(height > 0 && y >= 0 && y + height <= open.height());
    }
}
