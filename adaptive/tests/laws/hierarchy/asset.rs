//! The hierarchy: baking, refused bodies, and serialization.

use std::sync::Arc;

use pliant_adaptive::hierarchy::parenting::nearest_parents;
use pliant_adaptive::{
    AdaptiveModel, AdaptiveParams, ElementModel, LevelChoice, LodHierarchy, key,
};
use pliant_core::asset::{Progress, SupportRegion};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::inspect::Inspect;
use pliant_core::material::{Damping, DampingParameters};
use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;
use pliant_core::model::Degradation;
use pliant_core::scene::Selection;

use crate::bodies::{With, baked, block, body, cube_material, frame, model, shown};

fn three_levels() -> pliant_core::asset::BodyGeometry {
    block(
        Vec3::new(1.0, 0.5, 0.8),
        &[[2, 1, 2], [4, 2, 3], [7, 4, 6]],
        cube_material(0.05),
        Some(Selection::Lowest(0.01)),
    )
}

#[test]
fn levels_share_mass_and_supports_and_are_linked() {
    let asset = baked(&three_levels());
    for (l, level) in asset.levels.iter().enumerate() {
        assert!((level.masses.iter().sum::<f64>() / 400.0 - 1.0).abs() < 1e-12);
        assert!(
            level.held[0]
                .iter()
                .all(|&n| level.mesh.nodes[n as usize].y < -0.249)
        );
        assert!(level.held[0].len() >= 3);
        assert_eq!(level.embedding.len(), asset.skin.vertex_count());
        if l > 0 {
            let coarse = &asset.levels[l - 1];
            assert_eq!(level.parents.len(), level.node_count());
            for n in 0..coarse.node_count() {
                let children = coarse.children.row(n);
                assert!(!children.is_empty(), "node {n} of level {}", l - 1);
                assert!(
                    children
                        .iter()
                        .all(|&c| level.parents[c as usize] == n as u32)
                );
            }
            let nearest = nearest_parents(&level.mesh.nodes, &coarse.mesh.nodes);
            let moved = nearest
                .iter()
                .zip(&level.parents)
                .filter(|(a, b)| a != b)
                .count();
            assert!(moved * 10 < level.node_count(), "repair moves few");
        }
    }
    assert!(asset.notes.is_empty(), "{:?}", asset.notes);
}

#[test]
fn bytes_are_restored_exactly_and_damaged_ones_are_refused() {
    let mut geometry = three_levels();
    geometry.material.damping = Damping::Parameters(DampingParameters { phi: 3.0, psi: 2.0 });
    let asset = LodHierarchy::bake(&geometry, &Progress::new()).expect("bakes");
    let bytes = asset.to_bytes();
    let back = LodHierarchy::from_bytes(&bytes).expect("reads");
    assert_eq!(back, asset);
    assert_eq!(back.to_bytes(), bytes);
    for cut in (0..bytes.len()).step_by(97) {
        assert!(LodHierarchy::from_bytes(&bytes[..cut]).is_err());
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(LodHierarchy::from_bytes(&longer).is_err());
    // arbitrary bytes give an error or a hierarchy, never a panic
    let mut seed = 1_u64;
    for _ in 0..300 {
        let mut damaged = bytes.clone();
        for _ in 0..3 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1);
            let at = (seed >> 33) as usize % damaged.len();
            damaged[at] = (seed >> 20) as u8;
        }
        if let Ok(asset) = LodHierarchy::from_bytes(&damaged) {
            let _ = AdaptiveModel::new(Arc::new(asset), AdaptiveParams::default());
        }
    }
}

#[test]
fn keys_depend_on_the_geometry() {
    let params = AdaptiveParams::default();
    let geometry = three_levels();
    let base = key(&geometry, &params);
    assert_eq!(base, key(&three_levels(), &params));
    let mut other = three_levels();
    other.material.density += 1.0;
    assert_ne!(base, key(&other, &params));
    let mut other = three_levels();
    other.supports.clear();
    assert_ne!(base, key(&other, &params));
    let mut other = three_levels();
    other.levels.pop();
    assert_ne!(base, key(&other, &params));
}

#[test]
fn bad_bodies_are_refused_with_a_code() {
    let code = |change: &dyn Fn(&mut pliant_core::asset::BodyGeometry)| {
        let mut geometry = three_levels();
        change(&mut geometry);
        match LodHierarchy::bake(&geometry, &Progress::new()) {
            Ok(_) => "none".into(),
            Err(e) => e.code(),
        }
    };
    assert_eq!(code(&|g| g.levels.clear()), "NoLevels");
    assert_eq!(
        code(&|g| Arc::make_mut(&mut g.levels[1]).tets[3].swap(0, 1)),
        "InvertedTet"
    );
    assert_eq!(
        code(&|g| Arc::make_mut(&mut g.levels[1]).nodes.push(Vec3::zeros())),
        "BadMesh"
    );
    assert_eq!(
        code(&|g| Arc::make_mut(&mut g.levels[2]).tets[0] = [0, 1, 2, 2]),
        "DegenerateTet"
    );
    assert_eq!(
        code(&|g| g.supports.push(SupportRegion::new(
            "nowhere",
            Selection::List(Vec::new()),
            &g.skin.clone()
        ))),
        "SupportEmpty"
    );
    assert_eq!(code(&|g| g.material.elastic.poisson = 0.5), "BadMaterial");
    let cancelled = Progress::new();
    cancelled.cancel();
    let error = LodHierarchy::bake(&three_levels(), &cancelled).expect_err("cancelled");
    assert_eq!(error.code(), "Cancelled");
}

