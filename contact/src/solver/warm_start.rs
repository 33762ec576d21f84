//! The cache of contacts from frame to frame: their impulses, from which the next solution starts, their tolerated penetrations, and the forces on sleeping bodies.

use crate::detection::{CachedContact, Partner, parts_of_key, with_point};
use crate::solver::gauss_seidel::Solver;
use crate::solver::row::Row;

/// Time constant with which a penetration that cannot be corrected becomes tolerated, s.
const TOLERATION_TIME: f64 = 1.0;

impl Solver {
    /// Caches the rows of a frame of `duration` seconds. Contacts between bodies that are `asleep` and what they lie on stay in the cache.
    pub fn end_frame(&mut self, duration: f64, asleep: impl Fn(u32) -> bool) {
        self.previous_cache.clear();
        let mut old = self.cached.iter().peekable();
        let mut keep = |kept: &mut Vec<CachedContact>, next: u64| {
            while let Some(cached) = old.next_if(|cached| cached.key < next) {
                let (body, partner, _) = parts_of_key(cached.key);
                let rests = match partner {
                    Partner::Body(other) => asleep(other),
                    Partner::Tool(_) => true,
                };
                if rests && asleep(body) {
                    kept.push(*cached);
                }
            }
            // the row takes its place
            old.next_if(|cached| cached.key == next);
        };
        for row in rows_by_key(&self.rows) {
            keep(&mut self.previous_cache, row.key);
            self.previous_cache.push(CachedContact {
                key: row.key,
                impulse: row.impulse,
                tolerated_penetration: row.tolerated_penetration,
                force: row.impulse_sum / duration,
            });
        }
        keep(&mut self.previous_cache, u64::MAX);
        std::mem::swap(&mut self.cached, &mut self.previous_cache);
        self.has_last_frame = true;
    }

    /// Restores the cache as it was before [`Solver::end_frame`], with `has_last_frame` as it was then.
    pub fn restore_cache(&mut self, has_last_frame: bool) {
        std::mem::swap(&mut self.cached, &mut self.previous_cache);
        self.has_last_frame = has_last_frame;
    }

    /// Removes all rows and cached contacts.
    pub fn clear(&mut self) {
        self.rows.iter_mut().for_each(Vec::clear);
        self.cached.clear();
        self.has_last_frame = false;
    }

    /// Gives the contact points of `body` in the cache their new numbers, which are in the same order. Contacts of points without a `number` are removed.
    pub fn renumber(&mut self, body: u32, number: impl Fn(u32) -> Option<u32>) {
        self.cached.retain_mut(|cached| {
            let (owner, _, point) = parts_of_key(cached.key);
            if owner != body {
                return true;
            }
            let number = number(point);
            cached.key = with_point(cached.key, number.unwrap_or(point));
            number.is_some()
        });
    }

    /// Gives the rows of a frame of `duration` seconds their cached impulses and penetrations. Rows and cache are in ascending order of their keys, so that
    /// one pass over both finds them.
    pub fn warm_start(&mut self, duration: f64) {
        let share = 1.0 - (-duration / TOLERATION_TIME).exp();
        for rows in &mut self.rows {
            let mut k = 0;
            for row in rows {
                while k < self.cached.len() && self.cached[k].key < row.key {
                    k += 1;
                }
                match self.cached.get(k).filter(|cached| cached.key == row.key) {
                    Some(cached) => {
                        row.tolerated_penetration = match parts_of_key(row.key).1 {
                            Partner::Body(_) => {
                                row.next_tolerated_penetration(cached.tolerated_penetration, share)
                            }
                            Partner::Tool(_) => 0.0,
                        };
                        if row.normal.dot(&cached.impulse) > 0.0 {
                            row.impulse = cached.impulse;
                        }
                    }
                    None if !self.has_last_frame => row.tolerated_penetration = 0.0,
                    None => {}
                }
            }
        }
    }
}

/// The rows of all three lists, ascending by key as each of them is.
fn rows_by_key(lists: &[Vec<Row>; 3]) -> impl Iterator<Item = &Row> {
    let mut remaining = lists.each_ref().map(Vec::as_slice);
    std::iter::from_fn(move || {
        let filled = remaining.iter_mut().filter(|list| !list.is_empty());
        let list = filled.min_by_key(|list| list[0].key)?;
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
    fn the_cache_follows_new_numbers_of_points_and_drops_vanished_points() {
        let cached = |low, high, turned, point| CachedContact {
            key: pair_key(low, high, turned, point),
            impulse: Vec3::y() * f64::from(point),
            tolerated_penetration: 0.0,
            force: Vec3::zeros(),
        };
        let mut solver = Solver::default();
        // points 3, 4 and 5 of body 1, and point 4 of body 2
        solver.cached.extend([
            cached(0, 1, true, 3),
            cached(1, 2, false, 4),
            cached(1, 2, false, 5),
            cached(1, 2, true, 4),
        ]);
        solver.renumber(1, |point| (point != 4).then_some(2 * point));
        let keys: Vec<u64> = solver.cached.iter().map(|k| k.key).collect();
        let expected = [
            pair_key(0, 1, true, 6),
            pair_key(1, 2, false, 10),
            pair_key(1, 2, true, 4),
        ];
        assert_eq!(keys, expected);
        assert!(keys.is_sorted());
        assert_eq!(solver.cached[1].impulse, Vec3::y() * 5.0);
    }
}
