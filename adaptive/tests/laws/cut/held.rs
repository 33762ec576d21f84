//! Step levels of the elements that act on nodes held by a tool.

use pliant_adaptive::params::ForceKernel;
use pliant_adaptive::step::multirate::CutDynamics;
use pliant_core::math::Vec3;

use crate::bodies::FRAME;
use crate::cut::cuts::{dynamics, refine_a_half, set_by_rest, three_levels};

/// Smallest and largest step level of the elements that act on one of the `held` nodes (ascending), as corners or through ghosts.
fn levels_at(b: &CutDynamics, held: &[u32]) -> (u8, u8) {
    let forest = b.cut().forest();
    let mut scratch = vec![0.0; forest.node_count()];
    let (mut least, mut most) = (u8::MAX, 0);
    for &t in b.operators().evaluated() {
        let corners = forest.tets()[t as usize].map(|n| (n, 1.0));
        let pushed = b.operators().expand(corners, &mut scratch);
        if pushed.iter().any(|(n, _)| held.binary_search(n).is_ok()) {
            least = b.steps().level(t).min(least);
            most = b.steps().level(t).max(most);
        }
    }
    (least, most)
}

#[test]
fn elements_at_held_nodes_fire_at_least_half_as_often_as_constraints_act() {
    let asset = three_levels(None);
    let mut b = dynamics(&asset, ForceKernel::Fast);
    refine_a_half(&mut b);
    // stretched elements are stiffer: the fast ones get faster
    set_by_rest(&mut b, |x| {
        let stretch = if x.x > 0.3 { 1.5 } else { 1.0 };
        (Vec3::new(x.x, stretch * x.y, x.z), Vec3::zeros())
    });
    let forest = b.cut().forest().clone();
    let is_on_top = |n: &u32| forest.rest()[*n as usize].y > 0.39;
    let active = b.operators().active().iter().copied();
    let held: Vec<u32> = active.filter(is_on_top).collect();
    b.prepare_frame(FRAME, &[], f64::INFINITY);
    let (least, most) = levels_at(&b, &held);
    assert!(least + 1 < most, "{least} {most}: nothing to be raised");
    b.prepare_frame(FRAME, &held, f64::INFINITY);
    let (least, most) = levels_at(&b, &held);
    assert!(most - least <= 1, "{least} {most}");
}
