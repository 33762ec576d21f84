//! What the solver remembers of contacts from frame to frame: their impulses, with which the next solution begins, the penetrations that bodies keep, and the forces that
//! hold sleeping bodies.

use crate::detection::{Known, Partner, parts_of_key, with_point};
use crate::solver::gauss_seidel::Solver;
use crate::solver::row::Row;

/// Time in which a penetration that cannot be taken back comes to be left alone, s.
const LEAVE_TIME: f64 = 1.0;

impl Solver {
    /// Remembers the rows of a frame of `duration` seconds, and still those between bodies that are `asleep` and what they lie on.
    pub fn end_frame(&mut self, duration: f64, asleep: impl Fn(u32) -> bool) {
        self.before.clear();
        let mut old = self.known.iter().peekable();
        let mut keep = |before: &mut Vec<Known>, next: u64| {
            while let Some(known) = old.next_if(|known| known.key < next) {
                let (body, partner, _) = parts_of_key(known.key);
                let rests = match partner {
                    Partner::Body(other) => asleep(other),
                    Partner::Tool(_) => true,
                };
                if rests && asleep(body) {
                    before.push(*known);
                }
            }
            // the row itself is remembered instead
            old.next_if(|known| known.key == next);
        };
        for row in ascending(&self.rows) {
            keep(&mut self.before, row.key);
            self.before.push(Known {
                key: row.key,
                impulse: row.impulse,
                left: row.left,
                force: row.sum / duration,
            });
        }
        keep(&mut self.before, u64::MAX);
        std::mem::swap(&mut self.known, &mut self.before);
        self.began = true;
    }

    /// Goes back to what it remembered before [`Solver::end_frame`]; `began` is as it was then.
    pub fn take_back(&mut self, began: bool) {
        std::mem::swap(&mut self.known, &mut self.before);
        self.began = began;
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        self.rows.iter_mut().for_each(Vec::clear);
        self.known.clear();
        self.began = false;
    }

    /// The contact points of `body` have other numbers, in the same order; what is known of those without a `number` is forgotten.
    pub fn renumber(&mut self, body: u32, number: impl Fn(u32) -> Option<u32>) {
        self.known.retain_mut(|known| {
            let (owner, _, point) = parts_of_key(known.key);
            if owner != body {
                return true;
            }
            let number = number(point);
            known.key = with_point(known.key, number.unwrap_or(point));
            number.is_some()
        });
    }

    /// Takes over what is known of the rows of a frame of `duration` seconds. Rows come in ascending order of their keys, so that they are found by
    /// walking along.
    pub fn warm_start(&mut self, duration: f64) {
        let share = 1.0 - (-duration / LEAVE_TIME).exp();
        for rows in &mut self.rows {
            let mut k = 0;
            for row in rows {
                while k < self.known.len() && self.known[k].key < row.key {
                    k += 1;
                }
                match self.known.get(k).filter(|known| known.key == row.key) {
                    Some(known) => {
                        row.left = match parts_of_key(row.key).1 {
                            Partner::Body(_) => row.left_alone(known.left, share),
                            Partner::Tool(_) => 0.0,
                        };
                        if row.normal.dot(&known.impulse) > 0.0 {
                            row.impulse = known.impulse;
                        }
                    }
                    None if !self.began => row.left = 0.0,
                    None => {}
                }
            }
        }
    }
}

/// The rows of all three lists, ascending by key as each of them is.
fn ascending(lists: &[Vec<Row>; 3]) -> impl Iterator<Item = &Row> {
    let mut rest = lists.each_ref().map(Vec::as_slice);
    std::iter::from_fn(move || {
        let of = rest.iter_mut().filter(|list| !list.is_empty());
        let list = of.min_by_key(|list| list[0].key)?;
        let (first, others) = list.split_first()?;
        *list = others;
        Some(first)
    })
}

#[cfg(test)]
mod tests {
    use pliant_core::math::Vec3;

    use super::*;
    use crate::detection::pair_key;

    #[test]
    fn points_with_other_numbers_are_known_by_these_and_vanished_ones_are_forgotten() {
        let known = |low, high, turned, point| Known {
            key: pair_key(low, high, turned, point),
            impulse: Vec3::y() * f64::from(point),
            left: 0.0,
            force: Vec3::zeros(),
        };
        let mut solver = Solver::default();
        // points 3, 4 and 5 of body 1, and point 4 of body 2
        solver.known.extend([
            known(0, 1, true, 3),
            known(1, 2, false, 4),
            known(1, 2, false, 5),
            known(1, 2, true, 4),
        ]);
        solver.renumber(1, |point| (point != 4).then_some(2 * point));
        let keys: Vec<u64> = solver.known.iter().map(|k| k.key).collect();
        let expected = [
            pair_key(0, 1, true, 6),
            pair_key(1, 2, false, 10),
            pair_key(1, 2, true, 4),
        ];
        assert_eq!(keys, expected);
        assert!(keys.is_sorted());
        assert_eq!(solver.known[1].impulse, Vec3::y() * 5.0);
    }
}
