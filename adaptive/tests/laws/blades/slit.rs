//! The number: a bar that is cut half through opens like one that is meshed with the slit.

use pliant_adaptive::{AdaptiveModel, AdaptiveParams, DampingRule, LevelChoice};
use pliant_core::boundary::{BoundaryConditions, NodalLoad};
use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;
use pliant_core::mesh::procedural::{CellStyle, box_tets};
use pliant_core::scene::Selection;

use super::{body_of, cut, down, frames, pieces};
use crate::bodies::{baked, cube_material};

const SIZE: [f64; 3] = [0.4, 0.1, 0.1];
const CELLS: [usize; 3] = [24, 6, 6];

/// The bar, with the nodes of the plane x = 0 above the middle twice if it has the slit.
fn bar(has_slit: bool) -> TetMesh {
    let mut mesh = box_tets(Vec3::from(SIZE), CELLS, CellStyle::Alternating);
    if !has_slit {
        return mesh;
    }
    let whole = mesh.nodes.clone();
    let twin = whole.iter().map(|x| {
        let is_double = x.x.abs() < 1e-9 && x.y > 1e-9;
        is_double.then(|| {
            mesh.nodes.push(*x);
            mesh.nodes.len() as u32 - 1
        })
    });
    let twin: Vec<Option<u32>> = twin.collect();
    for t in 0..mesh.tets.len() {
        let middle = mesh.corners(t).iter().sum::<Vec3>() / 4.0;
        for n in mesh.tets[t].iter_mut().filter(|_| middle.x > 0.0) {
            *n = twin[*n as usize].unwrap_or(*n);
        }
    }
    mesh
}

/// How far the nodes of the top beside the slit come apart under a pull at the end, m.
fn opening(body: &mut AdaptiveModel) -> f64 {
    let skin = body.asset().skin.clone();
    let mut pull = BoundaryConditions::default();
    let end: Vec<u32> = (0..skin.vertex_count() as u32)
        .filter(|&v| skin.positions[v as usize].x > 0.5 * SIZE[0] - 1e-9)
        .collect();
    let force = Vec3::x() * (20.0 / end.len() as f64);
    pull.set_loads(end.iter().map(|&vertex| NodalLoad { vertex, force }));
    frames(body, &pull, 150);
    let cell = SIZE[0] / CELLS[0] as f64;
    let moved = |x: f64| {
        let place = Vec3::new(x, 0.5 * SIZE[1], 0.0);
        let rest = &body.asset().levels[0].mesh.nodes;
        let node = rest
            .iter()
            .position(|r| (r - place).norm() < 1e-9)
            .expect("a node");
        body.node_positions()[node].x - x
    };
    assert!(body.node_velocities().iter().all(|v| v.norm() < 1e-4));
    moved(cell) - moved(-cell)
}

#[test]
fn half_a_cut_opens_like_a_slit_in_the_mesh() {
    let held = Selection::HalfSpace {
        point: [-0.5 * SIZE[0] + 1e-3, 0.0, 0.0],
        normal: [-1.0, 0.0, 0.0],
    };
    let body_with = |slit: bool| {
        let geometry = body_of(bar(slit), cube_material(0.7), Some(held.clone()));
        let params = AdaptiveParams {
            level: LevelChoice::Index(0),
            damping_rule: DampingRule::Rayleigh,
            blades: true,
            ..AdaptiveParams::default()
        };
        AdaptiveModel::new(baked(&geometry), params).expect("fits")
    };
    let whole = opening(&mut body_with(false));
    let slit = opening(&mut body_with(true));
    let cell = SIZE[1] / CELLS[1] as f64;
    // through a plane of nodes: the cut ends at the last nodes that the blade has passed
    let mut half = body_with(false);
    cut(&mut half, &[down(0.0, 0.2, -0.5 * cell)]);
    assert_eq!(pieces(&half), 1);
    let through_nodes = opening(&mut half);
    // between nodes: half a cell beside the slit
    let mut half = body_with(false);
    cut(&mut half, &[down(0.4 * cell, 0.2, -0.5 * cell)]);
    let between = opening(&mut half);
    assert!(slit > 5.0 * whole, "{slit} {whole}");
    assert!(
        (through_nodes / slit - 1.0).abs() < 0.05,
        "{through_nodes} {slit}"
    );
    // its end is known to half a cell, a twelfth of the depth
    assert!((between / slit - 1.0).abs() < 0.1, "{between} {slit}");
}
