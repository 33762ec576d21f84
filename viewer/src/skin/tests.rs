use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::{ControlPoints, SkinBinding, SurfaceFrame};
use pliant_core::scene::Method;
use pliant_render::surface::{CreasedSurface, SHARP_ANGLE};
use pliant_simulation::build::build_method;
use pliant_simulation::cache::AssetCache;
use pliant_simulation::scenes::LoadedScene;
use pliant_simulation::setup::{Setup, prepare};
use pliant_simulation::world::{Interaction, PointerGrab, World};

use super::batches::{Batches, CAPACITY};
use super::difference::Difference;
use super::*;

/// A lattice in motion, and the control points of its skin.
struct Moving {
    setup: Arc<Setup>,
    binding: SkinBinding,
    frame: SurfaceFrame,
    points: ControlPoints,
    diagonal: f64,
}

/// A lattice after `frames` frames, pulled at its first vertices by a third of a diagonal.
fn moving(body: &str, frames: usize) -> Moving {
    let text = format!(
        "schema = 1\nname = 'x'\ngravity = [0.0, -9.81, 0.0]\nmethods = ['lattice']\n[[body]]\nname = 'b'\n{body}"
    );
    let scene = LoadedScene::of_text("test", text).expect("valid scene");
    let setup = Arc::new(prepare(&scene, &Progress::new()).expect("prepared"));
    let cache = AssetCache::disabled();
    let built = build_method(&setup, Method::Lattice, &cache, &Progress::new()).expect("built");
    let binding = built.model.skin_binding().expect("a binding");
    let mut world = World::new(Method::Lattice, built.model, Arc::clone(&setup));
    let diagonal = setup.geometry.skin.bounds().diagonal();
    for k in 0..frames {
        let pull = Vec3::new(0.2, 0.3, -0.1) * diagonal * ((k + 1) as f64 / frames as f64);
        let grab = (!setup.is_group()).then(|| PointerGrab {
            vertices: (0..9).collect(),
            displacement: pull,
            own_displacements: Vec::new(),
        });
        let hand = Interaction {
            grab,
            ..Interaction::default()
        };
        world.step_frame(&hand).expect("a frame");
    }
    let mut points = ControlPoints::default();
    world.write_control_points(&mut points);
    assert_eq!(points.offsets.len(), binding.control_count());
    Moving {
        frame: world.frame().clone(),
        setup,
        binding,
        points,
        diagonal,
    }
}

fn box_scene() -> Moving {
    moving(
        "mesh = { procedural = 'box', size = [0.3, 0.2, 0.2], edge = 0.03 }\nmaterial = { young = 2e4, poisson = 0.0, density = 500.0 }\nlattice = { cells_longest = 7 }\n",
        12,
    )
}

fn penguins() -> Moving {
    moving(
        "mesh = { procedural = 'penguin', longest = 0.3, edge = 0.02 }\ncount = 3\nlayout = { grid = [3, 1, 1], spacing = 0.4, origin = [30.0, 2.0, 0.0], jitter = 0.02, turn = 60.0 }\nmaterial = { density = 400.0, zeta = 0.3 }\nlattice = { cells_longest = 5, half_width = 1, alpha = 1.0, steps = 2, body_contact = true }\n",
        20,
    )
}

/// Difference between the skin of a shader and that of the model.
fn difference(m: &Moving, choice: SkinChoice, points: &ControlPoints) -> Difference {
    let skin = PreparedSkin::uncreased(m.setup.skin(), &m.binding, choice).expect("a skin");
    let mut upload = PointUpload::default();
    skin.upload(points, &mut upload).expect("its points");
    let skinned_vertices = skin.all_skinned(&upload);
    Difference::between(&skinned_vertices, skin.source(), &m.frame, m.diagonal)
}

#[test]
fn the_shaders_agree_with_the_processor_and_a_wrong_point_is_found() {
    for m in [box_scene(), penguins()] {
        let moved = m.setup.skin().positions.iter().enumerate();
        let most = moved.map(|(v, x)| (m.frame.position(v) - x).norm());
        assert!(most.fold(0.0, f64::max) > 0.1 * m.diagonal, "nothing moved");
        for choice in [SkinChoice::Texture, SkinChoice::Batches] {
            let found = difference(&m, choice, &m.points);
            assert!(found.passes(), "{choice:?} {found:?}");
            assert!(found.vertices >= m.setup.skin().vertex_count());
            // able to fail: one point is off by a hundredth of the body
            let mut wrong = m.points.clone();
            let p = m.binding.corners[7][0] as usize;
            wrong.offsets[p][1] += 0.01 * m.diagonal as f32;
            let found = difference(&m, choice, &wrong);
            assert!(!found.passes() && found.normal_deg > 0.1, "{found:?}");
        }
    }
}

