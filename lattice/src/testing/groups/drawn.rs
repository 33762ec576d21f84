//! The drawn surface of a group in which bodies are cut.

use std::sync::Arc;

use pliant_contact::{BodyGroup, GroupOptions};
use pliant_core::contact::Pose;
use pliant_core::inspect::Inspect;
use pliant_core::math::Vec3;
use pliant_core::mesh::surface::volume_within;
use pliant_core::mesh::validate::topology;
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh};
use pliant_core::model::DeformableModel;

use crate::testing::bodies::same_on_threads;
use crate::testing::groups::bodies::run;
use crate::testing::groups::cut_faces::{block, cuttable, pair, slice};
use crate::{LatticeModel, Precision};

const BOTH: [Precision; 2] = [Precision::Double, Precision::Single];

fn shown(model: &dyn DeformableModel) -> SurfaceFrame {
    let mut frame = SurfaceFrame::default();
    model.write_surface(&mut frame);
    frame
}

/// Volume now and at rest of what is seen of a body with this skin, m³.
fn volumes(frame: &SurfaceFrame, skin: &SurfaceMesh) -> [f64; 2] {
    let (rest, now) = match &frame.cut {
        Some(cut) => (&*cut.surface, &cut.frame),
        None => (skin, frame),
    };
    let triangles = &rest.triangles;
    [
        volume_within(triangles, Vec3::zeros(), |v| now.position(v)),
        volume_within(triangles, Vec3::zeros(), |v| rest.positions[v]),
    ]
}

/// A counter of the group.
fn counter(group: &BodyGroup<LatticeModel>, name: &str) -> f64 {
    group.stats().counter(name).expect("a counter")
}

/// The group is drawn as its bodies are, and what is drawn is one closed surface.
fn assert_drawn(group: &BodyGroup<LatticeModel>, what: &str) {
    let all = shown(group);
    let cut = all.cut.as_ref().expect("a cut");
    let found = topology(&cut.closed());
    assert!(found.is_sound(), "{what}: {found:?}");
    let bodies: Vec<SurfaceFrame> = group.models().iter().map(|m| shown(m)).collect();
    let skins: Vec<[f32; 3]> = bodies.iter().flat_map(|b| b.positions.clone()).collect();
    assert!(all.positions == skins, "{what}: skins");
    let mut sums = [0.0; 2];
    let (mut inside, mut vertices) = (0, 0);
    for (body, model) in bodies.iter().zip(group.models()) {
        let own = volumes(body, model.surface());
        (0..2).for_each(|k| sums[k] += own[k]);
        inside += body.cut.as_ref().map_or(0, |cut| cut.inside.len());
        let drawn = body.cut.as_ref().map(|cut| cut.surface.vertex_count());
        vertices += drawn.unwrap_or(body.positions.len());
    }
    assert_eq!(
        (cut.inside.len(), cut.frame.normals.len()),
        (inside, vertices),
        "{what}"
    );
    for (found, sum) in volumes(&all, group.surface()).iter().zip(sums) {
        assert!((found / sum - 1.0).abs() < 1e-9, "{what}: {found} {sum}");
    }
    // a blade leaves the volume as it is, but for the resolution of the skin
    let off = sums[1] / group.surface().volume() - 1.0;
    assert!(off.abs() < 0.02, "{what}: {off}");
}

#[test]
fn cut_bodies_and_whole_ones_are_drawn_as_one_closed_surface() {
    for precision in BOTH {
        for (cuts, pieces) in [(vec![0.0], 3.0), (vec![3.0], 3.0), (vec![0.0, 3.0], 4.0)] {
            let what = format!("{precision:?} {cuts:?}");
            let mut group = pair(6, precision);
            assert_eq!(counter(&group, "components"), 2.0, "{what}");
            assert_eq!(shown(&group).cut, None, "{what}");
            slice(&mut group, &cuts);
            assert_eq!(counter(&group, "components"), pieces, "{what}");
            assert_drawn(&group, &what);
            run(&mut group, 10, 9.81);
            assert_drawn(&group, &what);
        }
    }
}

