//! How far the skins of the panes are from each other.

use super::{PaneSnapshot, PaneState};
use crate::reference::surface_distance;

/// Measures the skins of all panes that run, two by two; `areas` are the nodal areas at rest, m². Cost: a pass over the vertices for each two panes.
pub(super) fn measure(panes: &mut [PaneSnapshot], areas: &[f64]) {
    for k in 1..panes.len() {
        let (before, after) = panes.split_at_mut(k);
        let Some(b) = after.first_mut() else {
            return;
        };
        for (j, a) in before.iter_mut().enumerate() {
            let run = a.state == PaneState::Ready && b.state == PaneState::Ready;
            let (of_a, of_b) = (&a.frame.positions, &b.frame.positions);
            let distance = run.then(|| surface_distance(of_a, of_b, areas));
            for (slot, distance) in [
                (a.distances.get_mut(k), distance),
                (b.distances.get_mut(j), distance),
            ] {
                if let Some(slot) = slot {
                    *slot = distance;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use pliant_core::scene::Method;

    use super::*;

    #[test]
    fn panes_that_run_know_their_distance_from_each_other_and_those_that_do_not_have_none() {
        let mut panes = Method::ALL.map(PaneSnapshot::waiting);
        for (k, pane) in panes.iter_mut().enumerate() {
            pane.frame.positions = vec![[k as f32, 0.0, 0.0]; 3];
        }
        panes[0].state = PaneState::Ready;
        panes[2].state = PaneState::Ready;
        let areas = [1.0; 3];
        measure(&mut panes, &areas);
        let of = |panes: &[PaneSnapshot], k: usize| panes[k].distances.map(|d| d.map(|d| d.max));
        assert_eq!(of(&panes, 0), [None, None, Some(2.0)]);
        assert_eq!(of(&panes, 1), [None; 3]);
        assert_eq!(of(&panes, 2), [Some(2.0), None, None]);
        panes[1].state = PaneState::Ready;
        panes[2].state = PaneState::Waiting;
        measure(&mut panes, &areas);
        assert_eq!(of(&panes, 1), [Some(1.0), None, None]);
        assert_eq!(of(&panes, 2), [None; 3]);
    }
}