#[test]
fn levels_of_another_body_are_refused_and_odd_ones_reported() {
    let code = |geometry: &pliant_core::asset::BodyGeometry| match LodHierarchy::bake(
        geometry,
        &Progress::new(),
    ) {
        Ok(asset) => asset.notes.join("; "),
        Err(e) => e.code(),
    };
    let scaled = |factor: f64| {
        let mut geometry = three_levels();
        for x in &mut Arc::make_mut(&mut geometry.levels[0]).nodes {
            x.x *= factor;
        }
        code(&geometry)
    };
    assert_eq!(scaled(1.0), "");
    assert!(scaled(1.2).starts_with("LevelVolumeMismatch: level 0 has 120.0 %"));
    assert_eq!(scaled(1.6), "LevelVolumeMismatch");
    // a coarse level of two components: its tetrahedra on both sides of a plane share no node
    let mut geometry = three_levels();
    let torn = Arc::make_mut(&mut geometry.levels[1]);
    let count = torn.nodes.len() as u32;
    let right: Vec<usize> = (0..torn.tets.len())
        .filter(|&t| torn.corners(t).iter().sum::<Vec3>().x > 0.0)
        .collect();
    let copies = torn.nodes.clone();
    torn.nodes.extend(copies);
    for t in right {
        torn.tets[t] = torn.tets[t].map(|n| n + count);
    }
    *torn = TetMesh::with_used_nodes(&torn.nodes, torn.tets.clone()).0;
    assert_eq!(code(&geometry), "DisconnectedLevel");
    // a hole through a middle level
    let mut geometry = three_levels();
    let holed = Arc::make_mut(&mut geometry.levels[1]);
    *holed = holed.part(|x| x.x.abs() > 0.25 || x.z.abs() > 0.14);
    let notes = code(&geometry);
    assert!(notes.contains("LevelTopologyMismatch: level 1"), "{notes}");
    assert!(notes.contains("genus 1"), "{notes}");
}

#[test]
fn the_budget_chooses_the_level() {
    let asset = baked(&three_levels());
    let with = |budget_units: u64| {
        let params = AdaptiveParams::default().with(|p| p.budget_units = budget_units);
        model(&asset, params)
    };
    let mut full = with(u64::MAX);
    let report = frame(&mut full, &BoundaryConditions::default());
    assert_eq!((full.level(), report.degraded), (2, None));
    assert_eq!(with(report.work_used).level(), 2);
    assert_eq!(with(report.work_used - 1).level(), 1);
    let mut poor = with(0);
    let report = frame(&mut poor, &BoundaryConditions::default());
    assert_eq!(
        (poor.level(), report.degraded),
        (0, Some(Degradation::RefinementWithheld))
    );
    let told = |b: &AdaptiveModel, words: &str| {
        let notes = b.stats().notes;
        assert!(notes.iter().any(|n| n.starts_with(words)), "{notes:?}");
    };
    told(&poor, "the budget holds level 0 (of 0 to 2): a finer one");
    let mut geometry = three_levels();
    geometry.levels.truncate(1);
    let one = model(
        &baked(&geometry),
        AdaptiveParams::default().with(|p| p.budget_units = 0),
    );
    told(&one, "frames of the only level take longer");
    let params = AdaptiveParams::default().with(|p| p.level = LevelChoice::Index(3));
    let error = AdaptiveModel::new(asset.clone(), params).expect_err("three levels");
    assert_eq!(error.code(), "NoSuchLevel");
}

#[test]
fn every_level_reproduces_affine_motion_of_the_skin() {
    let asset = baked(&three_levels());
    for level in 0..3 {
        let mut b = body(&asset, level, ElementModel::Green);
        // `set_state` does not move held nodes, so the motion is zero at the support
        let map = |x: &Vec3| Vec3::new(x.x + 0.3 * (x.y + 0.25), x.y, x.z);
        let moved: Vec<Vec3> = b.level_nodes().iter().map(map).collect();
        b.set_state(&moved, &[]);
        let surface = shown(&b);
        for (v, rest) in asset.skin.positions.iter().enumerate() {
            assert!((surface.position(v) - map(rest)).norm() < 1e-6);
        }
    }
}