#[test]
fn what_a_lone_cut_body_shows_a_group_shows_of_it() {
    let mut group = pair(6, Precision::Double);
    slice(&mut group, &[3.0]);
    run(&mut group, 5, 9.81);
    let (all, own) = (shown(&group), shown(&group.models()[1]));
    let [block, cube] = [0, 1].map(|k| group.models()[k].surface().vertex_count());
    let [all, own] = [&all, &own].map(|frame| frame.cut.as_ref().expect("a cut"));
    // it is the second body, and the only one that is cut
    let number = |v: usize| block + v;
    for v in 0..own.surface.vertex_count() {
        assert_eq!(
            (all.frame.positions[number(v)], all.frame.normals[number(v)]),
            (own.frame.positions[v], own.frame.normals[v])
        );
        assert_eq!(
            all.skin_vertex(number(v)),
            own.skin_vertex(v).map(number),
            "{v}"
        );
    }
    let sharp: Vec<u32> = own
        .sharp
        .iter()
        .map(|v| number(*v as usize) as u32)
        .collect();
    assert_eq!(*all.sharp, sharp);
    assert_eq!(all.inside, number(own.inside.start)..number(own.inside.end));
    assert!(own.inside.start >= cube && !own.inside.is_empty());
}

#[test]
fn a_restored_group_is_drawn_to_the_same_bits() {
    for precision in BOTH {
        let mut group = pair(6, precision);
        slice(&mut group, &[0.0]);
        run(&mut group, 5, 9.81);
        let (snapshot, seen) = (group.snapshot(), shown(&group));
        run(&mut group, 10, 9.81);
        assert!(shown(&group) != seen, "{precision:?}: it falls");
        group.restore(&snapshot).expect("its own");
        assert!(shown(&group) == seen, "{precision:?}");
        // a group that was never cut
        let mut other = pair(6, precision);
        other.restore(&snapshot).expect("the same bodies");
        assert!(shown(&other) == seen, "{precision:?}: another one");
        // and back to whole bodies
        other.reset();
        assert!(shown(&other) == shown(&pair(6, precision)));
    }
}

#[test]
fn any_number_of_threads_draws_the_same_bits() {
    let seen = same_on_threads("pair", &[4], || {
        let mut group = pair(6, Precision::Single);
        slice(&mut group, &[0.0, 3.0]);
        run(&mut group, 10, 9.81);
        shown(&group)
    });
    assert!(seen.cut.is_some());
}

#[test]
fn frames_without_new_cuts_keep_their_memory_also_where_bodies_sleep() {
    let mut group = pair(6, Precision::Double);
    slice(&mut group, &[0.0]);
    let mut frame = shown(&group);
    let places = |frame: &SurfaceFrame| {
        let cut = frame.cut.as_ref().expect("a cut");
        let vertices = [&cut.frame.positions, &cut.frame.normals, &frame.positions];
        (Arc::clone(&cut.surface), vertices.map(|v| v.as_ptr()))
    };
    let (surface, vertices) = places(&frame);
    for _ in 0..40 {
        run(&mut group, 1, 0.0);
        group.write_surface(&mut frame);
        let now = places(&frame);
        assert!(Arc::ptr_eq(&now.0, &surface) && now.1 == vertices);
    }
    assert!(group.is_asleep(0) && group.is_asleep(1));
    assert_drawn(&group, "asleep");
    // a sleeper is cut once more
    slice(&mut group, &[3.0]);
    assert_drawn(&group, "cut asleep");
    group.write_surface(&mut frame);
    assert!(!Arc::ptr_eq(&places(&frame).0, &surface));
}

#[test]
fn pieces_of_bodies_of_one_asset_are_counted_one_by_one() {
    let params = cuttable(Precision::Double);
    let first = block([3; 3], false, &params);
    let alike = || LatticeModel::new(Arc::clone(first.asset()), &params).expect("a model");
    let bodies = vec![alike(), alike(), alike()];
    let homes = [0.0, 3.0, 6.0].map(|x| Pose::at(Vec3::x() * x));
    let mut group = BodyGroup::new(bodies, homes.to_vec(), GroupOptions::default());
    for (cuts, pieces) in [(vec![], 3.0), (vec![0.0], 4.0), (vec![6.0], 5.0)] {
        slice(&mut group, &cuts);
        assert_eq!(counter(&group, "components"), pieces, "{cuts:?}");
        let broken = group.models().iter().map(|m| m.broken_links().len());
        assert_eq!(
            counter(&group, "broken_links"),
            broken.sum::<usize>() as f64
        );
    }
}
