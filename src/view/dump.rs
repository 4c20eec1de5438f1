//! A display list as text, one line for each thing to draw, for golden files and for debugging.
//!
//! Times are ns from the start of the trace, places pixels from the top of the content.

use std::fmt::Write;

use super::display_list::{
    ChartRun, DisplayList, FADED, FoldState, MERGED, MarkOwner, MarkRun, RowRun, SELECTED, Strip, UNFINISHED,
};

impl DisplayList {
    /// The whole list, in the order in which it is painted.
    pub fn dump(&self) -> String {
        let mut text = String::new();
        let window = &self.window;
        let (from, to) = (self.time(window.from), self.time(window.to));
        line(&mut text, format_args!("window {from}..{to} ns, bin {} ns", window.bin_ns));
        line(
            &mut text,
            format_args!("content {}..{} of {} px", window.top, window.bottom, window.content_height),
        );
        self.strips.iter().for_each(|strip| self.dump_strip(&mut text, strip));
        self.charts.iter().for_each(|chart| self.dump_chart(&mut text, chart));
        self.marks.iter().for_each(|mark| self.dump_marks(&mut text, mark));
        self.rows.iter().for_each(|row| self.dump_row(&mut text, row));
        text
    }

    fn dump_strip(&self, text: &mut String, strip: &Strip) {
        let title = self.texts.text(strip.title).unwrap_or_default();
        let note = self.texts.text(strip.note).map(|note| format!(" ({note})")).unwrap_or_default();
        let fold = match strip.fold {
            FoldState::Fixed => "",
            FoldState::Open => " open",
            FoldState::Closed => " closed",
        };
        let (y, height, kind, id) = (strip.y, strip.height, strip.kind, strip.id);
        line(text, format_args!("strip y={y} h={height} {kind:?} {id}: {title}{note}{fold}"));
    }

    fn dump_chart(&self, text: &mut String, chart: &ChartRun) {
        let ChartRun { counter, y, height, color, low, high, .. } = chart;
        line(text, format_args!("chart y={y} h={height} counter {counter} color={color} {low}..{high}"));
        for at in chart.first as usize..chart.end as usize {
            let (t, min) = (self.time(self.steps.t[at]), self.steps.min[at]);
            let (max, last) = (self.steps.max[at], self.steps.last[at]);
            line(text, format_args!("  step {t} min={min} max={max} last={last}"));
        }
    }

    fn dump_marks(&self, text: &mut String, mark: &MarkRun) {
        let owner = match mark.owner {
            MarkOwner::Trace => "trace".to_owned(),
            MarkOwner::Process(id) => format!("process {id}"),
            MarkOwner::Track(id) => format!("track {id}"),
        };
        line(text, format_args!("instants y={} h={} of {owner}", mark.y, mark.height));
        for at in mark.first as usize..mark.end as usize {
            let (t, color, count) = (self.time(self.ticks.t[at]), self.ticks.color[at], self.ticks.count[at]);
            let name = self.texts.text(self.ticks.label[at]).unwrap_or_default();
            line(text, format_args!("  tick {t} color={color} x{count} {name}"));
        }
    }

    fn dump_row(&self, text: &mut String, row: &RowRun) {
        let RowRun { track, lane, depth, y, height, .. } = row;
        line(text, format_args!("row y={y} h={height} track {track} lane {lane} depth {depth}"));
        for at in row.first as usize..row.end as usize {
            let rects = &self.rects;
            let (from, to) = (self.time(rects.t0[at]), self.time(rects.t1[at]));
            let (color, alpha, count, index) =
                (rects.color[at], rects.alpha[at], rects.count[at], rects.index[at]);
            let label = self.texts.text(rects.label[at]).map(|label| format!(" {label}")).unwrap_or_default();
            let flags = flag_names(rects.flags[at]);
            line(
                text,
                format_args!(
                    "  rect {from}..{to} color={color} alpha={alpha} x{count} #{index}{flags}{label}"
                ),
            );
        }
    }

    /// From the start of the trace, in ns.
    fn time(&self, relative: f64) -> f64 {
        relative - self.window.trace_start
    }
}

fn flag_names(flags: u8) -> String {
    let names =
        [(MERGED, " merged"), (UNFINISHED, " unfinished"), (SELECTED, " selected"), (FADED, " faded")];
    names.iter().filter(|(flag, _)| flags & flag != 0).map(|(_, name)| *name).collect()
}

fn line(text: &mut String, arguments: std::fmt::Arguments) {
    // writing to a String can't fail
    let _ = writeln!(text, "{arguments}");
}
