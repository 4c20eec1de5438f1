//! A display list as bytes and back, and as text for tests.
//!
//! Promises: what was encoded decodes to an equal list; indices are checked, so a list that decodes can be
//! painted without looking at bounds again; bytes of another version are refused.

use super::display_list::{
    ChartRun, DisplayList, FoldState, MarkOwner, MarkRun, Rects, RowRun, Steps, Strip, StripKind, Texts,
    Ticks, Window,
};
use super::wire::{Broken, Reader, Writer};

/// "FLDL" and the version of the layout below; both sides come from one build, so there is no old version to read.
const MAGIC: u32 = u32::from_le_bytes(*b"FLD1");

/// Writes `list`.
pub(super) fn encode(list: &DisplayList, mut out: Writer) -> Vec<u8> {
    out.one(MAGIC);
    let window = &list.window;
    [window.origin, window.bin_ns].into_iter().for_each(|value| out.one(value));
    [window.from, window.to, window.trace_start, window.trace_end]
        .into_iter()
        .for_each(|value| out.one(value));
    [window.top, window.bottom, window.content_height].into_iter().for_each(|value| out.one(value));
    out.table(
        &list.strips,
        [
            |strip| strip.y.into(),
            |strip| strip.height.into(),
            |strip| strip.kind as i64,
            |strip| strip.id.into(),
            |strip| strip.title.into(),
            |strip| strip.note.into(),
            |strip| strip.fold as i64,
        ],
    );
    out.table(
        &list.rows,
        [
            |row| row.track.into(),
            |row| row.lane.into(),
            |row| row.depth.into(),
            |row| row.y.into(),
            |row| row.height.into(),
            |row| row.first.into(),
            |row| row.end.into(),
        ],
    );
    out.column(&list.rects.t0);
    out.column(&list.rects.t1);
    out.column(&list.rects.color);
    out.column(&list.rects.alpha);
    out.column(&list.rects.flags);
    out.column(&list.rects.label);
    out.column(&list.rects.count);
    out.column(&list.rects.index);
    out.table(
        &list.charts,
        [
            |chart| chart.counter.into(),
            |chart| chart.y.into(),
            |chart| chart.height.into(),
            |chart| chart.color.into(),
            |chart| chart.low.to_bits().cast_signed(),
            |chart| chart.high.to_bits().cast_signed(),
            |chart| chart.first.into(),
            |chart| chart.end.into(),
        ],
    );
    out.column(&list.steps.t);
    out.column(&list.steps.min);
    out.column(&list.steps.max);
    out.column(&list.steps.last);
    out.table(
        &list.marks,
        [
            |mark| owner_code(mark.owner).0,
            |mark| owner_code(mark.owner).1,
            |mark| mark.y.into(),
            |mark| mark.height.into(),
            |mark| mark.first.into(),
            |mark| mark.end.into(),
        ],
    );
    out.column(&list.ticks.t);
    out.column(&list.ticks.index);
    out.column(&list.ticks.count);
    out.column(&list.ticks.color);
    out.column(&list.ticks.label);
    out.text(&list.texts.all);
    out.column(&list.texts.ends);
    out.into_bytes()
}

/// Reads what [`encode`] wrote.
pub(super) fn decode(mut from: Reader) -> Result<DisplayList, Broken> {
    if from.one::<u32>()? != MAGIC {
        return Err(Broken { offset: 0 });
    }
    // fields are read in the order in which they stand here
    let (origin, bin_ns) = (from.one()?, from.one()?);
    let window = Window {
        origin,
        bin_ns,
        from: from.one()?,
        to: from.one()?,
        trace_start: from.one()?,
        trace_end: from.one()?,
        top: from.one()?,
        bottom: from.one()?,
        content_height: from.one()?,
    };
    let list = DisplayList {
        window,
        strips: rows(&mut from, strip)?,
        rows: rows(&mut from, row)?,
        rects: Rects {
            t0: from.column()?,
            t1: from.column()?,
            color: from.column()?,
            alpha: from.column()?,
            flags: from.column()?,
            label: from.column()?,
            count: from.column()?,
            index: from.column()?,
        },
        charts: rows(&mut from, chart)?,
        steps: Steps { t: from.column()?, min: from.column()?, max: from.column()?, last: from.column()? },
        marks: rows(&mut from, mark)?,
        ticks: Ticks {
            t: from.column()?,
            index: from.column()?,
            count: from.column()?,
            color: from.column()?,
            label: from.column()?,
        },
        texts: Texts { all: from.text()?, ends: from.column()? },
    };
    from.end()?;
    if is_consistent(&list) { Ok(list) } else { Err(from.broken()) }
}

