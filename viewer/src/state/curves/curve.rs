//! A curve over time that may have gaps.

/// Value that marks a gap.
const BREAK: f64 = f64::NAN;

/// Points of a curve: time in s, ascending, and a value. Points on both sides of a gap are not joined.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Curve(Vec<[f64; 2]>);

impl Curve {
    /// Adds a point, later than all others.
    pub fn push(&mut self, time: f64, value: f64) {
        self.0.push([time, value]);
    }

    /// Adds a gap after the last point.
    pub fn interrupt(&mut self) {
        if let Some(&[time, value]) = self.0.last()
            && !value.is_nan()
        {
            self.0.push([time, BREAK]);
        }
    }

    /// Removes points later than `time`.
    pub fn remove_after(&mut self, time: f64) {
        self.0.truncate(self.0.partition_point(|p| p[0] <= time));
    }

    /// Removes points before `time`, in blocks, so that not every frame moves the whole list.
    pub fn remove_before(&mut self, time: f64) {
        let count = self.0.partition_point(|p| p[0] < time);
        if count > 128 {
            self.0.drain(..count);
        }
    }

    /// Whether it has no point.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Its points, without gaps.
    pub fn points(&self) -> impl Iterator<Item = [f64; 2]> + '_ {
        self.0.iter().copied().filter(|p| !p[1].is_nan())
    }

    /// Its pieces between gaps, from `begin` on.
    pub fn pieces(&self, begin: f64) -> impl Iterator<Item = &[[f64; 2]]> + '_ {
        let first = self.0.partition_point(|p| p[0] < begin);
        let pieces = self.0[first..].split(|p| p[1].is_nan());
        pieces.filter(|piece| !piece.is_empty())
    }

    /// Value at `time`, interpolated; `None` outside of its pieces.
    pub fn at(&self, time: f64) -> Option<f64> {
        let later = self.0.partition_point(|p| p[0] < time);
        let &[t1, b] = self.0.get(later)?;
        if t1 == time {
            return (!b.is_nan()).then_some(b);
        }
        let &[t0, a] = self.0.get(later.checked_sub(1)?)?;
        let value = a + (b - a) * (time - t0) / (t1 - t0);
        (!value.is_nan()).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken() -> Curve {
        let mut curve = Curve::default();
        curve.interrupt();
        for (t, v) in [(0.0, 1.0), (1.0, 3.0)] {
            curve.push(t, v);
        }
        curve.interrupt();
        curve.interrupt();
        for (t, v) in [(2.0, 5.0), (3.0, 7.0)] {
            curve.push(t, v);
        }
        curve
    }

    #[test]
    fn a_gap_separates_pieces() {
        let curve = broken();
        let lengths: Vec<usize> = curve.pieces(0.0).map(<[_]>::len).collect();
        assert_eq!(lengths, [2, 2]);
        assert_eq!(curve.pieces(0.5).map(<[_]>::len).sum::<usize>(), 3);
        assert_eq!(curve.points().count(), 4);
        assert_eq!(curve.at(0.25), Some(1.5));
        assert_eq!(curve.at(1.5), None);
        assert_eq!((curve.at(1.0), curve.at(3.0)), (Some(3.0), Some(7.0)));
        assert_eq!((curve.at(-1.0), curve.at(3.1)), (None, None));
    }

    #[test]
    fn points_after_a_time_are_removed() {
        let mut curve = broken();
        curve.remove_after(2.0);
        assert_eq!(curve.points().count(), 3);
        assert_eq!(curve.points().last(), Some([2.0, 5.0]));
        curve.remove_after(-1.0);
        assert!(curve.is_empty() && curve.pieces(0.0).next().is_none());
    }
}
