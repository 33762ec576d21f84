//! Bodies in two halves of space, so that two threads can solve contact at once.
//!
//! What belongs to the bodies of one half (nodes, rigid motions, rows between them) lies in arrays of its own. Rows between the halves come after both, in every sweep.
//! That is one fixed order of Gauss-Seidel, whatever number of threads runs it: a domain decomposition of two parts (Schwarz 1870).

use pliant_core::math::Vec3;

/// Marks what belongs to the second half.
const SECOND: u32 = 1 << 31;

/// Contacts from which on there are two halves: fewer are solved before another thread is awake.
const WORTHWHILE: usize = 600;

/// Which half each body is in.
#[derive(Debug, Clone, Default)]
pub(crate) struct Halves {
    second: Vec<bool>,
    order: Vec<u32>,
}

impl Halves {
    /// Cuts the bodies with places `at` (m) in two across the longest side of all, half of those that are awake on each side; all in the first half
    /// where there are few `contacts`.
    pub fn cut(&mut self, at: &[Vec3], awake: impl Fn(usize) -> bool, contacts: usize) {
        self.second.clear();
        self.second.resize(at.len(), false);
        self.order.clear();
        if contacts < WORTHWHILE {
            return;
        }
        self.order
            .extend((0..at.len() as u32).filter(|&b| awake(b as usize)));
        let extent = |k: usize| {
            let along = self.order.iter().map(|&b| at[b as usize][k]);
            let ends = along.fold((f64::INFINITY, f64::NEG_INFINITY), |e, x| {
                (e.0.min(x), e.1.max(x))
            });
            ends.1 - ends.0
        };
        let extents = [0, 1, 2].map(extent);
        let axis = (0..3).fold(
            0,
            |best, k| if extents[k] > extents[best] { k } else { best },
        );
        let along = |b: u32| at[b as usize][axis];
        self.order
            .sort_unstable_by(|&a, &b| along(a).total_cmp(&along(b)).then(a.cmp(&b)));
        for &b in &self.order[self.order.len() / 2..] {
            self.second[b as usize] = true;
        }
    }

    /// 0 or 1.
    pub fn of(&self, body: usize) -> usize {
        usize::from(self.second[body])
    }
}

/// Where element `at` of half `half` is found.
pub(crate) fn place(half: usize, at: usize) -> u32 {
    at as u32 | if half == 1 { SECOND } else { 0 }
}

/// Half and element of a place.
#[inline(always)]
pub(crate) fn half_and_element(place: u32) -> (usize, usize) {
    ((place >> 31) as usize, (place & !SECOND) as usize)
}

/// Things that are found by place.
pub(crate) trait Places<T> {
    fn at(&mut self, place: u32) -> &mut T;
}

/// Those of one half.
pub(crate) struct One<'a, T>(pub &'a mut [T]);

/// Those of both.
pub(crate) struct Two<'a, T>(pub &'a mut [Vec<T>; 2]);

impl<T> Places<T> for One<'_, T> {
    #[inline(always)]
    fn at(&mut self, place: u32) -> &mut T {
        &mut self.0[half_and_element(place).1]
    }
}

impl<T> Places<T> for Two<'_, T> {
    #[inline(always)]
    fn at(&mut self, place: u32) -> &mut T {
        let (half, element) = half_and_element(place);
        &mut self.0[half][element]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_those_awake_are_on_each_side_of_a_plane() {
        let at: Vec<Vec3> = (0..40)
            .map(|k| Vec3::new(0.1, f64::from(k * 17 % 40), (f64::from(k)).sin()))
            .collect();
        let mut halves = Halves::default();
        halves.cut(&at, |b| b % 4 != 0, WORTHWHILE);
        let awake = (0..40).filter(|b| b % 4 != 0);
        let (second, first): (Vec<usize>, Vec<usize>) = awake.partition(|&b| halves.of(b) == 1);
        assert_eq!((first.len(), second.len()), (15, 15));
        assert!(
            first
                .iter()
                .all(|&a| second.iter().all(|&b| at[a].y < at[b].y))
        );
        halves.cut(&at, |_| true, WORTHWHILE - 1);
        assert!((0..40).all(|b| halves.of(b) == 0));
    }

    #[test]
    fn places_are_found_in_their_half() {
        let mut both = [vec![1, 2], vec![3, 4, 5]];
        assert_eq!(*Two(&mut both).at(place(1, 2)), 5);
        assert_eq!(*Two(&mut both).at(place(0, 1)), 2);
        assert_eq!(*One(&mut both[1]).at(place(1, 0)), 3);
        assert_eq!(half_and_element(place(1, 7)), (1, 7));
    }
}
