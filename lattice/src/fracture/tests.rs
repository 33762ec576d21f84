use std::collections::BTreeSet;
use std::sync::Arc;

use pliant_core::boundary::{
    BoundaryConditions, ConstrainedDirections, ConstraintKind, DisplacementConstraint, Friction,
};
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceFrame;
use pliant_core::model::DeformableModel;

use super::pieces::Pieces;
use super::strain::Links;
use super::topology::{Change, Topology, with_own_regions};
use crate::asset::LatticeAsset;
use crate::fracture::Fracture;
use crate::kernels::{FastBody, Level};
use crate::sites::find;
use crate::summation::{Scratch, Summation};
use crate::testing::{Random, asset_of, ball, body_of, grid_of, model_of, plain, run, shapes};
use crate::{LatticeModel, LatticeParams, Sums};

/// All links, both ways.
fn links_of(topology: &Topology, count: usize) -> Vec<Vec<u32>> {
    let linked = |p| {
        let mut list = Vec::new();
        topology.sites().for_each_linked(p, |q| list.push(q));
        list
    };
    (0..count).map(linked).collect()
}

/// Particles within `w` links of `p`, by the plainest search.
fn region(links: &[Vec<u32>], p: usize, w: usize) -> BTreeSet<u32> {
    let mut all = BTreeSet::from([p as u32]);
    for _ in 0..w {
        let next: Vec<u32> = all
            .iter()
            .flat_map(|&q| links[q as usize].clone())
            .collect();
        all.extend(next);
    }
    all
}

fn some_link(links: &[Vec<u32>], random: &mut Random) -> [u32; 2] {
    loop {
        let p = ((random.next() * 0.5 + 0.5) * links.len() as f64) as usize % links.len();
        if !links[p].is_empty() {
            let k = ((random.next() * 0.5 + 0.5) * links[p].len() as f64) as usize;
            return [p as u32, links[p][k % links[p].len()]];
        }
    }
}

/// What baking makes of these links, compared bit by bit.
fn assert_is_rebuilt(asset: &LatticeAsset, links: &[Vec<u32>], what: &str) {
    let w = asset.half_width;
    let sets: Vec<Vec<u32>> = (0..links.len())
        .map(|p| region(links, p, w).into_iter().collect())
        .collect();
    let share = |p: u32| asset.mass[p as usize] / sets[p as usize].len() as f64;
    for (p, set) in sets.iter().enumerate() {
        let runs = asset.plan.runs(p).flat_map(|r| r[0]..r[0] + r[1]);
        assert!(runs.eq(set.iter().copied()), "{what}: region of {p}");
        assert_eq!(asset.region_size[p] as usize, set.len(), "{what}");
        assert_eq!(asset.share[p], share(p as u32), "{what}");
        let (mut mass, mut moment) = (0.0, Vec3::zeros());
        for &q in set {
            mass += share(q);
            moment += asset.rest[q as usize] * share(q);
        }
        assert_eq!(asset.region_mass[p], mass, "{what}: mass of {p}");
        assert_eq!(asset.region_center[p], moment / mass, "{what}");
    }
}

#[test]
fn a_thousand_breaks_one_by_one_are_a_rebuild() {
    for (name, grid) in shapes() {
        for w in [1, 2] {
            let mut asset = with_own_regions(&asset_of(&grid, w));
            let mut topology = Topology::new(&asset);
            let mut links = links_of(&topology, asset.particle_count());
            let mut random = Random(5);
            let total: usize = links.iter().map(|l| l.len()).sum::<usize>() / 2;
            let breaks = if name == "box" { 1000 } else { 100 };
            assert!(total > breaks, "{name}: {total}");
            for k in 0..breaks {
                let [p, q] = some_link(&links, &mut random);
                links[p as usize].retain(|&r| r != q);
                links[q as usize].retain(|&r| r != p);
                let change = topology.cut(&mut asset, &[[p, q]], |_, _| 0.0);
                assert!(w > 1 || change.regions.len() == 2);
                if w == 1 || k % 20 == 0 || k + 1 == breaks {
                    assert_is_rebuilt(&asset, &links, &format!("{name} w={w} break {k}"));
                }
            }
            assert_eq!(links_of(&topology, asset.particle_count()), links);
            let bytes = asset.to_bytes();
            assert_eq!(LatticeAsset::from_bytes(&bytes), Ok(asset));
        }
    }
}

