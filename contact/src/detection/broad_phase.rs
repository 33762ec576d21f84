//! Pairs of bodies whose boxes overlap: a sweep along x, in fixed order (Baraff 1992; Cohen et al. 1995).

use pliant_core::math::bounds::Aabb;

/// Finds overlapping boxes; keeps its memory and the order of the last sweep.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sweep {
    order: Vec<u32>,
    active: Vec<u32>,
    /// sorted, the lower number first
    pub pairs: Vec<(u32, u32)>,
}

impl Sweep {
    /// Pairs of `boxes` of which at least one is `awake`.
    pub fn run(&mut self, boxes: &[Aabb], awake: impl Fn(usize) -> bool) {
        if self.order.len() != boxes.len() {
            self.order.clear();
            self.order.extend(0..boxes.len() as u32);
        }
        let low = |b: u32| boxes[b as usize].min.x;
        self.order
            .sort_unstable_by(|&a, &b| low(a).total_cmp(&low(b)).then(a.cmp(&b)));
        self.pairs.clear();
        self.active.clear();
        for &b in &self.order {
            let here = &boxes[b as usize];
            self.active
                .retain(|&a| boxes[a as usize].max.x >= here.min.x);
            for &a in &self.active {
                if boxes[a as usize].overlaps(here) && (awake(a as usize) || awake(b as usize)) {
                    self.pairs.push((a.min(b), a.max(b)));
                }
            }
            self.active.push(b);
        }
        self.pairs.sort_unstable();
    }

    /// Partners of body `a` with higher numbers, ascending.
    pub fn partners(&self, a: u32) -> &[(u32, u32)] {
        let from = self.pairs.partition_point(|p| p.0 < a);
        let to = self.pairs.partition_point(|p| p.0 <= a);
        &self.pairs[from..to]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::math::Vec3;

    #[test]
    fn the_sweep_finds_the_same_pairs_as_testing_all() {
        let boxes: Vec<Aabb> = (0..60)
            .map(|k| {
                let t = f64::from(k);
                let at = Vec3::new((t * 1.7).sin(), (t * 2.3).cos(), (t * 0.9).sin());
                Aabb {
                    min: at.add_scalar(-0.15),
                    max: at.add_scalar(0.1 + 0.1 * (t * 0.37).sin().abs()),
                }
            })
            .collect();
        let awake = |k: usize| !k.is_multiple_of(3);
        let mut sweep = Sweep::default();
        for _ in 0..2 {
            sweep.run(&boxes, awake);
            let mut all = Vec::new();
            for a in 0..60 {
                for b in a + 1..60 {
                    if boxes[a].overlaps(&boxes[b]) && (awake(a) || awake(b)) {
                        all.push((a as u32, b as u32));
                    }
                }
            }
            assert!(all.len() > 10);
            assert_eq!(sweep.pairs, all);
        }
        assert!(sweep.partners(1).iter().all(|p| p.0 == 1));
    }
}
