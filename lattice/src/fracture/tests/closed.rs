//! The drawn surface of a broken body is closed.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceFrame;
use pliant_core::mesh::surface_frame::CutSurface;
use pliant_core::mesh::validate::topology;
use pliant_core::model::DeformableModel;

use crate::fracture::Fracture;
use crate::testing::bodies::{
    Random, ball, body_of, grid_of, links_across, model_of, release, undamped,
};
use crate::{LatticeModel, LatticeParams};

/// Asserts that the drawn surface is closed and manifold.
pub fn assert_closed(cut: &CutSurface, what: &str) {
    let found = topology(&cut.closed());
    assert!(found.is_sound(), "{what}: {found:?}");
    assert_eq!(cut.frame.positions.len(), cut.surface.vertex_count());
    for (k, v) in cut.sharp.iter().enumerate() {
        let sharp = cut.closed_vertices() + k;
        assert_eq!(cut.frame.positions[sharp], cut.frame.positions[*v as usize]);
    }
}

fn shown(body: &LatticeModel) -> Option<CutSurface> {
    let mut frame = SurfaceFrame::default();
    body.write_surface(&mut frame);
    frame.cut.map(|cut| *cut)
}

fn fragile() -> LatticeParams {
    undamped(1, 0.5, 4).breaking(Fracture::default())
}

#[test]
fn a_slit_a_hole_inside_and_a_break_are_closed_and_enclose_the_volume() {
    for dims in [[6, 4, 4], [6, 1, 3], [6, 1, 1]] {
        let geometry = body_of(grid_of(dims, |_| true), -1.0);
        let volume = geometry.skin.volume();
        type Inside = fn(&Vec3) -> bool;
        let all: [(&str, Inside, usize); 3] = [
            ("a slit", |x| x.z < 0.0, 1),
            ("a hole inside", |x| x.y.abs() > 0.06 || x.z.abs() > 0.06, 1),
            ("a break", |_| false, 2),
        ];
        for (name, keep, parts) in all {
            let mut body = model_of(&geometry, &fragile());
            let mut links = links_across(body.asset(), 0, 2);
            links.retain(|[p, _]| !keep(&body.asset().rest_position(*p as usize)));
            body.break_links(&links);
            let Some(cut) = shown(&body) else {
                assert_ne!(parts, 2);
                continue;
            };
            assert_closed(&cut, name);
            let closed = cut.closed();
            if parts == 2 {
                // a triangle of the skin without a connection is a component of its own
                assert!(topology(&closed).components >= 2, "{name} {dims:?}");
            }
            // without a blade, each triangle belongs to one side as a whole: lips are ragged within the parted cells, a sixth of the body
            let off = closed.volume() / volume - 1.0;
            assert!(off.abs() < 1.0 / 6.0, "{name} {dims:?}: {off}");
        }
    }
}

#[test]
fn links_that_break_at_random_leave_a_closed_surface() {
    for (name, grid) in [
        ("block", grid_of([5, 4, 3], |_| true)),
        ("plate", grid_of([6, 1, 6], |_| true)),
        ("ball", ball(3.5, 0.0)),
    ] {
        let mut body = model_of(&body_of(grid, -1.0), &fragile());
        let mut random = Random(0x1234_5678_9abc_def1);
        let mut seen = 0;
        for _ in 0..60 {
            let asset = body.asset().clone();
            let count = asset.particle_count();
            let at = |x: f64| ((x + 1.0) * 0.5 * count as f64) as usize % count;
            let (center, reach) = (asset.rest_position(at(random.next())), 1.2 * asset.cell);
            let near = |p: &usize| (asset.rest_position(*p) - center).amax() < reach;
            let members: Vec<usize> = (0..count).filter(near).collect();
            let mut links = Vec::new();
            for &p in &members {
                for &q in members.iter().filter(|q| **q > p) {
                    if random.next() > 0.2 {
                        links.push([p as u32, q as u32]);
                    }
                }
            }
            body.break_links(&links);
            if let Some(cut) = shown(&body) {
                assert_closed(&cut, name);
                seen += 1;
            }
        }
        assert!(seen > 40, "{name}: {seen}");
        // pieces go far apart, and take all of what is drawn with them
        let asset = body.asset().clone();
        assert!(asset.component_count() > 3, "{name}");
        let place = |p: usize| {
            let piece = f64::from(asset.component[p]);
            asset.rest_position(p) + Vec3::new(10.0 * piece, 0.0, 0.0)
        };
        let places: Vec<Vec3> = (0..asset.particle_count()).map(place).collect();
        release(&mut body, &places);
        let cut = shown(&body).expect("a cut");
        for triangle in &cut.surface.triangles {
            let [a, b, c] = triangle.map(|v| cut.frame.position(v as usize));
            let longest = (a - b).norm().max((b - c).norm()).max((c - a).norm());
            assert!(longest < 1.0, "{name}: a triangle joins two pieces");
        }
    }
}