/// Columns of one table are equally long, and every run lies inside its columns.
fn is_consistent(list: &DisplayList) -> bool {
    let (rects, steps, ticks) = (&list.rects, &list.steps, &list.ticks);
    let (n, m, k) = (rects.t0.len(), steps.t.len(), ticks.t.len());
    let inside = |first: u32, end: u32, len: usize| first <= end && end as usize <= len;
    let bytes = [rects.color.len(), rects.alpha.len(), rects.flags.len()];
    let words = [rects.t1.len(), rects.label.len(), rects.count.len(), rects.index.len()];
    bytes.iter().chain(&words).all(|&len| len == n)
        && [steps.min.len(), steps.max.len(), steps.last.len()].iter().all(|&len| len == m)
        && [ticks.index.len(), ticks.count.len(), ticks.color.len(), ticks.label.len()]
            .iter()
            .all(|&len| len == k)
        && list.rows.iter().all(|row| inside(row.first, row.end, n))
        && list.charts.iter().all(|chart| inside(chart.first, chart.end, m))
        && list.marks.iter().all(|mark| inside(mark.first, mark.end, k))
        && list.texts.ends.is_sorted()
        && list.texts.ends.iter().all(|&end| list.texts.all.is_char_boundary(end as usize))
}

fn rows<R, const N: usize>(from: &mut Reader, make: fn([i64; N]) -> Option<R>) -> Result<Vec<R>, Broken> {
    let rows = from.table()?;
    rows.into_iter().map(make).collect::<Option<_>>().ok_or_else(|| from.broken())
}

fn strip([y, height, kind, id, title, note, fold]: [i64; 7]) -> Option<Strip> {
    use StripKind::{Counter, Counters, Instants, Process, Track};
    let kind = [Process, Counters, Counter, Instants, Track].into_iter().find(|&code| code as i64 == kind)?;
    let folds = [FoldState::Fixed, FoldState::Open, FoldState::Closed];
    let fold = folds.into_iter().find(|&code| code as i64 == fold)?;
    Some(Strip {
        y: int(y)?,
        height: int(height)?,
        kind,
        id: word(id)?,
        title: word(title)?,
        note: word(note)?,
        fold,
    })
}

fn row([track, lane, depth, y, height, first, end]: [i64; 7]) -> Option<RowRun> {
    Some(RowRun {
        track: word(track)?,
        lane: word(lane)?,
        depth: word(depth)?,
        y: int(y)?,
        height: int(height)?,
        first: word(first)?,
        end: word(end)?,
    })
}

fn chart([counter, y, height, color, low, high, first, end]: [i64; 8]) -> Option<ChartRun> {
    Some(ChartRun {
        counter: word(counter)?,
        y: int(y)?,
        height: int(height)?,
        color: u8::try_from(color).ok()?,
        low: f64::from_bits(low.cast_unsigned()),
        high: f64::from_bits(high.cast_unsigned()),
        first: word(first)?,
        end: word(end)?,
    })
}

fn mark([kind, id, y, height, first, end]: [i64; 6]) -> Option<MarkRun> {
    let owner = match kind {
        0 => MarkOwner::Trace,
        1 => MarkOwner::Process(word(id)?),
        2 => MarkOwner::Track(word(id)?),
        _ => return None,
    };
    Some(MarkRun { owner, y: int(y)?, height: int(height)?, first: word(first)?, end: word(end)? })
}

fn owner_code(owner: MarkOwner) -> (i64, i64) {
    match owner {
        MarkOwner::Trace => (0, 0),
        MarkOwner::Process(id) => (1, id.into()),
        MarkOwner::Track(id) => (2, id.into()),
    }
}

fn word(value: i64) -> Option<u32> {
    u32::try_from(value).ok()
}

fn int(value: i64) -> Option<i32> {
    i32::try_from(value).ok()
}
