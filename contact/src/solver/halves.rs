//! Bodies in two halves of space, so that two threads can solve contact at once.
//!
//! Each half has its own arrays of nodes, rigid motions and rows between its bodies. Every sweep solves the rows between the halves after those of both halves.
//! This order does not depend on the number of threads. It is a domain decomposition into two parts (Schwarz 1870).

use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;

/// The bit of a packed index that marks the second half.
const SECOND_HALF: u32 = 1 << 31;

/// Fewest contacts for two halves. Fewer are solved before another thread has woken.
const MIN_CONTACTS: usize = 600;

/// Which half each body is in.
#[derive(Debug, Clone, Default)]
pub(crate) struct Halves {
    second: Vec<bool>,
    order: Vec<u32>,
}

impl Halves {
    /// Divides the bodies with centres `at` (m) by a plane across the longest side of all, with half of those that are awake on each side. All are in the first half
    /// where there are few `contacts`.
    pub fn divide(&mut self, at: &[Vec3], awake: impl Fn(usize) -> bool, contacts: usize) {
        self.second.clear();
        self.second.resize(at.len(), false);
        self.order.clear();
        if contacts < MIN_CONTACTS {
            return;
        }
        self.order
            .extend((0..at.len() as u32).filter(|&b| awake(b as usize)));
        let bounds = Aabb::of_points(self.order.iter().map(|&b| &at[b as usize]));
        let axis = bounds.size().imax();
        let along = |b: u32| at[b as usize][axis];
        self.order
            .sort_unstable_by(|&a, &b| along(a).total_cmp(&along(b)).then(a.cmp(&b)));
        for &b in &self.order[self.order.len() / 2..] {
            self.second[b as usize] = true;
        }
    }

    /// The half of a body, 0 or 1.
    pub fn half_of(&self, body: usize) -> usize {
        usize::from(self.second[body])
    }
}

/// Half and element in one number.
pub(crate) fn packed_index(half: usize, element: usize) -> u32 {
    element as u32 | if half == 1 { SECOND_HALF } else { 0 }
}

/// Half and element of a packed index.
#[inline(always)]
pub(crate) fn half_and_element(packed: u32) -> (usize, usize) {
    ((packed >> 31) as usize, (packed & !SECOND_HALF) as usize)
}

/// Elements that a packed index finds.
pub(crate) trait HalfIndexed<T> {
    fn at(&mut self, packed: u32) -> &mut T;
}

/// The elements of one half.
pub(crate) struct OneHalf<'a, T>(pub &'a mut [T]);

/// The elements of both halves.
pub(crate) struct BothHalves<'a, T>(pub &'a mut [Vec<T>; 2]);

impl<T> HalfIndexed<T> for OneHalf<'_, T> {
    #[inline(always)]
    fn at(&mut self, packed: u32) -> &mut T {
        &mut self.0[half_and_element(packed).1]
    }
}

impl<T> HalfIndexed<T> for BothHalves<'_, T> {
    #[inline(always)]
    fn at(&mut self, packed: u32) -> &mut T {
        let (half, element) = half_and_element(packed);
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
        halves.divide(&at, |b| b % 4 != 0, MIN_CONTACTS);
        let awake = (0..40).filter(|b| b % 4 != 0);
        let (second, first): (Vec<usize>, Vec<usize>) =
            awake.partition(|&b| halves.half_of(b) == 1);
        assert_eq!((first.len(), second.len()), (15, 15));
        assert!(
            first
                .iter()
                .all(|&a| second.iter().all(|&b| at[a].y < at[b].y))
        );
        halves.divide(&at, |_| true, MIN_CONTACTS - 1);
        assert!((0..40).all(|b| halves.half_of(b) == 0));
    }

    #[test]
    fn a_packed_index_finds_an_element_in_its_half() {
        let mut both = [vec![1, 2], vec![3, 4, 5]];
        assert_eq!(*BothHalves(&mut both).at(packed_index(1, 2)), 5);
        assert_eq!(*BothHalves(&mut both).at(packed_index(0, 1)), 2);
        assert_eq!(*OneHalf(&mut both[1]).at(packed_index(1, 0)), 3);
        assert_eq!(half_and_element(packed_index(1, 7)), (1, 7));
    }
}