/// Breaks links crossing the plane through the middle perpendicular to x where `y` is above zero, and some others.
fn crack(asset: &mut LatticeAsset) -> Change {
    let mut topology = Topology::new(asset);
    let links = links_of(&topology, asset.particle_count());
    let mut broken = Vec::new();
    for (p, list) in links.iter().enumerate() {
        for &q in list {
            let (a, b) = (asset.rest[p], asset.rest[q as usize]);
            let across = a.x < 0.01 && b.x > 0.01 && a.y > 0.0;
            if across || (q as usize > p && (7 * p + q as usize) % 97 == 0) {
                broken.push([p as u32, q]);
            }
        }
    }
    assert!(broken.len() > 10);
    topology.cut(asset, &broken, |_, _| 0.0)
}

#[test]
fn all_ways_give_the_naive_sums_after_breaks() {
    for (name, grid) in shapes() {
        for w in 1..=5 {
            let whole = with_own_regions(&asset_of(&grid, w));
            let mut asset = whole.clone();
            let change = crack(&mut asset);
            assert!(!change.regions.is_empty(), "{name}");
            let mut random = Random(11);
            let field: Vec<[f64; 5]> = (0..asset.particle_count())
                .map(|_| std::array::from_fn(|_| random.next()))
                .collect();
            let sums = |way, prepared: &LatticeAsset| {
                let mut out = vec![[f64::NAN; 5]; asset.region_count()];
                let summation = Summation::new(prepared, Some(way));
                summation.sum(&asset.plan, &field, &mut Scratch::default(), &mut out);
                out
            };
            let naive = sums(Sums::Naive, &asset);
            for way in [Sums::BarPlateCube, Sums::Running] {
                // prepared before the breaks and after
                for prepared in [&whole, &asset] {
                    for (a, b) in sums(way, prepared).iter().zip(&naive) {
                        for c in 0..5 {
                            assert!((a[c] - b[c]).abs() < 1e-11, "{name} {way:?} w={w}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn single_precision_follows_breaks() {
    let mut grids = shapes();
    grids.push(("large box", grid_of([12, 11, 30], |_| true)));
    grids.push(("large ball", ball(8.0, 0.0)));
    for (name, grid) in grids {
        for w in [1, 3, 5] {
            if w > 1 && ["fork", "slit", "large ball"].contains(&name) {
                continue;
            }
            let whole = with_own_regions(&asset_of(&grid, w));
            let mut asset = whole.clone();
            let change = crack(&mut asset);
            let mut follows = FastBody::new(Arc::new(whole), Level::Auto);
            follows.find_goals();
            let asset = Arc::new(asset);
            follows.follow(&asset, &change.regions, &change.particles);
            let mut fresh = FastBody::new(Arc::clone(&asset), Level::Auto);
            let mut model = LatticeModel::new(
                Arc::clone(&asset),
                &LatticeParams {
                    precision: Some(crate::Precision::Double),
                    ..plain(w, 0.5, 1)
                },
            )
            .expect("a model");
            let bend = |x: [f64; 3]| {
                [
                    x[0] + 0.3 * (0.6 * x[1]).sin(),
                    x[1] * 1.1,
                    x[2] + 0.2 * (0.5 * x[0]).cos(),
                ]
            };
            let place =
                |x: &Vec3| asset.center + Vec3::from(bend((x / asset.cell).into())) * asset.cell;
            let x: Vec<Vec3> = asset.rest.iter().map(place).collect();
            model.set_state(&x, &vec![Vec3::zeros(); x.len()]);
            run(&mut model, 1, &BoundaryConditions::default());
            // the state's own match improved the rotations once: so do these
            for body in [&mut follows, &mut fresh] {
                body.deform(bend);
                body.find_goals();
                body.find_goals();
                for p in 0..asset.particle_count() {
                    let wanted = model.offsets[p] / asset.cell;
                    let off = (body.offset(p) - wanted).amax();
                    assert!(off < 2e-4, "{name} w={w} particle {p}: {off:e}");
                }
                let before = body.momentum();
                for _ in 0..10 {
                    body.step(0.5, 1e-3, 0.05);
                }
                for (now, then) in body.momentum().iter().zip(before) {
                    let scale = 1e3 * asset.mass.iter().sum::<f64>() * x.len() as f64;
                    assert!((now - then).abs() < 1e-7 * scale, "{name} w={w} {now}");
                }
            }
            for p in 0..asset.particle_count() {
                let off = (follows.position(p) - fresh.position(p)).amax();
                assert!(off < 1e-4, "{name} w={w} particle {p}: {off:e}");
            }
        }
    }
}

#[test]
fn pieces_are_those_of_all_links() {
    let (sites, _) = find(&grid_of([6, 2, 2], |_| true)).expect("particles");
    let mut cut = sites.clone();
    let mut pieces = Pieces::default();
    let mut broken = Vec::new();
    for p in 0..sites.len() as u32 {
        sites.for_each_linked(p as usize, |q| {
            let x = |p: u32| sites.of_particle[p as usize][0];
            if x(p) == 2 && x(q) == 3 {
                broken.push([p, q]);
            }
        });
    }
    let (last, most) = broken.split_last().expect("links");
    for link in most {
        cut.unlink(link[0], link[1]);
        pieces.broke(&cut, &[*link]);
    }
    // the whole still hangs on one link
    while pieces.is_searching() {
        if let Some(labels) = pieces.advance(&cut, false) {
            assert!(labels.iter().all(|&l| l == 0));
        }
    }
    cut.unlink(last[0], last[1]);
    pieces.broke(&cut, &[*last]);
    assert_eq!(pieces.advance(&cut, true), Some(cut.components()));
    assert_eq!(cut.components().iter().max(), Some(&1));
}

#[test]
fn all_links_that_are_too_long_are_found() {
    for (name, grid) in shapes() {
        let asset = asset_of(&grid, 1);
        let topology = Topology::new(&asset);
        let mut links = Links::new(&asset, topology.sites());
        let mut random = Random(3);
        let x: Vec<Vec3> = asset
            .rest
            .iter()
            .map(|x| x + random.vector() * 0.01)
            .collect();
        let all = links_of(&topology, asset.particle_count());
        let long = |p: u32, q: u32| {
            let (p, q) = (p as usize, q as usize);
            (x[p] - x[q]).norm() > 1.1 * (asset.rest[p] - asset.rest[q]).norm()
        };
        let mut wanted = BTreeSet::new();
        for (p, list) in all.iter().enumerate() {
            for &q in list.iter().filter(|&&q| long(p as u32, q)) {
                wanted.insert([p as u32, q]);
            }
        }
        assert!(wanted.len() > 20, "{name}");
        for round in 0..3 {
            let found = links.beyond(0.1, &x, &Vec3::zeros());
            let both = found.iter().flat_map(|l| [l.ends, [l.ends[1], l.ends[0]]]);
            assert_eq!(BTreeSet::from_iter(both), wanted, "{name} {round}");
            let still = links.still_beyond(0.1, &found, &x, 5);
            assert!(still.windows(2).all(|s| s[0].stretch >= s[1].stretch));
            assert_eq!(still.len(), 5);
            for link in still {
                let [p, q] = link.ends;
                assert!(links.forget([q, p]) && !links.forget([p, q]), "{name}");
                wanted.remove(&[p, q]);
                wanted.remove(&[q, p]);
            }
        }
    }
}

fn fragile(toughness: f64) -> LatticeParams {
    LatticeParams {
        fracture: Some(Fracture {
            toughness,
            ..Fracture::default()
        }),
        ..plain(1, 0.5, 4)
    }
}

/// A bar that flies apart from its middle.
fn torn_bar(params: &LatticeParams) -> LatticeModel {
    let geometry = body_of(grid_of([12, 3, 3], |_| true), -1.0);
    let mut model = model_of(&geometry, params);
    let speed = |x: &Vec3| Vec3::new(6.0 * x.x.signum(), 0.3 * x.z, 0.0);
    let v: Vec<Vec3> = model.asset().rest.iter().map(speed).collect();
    let x = model.positions().to_vec();
    model.set_state(&x, &v);
    model
}

fn momenta(model: &LatticeModel) -> [Vec3; 2] {
    let mut sums = [Vec3::zeros(); 2];
    for (p, m) in model.asset().mass.iter().enumerate() {
        sums[0] += model.velocities()[p] * *m;
        sums[1] += model.positions()[p].cross(&model.velocities()[p]) * *m;
    }
    sums
}

#[test]
fn a_bar_is_torn_into_pieces_that_keep_momentum_and_lose_energy() {
    for precision in [crate::Precision::Double, crate::Precision::Single] {
        let params = LatticeParams {
            precision: Some(precision),
            ..fragile(0.2)
        };
        let mut model = torn_bar(&params);
        let before = momenta(&model);
        let mut energies = Vec::new();
        for _ in 0..30 {
            let report = run(&mut model, 1, &BoundaryConditions::default()).expect("a report");
            let e = report.energy.expect("energy");
            energies.push([e.kinetic + e.elastic, e.dissipated]);
        }
        assert!(model.asset().component_count() >= 2, "{precision:?}");
        assert!(model.broken_links().len() >= 100);
        let scale = model.asset().mass.iter().sum::<f64>() * 6.0;
        for (now, then) in momenta(&model).iter().zip(before) {
            assert!((now - then).norm() < 1e-5 * scale, "{precision:?}");
        }
        let (first, last) = (energies[0], energies[29]);
        assert!(last[1] > 0.0 && last[0] < first[0]);
        let balance = (last[0] + last[1]) / (first[0] + first[1]);
        assert!((balance - 1.0).abs() < 0.05, "{precision:?} {balance}");
        // the two ends go their own ways
        let end = |model: &LatticeModel, p: usize| model.positions()[p].x;
        let (a, b) = (0, model.asset().particle_count() - 1);
        let apart = (end(&model, b) - end(&model, a)).abs();
        assert!(apart > 0.6 + 2.0, "{apart}");
        // back to the whole body
        model.reset();
        assert!(model.broken_links().is_empty() && model.asset().component_count() == 1);
    }
}

#[test]
fn toughness_that_is_never_reached_changes_nothing() {
    let mut tough = torn_bar(&fragile(10.0));
    let mut without = torn_bar(&plain(1, 0.5, 4));
    for model in [&mut tough, &mut without] {
        run(model, 10, &BoundaryConditions::default());
    }
    assert!(tough.positions() == without.positions());
    assert_eq!(without.break_links(&[[0, 1]]), 0);
    assert_eq!(tough.break_links(&[[0, 1], [0, 1], [0, 90]]), 1);
}

#[test]
fn a_snapshot_of_a_broken_body_goes_on_to_the_same_bits() {
    let mut model = torn_bar(&fragile(0.2));
    run(&mut model, 6, &BoundaryConditions::default());
    let snapshot = model.snapshot();
    assert!(!model.broken_links().is_empty());
    run(&mut model, 4, &BoundaryConditions::default());
    let (x, broken) = (model.positions().to_vec(), model.broken_links().to_vec());
    let mut other = torn_bar(&fragile(0.2));
    for _ in 0..2 {
        other.restore(&snapshot).expect("the same body");
        run(&mut other, 4, &BoundaryConditions::default());
        assert!(other.positions() == x && other.broken_links() == broken);
    }
    let mut unbreakable = torn_bar(&plain(1, 0.5, 4));
    assert!(unbreakable.restore(&snapshot).is_err());
}

#[test]
fn no_more_links_break_in_a_frame_than_allowed() {
    let mut params = fragile(0.05);
    if let Some(fracture) = &mut params.fracture {
        fracture.max_breaks = 7;
    }
    let mut model = torn_bar(&params);
    for frame in 1..=5 {
        run(&mut model, 1, &BoundaryConditions::default());
        assert_eq!(model.broken_links().len(), 7 * frame);
    }
}

#[test]
fn a_held_body_is_torn_off() {
    let geometry = body_of(grid_of([3, 10, 3], |_| true), 0.05);
    let mut model = model_of(&geometry, &fragile(0.3));
    let top = geometry
        .skin
        .positions
        .iter()
        .map(|x| x.y)
        .fold(0.0, f64::max);
    for frame in 1..=60 {
        let mut boundary = BoundaryConditions::default();
        let held = (0..geometry.skin.positions.len())
            .filter(|&v| geometry.skin.positions[v].y > top - 1e-9)
            .map(|v| DisplacementConstraint {
                vertex: v as u32,
                target: geometry.skin.positions[v] + Vec3::y() * (0.01 * f64::from(frame)),
                velocity: Vec3::y() * 0.6,
                directions: ConstrainedDirections::All,
                kind: ConstraintKind::Bilateral,
                friction: Friction::None,
            });
        boundary.set_displacements(held).expect("each vertex once");
        run(&mut model, 1, &boundary);
    }
    assert!(model.asset().component_count() >= 2);
    let supported = model.supported.iter().filter(|s| **s).count();
    assert!(supported > 0 && supported < model.asset().particle_count());
}

#[test]
fn limits_out_of_range_are_refused() {
    let geometry = body_of(grid_of([2, 2, 2], |_| true), -1.0);
    let asset = Arc::clone(model_of(&geometry, &plain(1, 0.5, 4)).asset());
    let default = Fracture::default();
    for toughness in [0.0, -1.0, f64::NAN, 11.0] {
        let params = fragile(toughness);
        let result = LatticeModel::new(Arc::clone(&asset), &params);
        assert_eq!(
            result.map(|_| ()).map_err(|e| e.code()),
            Err("BadParameter")
        );
    }
    let none = Fracture {
        max_breaks: 0,
        ..default
    };
    assert!(none.check().is_err() && default.check().is_ok());
}

#[test]
fn a_cut_skin_opens_with_caps_and_follows_its_pieces() {
    let geometry = body_of(grid_of([6, 2, 2], |_| true), -1.0);
    let mut model = model_of(&geometry, &fragile(10.0));
    let skin = Arc::clone(&geometry.skin);
    assert!(model.cut_surface().is_none());
    let (asset, mut broken) = (Arc::clone(model.asset()), Vec::new());
    for p in 0..asset.particle_count() {
        for q in 0..asset.particle_count() {
            let step = (asset.rest[q] - asset.rest[p]) / asset.cell;
            let across = asset.sites[p][0] == 2 && asset.sites[q][0] == 3;
            if across && step.amax() < 1.5 {
                broken.push([p as u32, q as u32]);
            }
        }
    }
    let (last, most) = broken.split_last().expect("links");
    assert_eq!(model.break_links(most), most.len());
    assert_eq!(model.asset().component_count(), 1);
    assert_eq!(model.break_links(&[*last]), 1);
    assert_eq!(model.asset().component_count(), 2);
    let cut = Arc::clone(model.cut_surface().expect("a cut"));
    assert_eq!(cut.positions[..skin.vertex_count()], skin.positions[..]);
    // nine links along x were cut; each has a square on both sides
    assert_eq!(cut.triangles.len(), skin.triangles.len() + 9 * 4);
    // at rest nothing has moved
    let mut frame = SurfaceFrame::default();
    model.write_surface(&mut frame);
    let frame = frame.cut.expect("a cut").frame;
    for (v, x) in cut.positions.iter().enumerate() {
        assert!((frame.position(v) - x).norm() < 1e-6, "vertex {v}");
    }
    // each triangle of the skin and each cap goes with one piece as a rigid body, the skin between them tears
    let turn = nalgebra::Rotation3::from_scaled_axis(Vec3::new(0.3, -0.5, 0.9));
    let moved = |x: &Vec3| turn * x + Vec3::new(2.0, 1.0, 0.0);
    let places: Vec<Vec3> = (0..asset.particle_count())
        .map(|p| match asset.sites[p][0] < 3 {
            true => asset.rest_position(p),
            false => moved(&asset.rest_position(p)),
        })
        .collect();
    for _ in 0..3 {
        model.set_state(&places, &vec![Vec3::zeros(); places.len()]);
    }
    let mut whole = SurfaceFrame::default();
    model.write_surface(&mut whole);
    let frame = whole.cut.expect("a cut").frame;
    let mut pieces = [0; 2];
    for triangle in &cut.triangles {
        let x = triangle.map(|v| cut.positions[v as usize]);
        let y = triangle.map(|v| frame.position(v as usize));
        let stays = x.iter().zip(&y).all(|(x, y)| (x - y).norm() < 1e-4);
        let goes = x.iter().zip(&y).all(|(x, y)| (moved(x) - y).norm() < 1e-4);
        assert!(stays != goes, "{x:?} {y:?}");
        pieces[usize::from(goes)] += 1;
    }
    assert!(pieces[0] > 40 && pieces[1] > 40, "{pieces:?}");
    model.reset();
    assert!(model.cut_surface().is_none());
}
