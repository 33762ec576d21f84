//! A blade beside the lips of an earlier cut.

use pliant_core::math::Vec3;

use crate::fracture::blades::leave_out_lips;
use crate::fracture::tests::blades::{cut, down, model, pieces, sweep};
use crate::testing::bodies::{deform, grid_of};

#[test]
fn a_blade_that_comes_out_where_it_went_in_cuts_nothing_more() {
    // through planes of particles, and between two of them
    for x in [0.0, 0.05, 0.012] {
        for shift in [-0.002, 0.0, 0.002] {
            let mut block = model(grid_of([6, 4, 4], |_| true), -1.0);
            assert!(cut(&mut block, &[down(x, 0.3, 0.01)]) > 0);
            // the lips have moved by a twenty-fifth of a cell
            deform(&mut block, |at| at + Vec3::x() * shift);
            assert_eq!(cut(&mut block, &[down(x, 0.01, 0.3)]), 0, "{x} {shift}");
            assert_eq!(pieces(&block), 1);
        }
    }
}

#[test]
fn two_cuts_that_meet_in_a_line_of_particles_take_a_wedge_out() {
    let mut block = model(grid_of([8, 4, 4], |_| true), -1.0);
    for side in [-1.0, 1.0] {
        let edge = |x: f64, y: f64| [-1.0, 1.0].map(|z| Vec3::new(x, y, z));
        let out = sweep(
            edge(side * 0.15, 0.3),
            edge(side * -0.005, -0.01),
            Vec3::y(),
        );
        assert!(cut(&mut block, &[out]) > 0);
    }
    assert_eq!(pieces(&block), 2);
}

#[test]
fn cuts_that_cross_in_planes_of_particles_make_four_pieces() {
    let mut block = model(grid_of([6, 4, 4], |_| true), -1.0);
    cut(&mut block, &[down(0.0, 0.3, -0.3)]);
    let edge = |y: f64| [Vec3::new(-1.0, y, 0.0), Vec3::new(1.0, y, 0.0)];
    cut(&mut block, &[sweep(edge(0.3), edge(-0.3), Vec3::y())]);
    assert_eq!(pieces(&block), 4);
}

#[test]
fn an_earlier_cut_along_the_blade_alone_makes_no_lip() {
    // particle 0, three neighbours on the left, one above, one below, and one on the right
    let places = [
        [0, 0, 0],
        [-1, 0, -1],
        [-1, 0, 0],
        [-1, 0, 1],
        [0, 1, 0],
        [0, -1, 0],
        [1, 0, 0],
    ];
    let rest = |p: u32| Vec3::from(places[p as usize].map(f64::from));
    let crossed = vec![
        ([0, 1], 0.01),
        ([0, 2], 0.01),
        ([0, 3], 0.01),
        ([0, 5], 0.05),
    ];
    // with a whole link on the side of the earlier cut it is no lip yet
    for (earlier, whole, left) in [([0, 4], 4, 4), ([0, 6], 4, 0), ([0, 6], 6, 4)] {
        let mut links = crossed.clone();
        let linked = |_: u32| vec![1, 2, 3, 5, whole];
        leave_out_lips(&mut links, [(earlier, 0.02)].into_iter(), rest, linked);
        assert_eq!(links.len(), left, "{earlier:?} {whole}");
    }
}
