//! The excess: where one line of steps is above another, as areas between the two.
//!
//! ```text
//! upper      ┌──────┐          ┌───
//! lower   ───┼──┐▒▒▒│    ──────┤▒▒▒
//!            └▒▒└───┼────┘     └───      ▒ two areas
//! ```
//!
//! Promises: edges run along and up and down only; areas ascend and don't touch.
//! Costs: the steps of both.

use super::display_list::Steps;

/// An area's corners, around it: (x, value).
pub type Area = Vec<(f64, f64)>;

/// The areas between `upper` and `lower` where the former is greater, from `x` of the first step at which both are
/// known to `end`; `x` gives the place of a time, and is cut at the edges by whoever gives it.
pub fn excess_areas(upper: &Steps, lower: &Steps, x: impl Fn(f64) -> f64, end: f64) -> Vec<Area> {
    let mut areas = Areas::default();
    let (mut at, mut values) = ([0, 0], [None, None]);
    let sides = [upper, lower];
    let time = |side: usize, at: usize| sides[side].t.get(at).copied().unwrap_or(f64::INFINITY);
    let mut from = f64::NEG_INFINITY;
    loop {
        let next = time(0, at[0]).min(time(1, at[1]));
        let to = if next.is_finite() { x(next) } else { end };
        if let (Some(high), Some(low)) = (values[0], values[1]) {
            areas.stretch(from, to, high, low);
        }
        if !next.is_finite() {
            return areas.done();
        }
        for side in 0..2 {
            if time(side, at[side]) == next {
                values[side] = Some(sides[side].last[at[side]]);
                at[side] += 1;
            }
        }
        from = to;
    }
}

/// Areas in the making: the upper and the lower edge of the one that is open.
#[derive(Default)]
struct Areas {
    done: Vec<Area>,
    top: Area,
    bottom: Area,
}

impl Areas {
    fn stretch(&mut self, from: f64, to: f64, high: f64, low: f64) {
        if high <= low {
            return self.close();
        }
        if from < to {
            self.top.extend([(from, high), (to, high)]);
            self.bottom.extend([(from, low), (to, low)]);
        }
    }

    fn close(&mut self) {
        if self.top.is_empty() {
            return;
        }
        let mut area = std::mem::take(&mut self.top);
        area.extend(self.bottom.drain(..).rev());
        self.done.push(area);
    }

    fn done(mut self) -> Vec<Area> {
        self.close();
        self.done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(of: &[(f64, f64)]) -> Steps {
        let (t, last): (Vec<f64>, Vec<f64>) = of.iter().copied().unzip();
        Steps { t, min: last.clone(), max: last.clone(), last }
    }

    fn areas(upper: &[(f64, f64)], lower: &[(f64, f64)]) -> Vec<Area> {
        excess_areas(&steps(upper), &steps(lower), |time| time * 2.0, 100.0)
    }

    #[test]
    fn areas_are_between_the_lines_where_the_upper_one_is_above() {
        let found = areas(&[(0.0, 5.0), (10.0, 1.0), (20.0, 9.0)], &[(5.0, 3.0)]);
        let first = vec![(10.0, 5.0), (20.0, 5.0), (20.0, 3.0), (10.0, 3.0)];
        let second = vec![(40.0, 9.0), (100.0, 9.0), (100.0, 3.0), (40.0, 3.0)];
        assert_eq!(found, [first, second]);
    }

    #[test]
    fn a_step_of_either_is_a_corner_and_equal_lines_have_nothing_between() {
        let found = areas(&[(0.0, 4.0), (10.0, 6.0)], &[(0.0, 1.0), (5.0, 2.0), (20.0, 6.0)]);
        let top = [(0.0, 4.0), (10.0, 4.0), (10.0, 4.0), (20.0, 4.0), (20.0, 6.0), (40.0, 6.0)];
        assert_eq!(found.len(), 1);
        assert_eq!(found[0][..6], top);
        assert!(found[0].windows(2).all(|ends| ends[0].0 == ends[1].0 || ends[0].1 == ends[1].1));
    }

    #[test]
    fn without_one_of_the_lines_there_is_nothing() {
        assert!(areas(&[(0.0, 5.0)], &[]).is_empty());
        assert!(areas(&[], &[(0.0, 5.0)]).is_empty());
        assert!(areas(&[(0.0, 5.0)], &[(0.0, 5.0)]).is_empty());
    }
}