#[test]
fn creased_vertices_lie_on_the_skin_and_batches_agree_with_the_texture() {
    let m = box_scene();
    let creased = CreasedSurface::new(m.setup.skin(), SHARP_ANGLE);
    let skin = |choice| {
        let skin = PreparedSkin::new(m.setup.skin(), &creased, &m.binding, choice);
        let skin = skin.expect("a skin");
        let mut upload = PointUpload::default();
        skin.upload(&m.points, &mut upload).expect("its points");
        let skinned_vertices = skin.all_skinned(&upload);
        (skin, skinned_vertices)
    };
    let (_, texture) = skin(SkinChoice::Texture);
    assert!(
        texture.len() > m.setup.skin().vertex_count(),
        "a box has edges"
    );
    let mut found = Difference::default();
    let (batched, skinned_vertices) = skin(SkinChoice::Batches);
    for (k, b) in skinned_vertices.iter().enumerate() {
        found.add(b, &texture[batched.source()[k] as usize], m.diagonal);
    }
    assert!(found.passes(), "{found:?}");
    for (b, &v) in texture.iter().zip(&creased.source) {
        let far = (Vec3::from(b.place.map(f64::from)) - m.frame.position(v as usize)).norm();
        assert!(far < 1e-5 * m.diagonal, "{far}");
    }
}

#[test]
fn every_triangle_is_in_one_batch_that_fits() {
    let m = penguins();
    let skinned = SkinnedSurface::uncreased(m.setup.skin(), &m.binding).expect("a skin");
    for capacity in [24, 60, 200, CAPACITY] {
        let batches = Batches::new(&skinned, capacity);
        assert!(batches.max_points() <= capacity);
        let mut drawn: Vec<[u32; 3]> = batches
            .triangles
            .iter()
            .map(|t| t.map(|v| batches.source[v as usize]))
            .collect();
        let mut expected = skinned.triangles.clone();
        drawn.sort_unstable();
        expected.sort_unstable();
        assert_eq!(drawn, expected, "{capacity}");
        for batch in &batches.batches {
            let range = batch.triangles[0]..batch.triangles[1];
            let inside = |v: &u32| (batch.vertices[0]..batch.vertices[1]).contains(&(*v as usize));
            assert!(batches.triangles[range].as_flattened().iter().all(inside));
            let mut points = batch.points.clone();
            points.sort_unstable();
            points.dedup();
            assert_eq!(points.len(), batch.points.len(), "a point stands once");
        }
    }
    // three bodies of some ninety points fit into one block
    assert_eq!(Batches::new(&skinned, CAPACITY).batches.len(), 1);
    assert!(
        Batches::new(&skinned, 7).batches.is_empty(),
        "not one vertex fits"
    );
}

#[test]
fn edges_between_batches_are_drawn_once() {
    let m = box_scene();
    let skinned = SkinnedSurface::uncreased(m.setup.skin(), &m.binding).expect("a skin");
    let skin = PreparedSkin::with_capacity(skinned, SkinChoice::Batches, 60).expect("a skin");
    let (triangles, edges, parts) = skin.connectivity();
    assert!(parts.len() > 3);
    // a closed surface has three edges for two triangles
    assert_eq!(2 * edges.len(), 3 * triangles.len());
    assert_eq!(parts.last().map(|p| p.edges[1]), Some(edges.len()));
}

#[test]
fn a_foreign_binding_is_refused() {
    let m = box_scene();
    let skin = m.setup.skin();
    let none = SkinBinding::default();
    assert!(PreparedSkin::uncreased(skin, &none, SkinChoice::Texture).is_none());
    let mut broken = m.binding.clone();
    broken.corners[3][2] = u32::MAX;
    assert!(PreparedSkin::uncreased(skin, &broken, SkinChoice::Batches).is_none());
    let whole = PreparedSkin::uncreased(skin, &m.binding, SkinChoice::Batches).expect("a skin");
    let mut upload = PointUpload::default();
    assert!(
        whole
            .upload(&ControlPoints::default(), &mut upload)
            .is_none()
    );
}
