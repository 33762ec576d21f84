//! Assets on another support against a bake with that support.

use pliant_core::asset::{BodyGeometry, SupportRegion};
use pliant_core::math::{Mat3, Vec3};
use pliant_core::scene::Selection;
use pliant_quasistatic::asset::inside::{InsidePoint, NamedPoint, StressRow};
use pliant_quasistatic::asset::rebase::RebaseError;
use pliant_quasistatic::params::Generator;
use pliant_quasistatic::{GreensAsset, Precision, QuasistaticParams, bake};

use crate::bodies::{bake_body, held_box, params, refused};

fn params_with_points() -> QuasistaticParams {
    let inside = [Vec3::new(0.02, 0.03, -0.04), Vec3::new(-0.03, 0.08, 0.01)];
    let named = |(k, point): (usize, &Vec3)| NamedPoint {
        name: format!("point {k}"),
        point: *point,
        load: Vec3::x(),
    };
    QuasistaticParams {
        inside: inside.iter().enumerate().map(named).collect(),
        ..params(Precision::Double)
    }
}

fn hand() -> Selection {
    Selection::Box {
        min: [0.0, 0.14, -1.0],
        max: [1.0, 1.0, 1.0],
    }
}

/// The largest difference between two lists of blocks, over the largest block.
fn relative_difference<'a>(
    a: impl Iterator<Item = Mat3> + 'a,
    b: impl Iterator<Item = Mat3> + 'a,
) -> f64 {
    let (mut error, mut largest) = (0.0_f64, 0.0_f64);
    for (a, b) in a.zip(b) {
        error = error.max((a - b).norm());
        largest = largest.max(b.norm());
    }
    error / largest
}

fn stressed(rows: &[StressRow]) -> impl Iterator<Item = Mat3> + '_ {
    let half = |row: &[Vec3]| Mat3::from_columns(row);
    rows.iter()
        .flat_map(move |row| [half(&row[..3]), half(&row[3..])])
}

/// Two assets agree on every node, support and point; node `k` of `fresh` is node `number[k]` of `asset`.
fn assert_same(asset: &GreensAsset, number: &[usize], fresh: &GreensAsset) {
    let n = fresh.nodes();
    assert_eq!((asset.nodes(), number.len()), (n, n));
    let pick = |list: &[Mat3]| number.iter().map(|&k| list[k]).collect::<Vec<Mat3>>();
    let close = |a: Vec<Mat3>, b: &[Mat3], what: &str| {
        assert_eq!(a.len(), b.len(), "{what}");
        let error = relative_difference(a.into_iter(), b.iter().copied());
        assert!(error < 1e-10, "{what}: {error}");
    };
    let pairs = || (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let blocks = pairs().map(|(i, j)| asset.matrix.block(number[i], number[j]));
    let direct: Vec<Mat3> = pairs().map(|(i, j)| fresh.matrix.block(i, j)).collect();
    close(blocks.collect(), &direct, "columns");
    close(pick(&asset.gravity), &fresh.gravity, "gravity");
    assert_eq!(asset.supports.len(), fresh.supports.len());
    for (a, b) in asset.supports.iter().zip(&fresh.supports) {
        assert_eq!(a.name, b.name);
        close(pick(&a.reactions), &b.reactions, "reactions");
        close(vec![a.gravity], &[b.gravity], "weight");
    }
    for (a, b) in asset.inside.iter().zip(&fresh.inside) {
        close(pick(&a.displacement), &b.displacement, "inside");
        close(vec![a.gravity], &[b.gravity], "sag inside");
        close(
            a.support_reactions.clone(),
            &b.support_reactions,
            "support reactions",
        );
        let of =
            |p: &InsidePoint| -> Vec<Mat3> { p.of_points.iter().map(|r| r.displacement).collect() };
        close(of(a), &of(b), "points");
        let all = |p: &InsidePoint, of_nodes: Vec<StressRow>| -> Vec<Mat3> {
            let loads = p.of_points.iter().map(|r| r.stress);
            let others = loads.chain([p.gravity_stress]);
            let rows: Vec<StressRow> = of_nodes.into_iter().chain(others).collect();
            stressed(&rows).collect()
        };
        let picked = number.iter().map(|&k| a.stress[k]).collect();
        close(all(a, picked), &all(b, b.stress.clone()), "stress");
    }
}

#[test]
fn a_support_that_is_added_makes_the_asset_of_a_bake_with_it() {
    for skin in [None, Some([5, 7, 5])] {
        let base = held_box(Vec3::new(0.2, 0.3, 0.2), [4, 6, 4], skin);
        let mut held = base.clone();
        let support = SupportRegion::new("hand", hand(), &held.skin);
        held.supports.push(support);
        let (small, fresh) = (
            bake_body(&base, &params_with_points()),
            bake_body(&held, &params_with_points()),
        );
        // the free nodes of the body that the hand holds
        let mesh = base.greens_level.as_deref().expect("set");
        let boundary = mesh.boundary();
        let bounds = base.skin.bounds();
        let free = boundary.surface.positions.iter().filter(|x| x.y > -0.149);
        let nodes: Vec<u32> = free
            .enumerate()
            .filter(|(_, x)| hand().contains(x, &bounds) == Some(true))
            .map(|(node, _)| node as u32)
            .collect();
        assert!(nodes.len() > 8);
        let rebased = small.with_support("hand", &nodes).expect("independent");
        assert_eq!(rebased.supports.len(), 2);
        let number: Vec<usize> = (0..rebased.nodes()).collect();
        assert_same(&rebased, &number, &fresh);
        // the same file, except for the rounding of its numbers and for which vertices hold the skin
        for v in 0..base.skin.vertex_count() {
            assert_eq!(rebased.rows.row(v), fresh.rows.row(v));
            let [a, b] = [&rebased, &fresh].map(|asset| {
                let shares = asset.rows.held(v as u32).iter();
                shares.map(|s| (s.support, s.weight)).collect::<Vec<_>>()
            });
            assert_eq!(a, b);
        }
        assert_eq!(rebased.to_bytes().len(), fresh.to_bytes().len());
    }
}

#[test]
fn supports_are_added_one_after_the_other_or_at_once() {
    let asset = bake_body(
        &held_box(Vec3::repeat(0.2), [3; 3], None),
        &params_with_points(),
    );
    let both = asset
        .with_support("ab", &[3, 9, 10, 21])
        .expect("independent");
    // node 21 has number 18 once three before it are held
    let first = asset.with_support("a", &[3, 9, 10]).expect("independent");
    let second = first.with_support("b", &[18]).expect("independent");
    let n = both.nodes();
    let block = |asset: &GreensAsset, k: usize| asset.matrix.block(k / n, k % n);
    let error = relative_difference(
        (0..n * n).map(|k| block(&second, k)),
        (0..n * n).map(|k| block(&both, k)),
    );
    assert!(error < 1e-11, "{error}");
    let sum: Mat3 = second.supports.iter().map(|s| s.reactions[5]).sum();
    assert!((sum + Mat3::identity()).norm() < 1e-10, "{sum}");
}

#[test]
fn boundary_elements_and_single_precision_are_rebased_too() {
    let geometry = held_box(Vec3::repeat(0.2), [4; 3], None);
    let params = QuasistaticParams {
        generator: Generator::BemLinear,
        inside: Vec::new(),
        ..params_with_points()
    };
    let double = bake_body(&geometry, &params);
    let single = QuasistaticParams {
        precision: Precision::Single,
        ..params
    };
    let single = bake_body(&geometry, &single);
    let nodes = [0, 7, 20];
    let [a, b] = [&double, &single].map(|x| x.with_support("s", &nodes).expect("independent"));
    assert_eq!(b.matrix.precision(), Precision::Single);
    let n = a.nodes();
    let error = relative_difference(
        (0..n * n).map(|k| b.matrix.block(k / n, k % n)),
        (0..n * n).map(|k| a.matrix.block(k / n, k % n)),
    );
    assert!(error < 1e-5, "{error}");
}

#[test]
fn supports_that_cannot_be_added_are_refused_by_name() {
    let asset = bake_body(
        &held_box(Vec3::repeat(0.2), [3; 3], None),
        &params_with_points(),
    );
    let nodes = asset.nodes();
    let refused = |name: &str, list: &[u32]| {
        let error = asset.with_support(name, list).expect_err("refused");
        assert!(error.to_string().contains("remedy: "), "{error}");
        error
    };
    assert_eq!(refused("a", &[]), RebaseError::Nothing { name: "a".into() });
    assert_eq!(refused("a", &[2, 2]), RebaseError::NodeTwice { node: 2 });
    let far = nodes as u32;
    assert_eq!(
        refused("a", &[far]),
        RebaseError::NoSuchNode { node: far, nodes }
    );
    assert_eq!(
        refused("foot", &[2]),
        RebaseError::NameTaken {
            name: "foot".into()
        }
    );
    let top = asset.skin.positions.iter().position(|x| x.y > 0.09);
    let behind = asset.nodes_behind(&[top.expect("a top") as u32, u32::MAX]);
    assert_eq!(behind.len(), 1);
}

/// A body with two supports, each with an inner node.
fn held_twice(skin: Option<[usize; 3]>) -> BodyGeometry {
    let mut both = held_box(Vec3::new(0.2, 0.3, 0.2), [4, 6, 4], skin);
    let deep = Selection::Box {
        min: [-1.0, 0.09, -1.0],
        max: [1.0, 1.0, 1.0],
    };
    both.supports
        .push(SupportRegion::new("hand", deep, &both.skin));
    both
}

#[test]
fn a_support_that_is_released_leaves_the_asset_of_a_bake_without_it() {
    for skin in [None, Some([5, 7, 5])] {
        let both = held_twice(skin);
        let releasable = QuasistaticParams {
            releasable: vec!["hand".into()],
            ..params_with_points()
        };
        let held = bake_body(&both, &releasable);
        let (inner, outer) = (held.releasable[0].nodes, held.releasable[0].vertices.len());
        assert!(inner as usize > outer, "nodes inside the body are held too");
        let mut one = both.clone();
        one.supports.truncate(1);
        let fresh = bake_body(&one, &params_with_points());
        let again = GreensAsset::from_bytes(&held.to_bytes()).expect("its own bytes");
        assert!(again == held);
        let released = again.without_support("hand").expect("the foot holds it");
        // the number of each node of the fresh bake: free vertices of the boundary in their order
        let mesh = both.greens_level.as_deref().expect("set");
        let surface = mesh.boundary().surface;
        let bounds = both.skin.bounds();
        let (mut free, mut own) = (0, held.nodes());
        let mut number = Vec::new();
        for x in surface.positions.iter().filter(|x| x.y > -0.149) {
            let is_released = both.supports[1].selection.contains(x, &bounds) == Some(true);
            let next = if is_released { &mut own } else { &mut free };
            number.push(*next);
            *next += 1;
        }
        let n = fresh.nodes();
        assert_eq!(released.supports.len(), 1);
        assert_same(&released, &number, &fresh);
        for v in 0..both.skin.vertex_count() {
            let field: Vec<f64> = (0..3 * n).map(|k| (k % 17) as f64).collect();
            let mut turned = vec![0.0; 3 * n];
            for (k, &to) in number.iter().enumerate() {
                turned[3 * to..3 * to + 3].copy_from_slice(&field[3 * k..3 * k + 3]);
            }
            let displacement = released.rows.interpolate(v, &turned);
            assert!(
                (displacement - fresh.rows.interpolate(v, &field)).norm() < 1e-12,
                "{v}"
            );
            let shares = |asset: &GreensAsset| asset.rows.held(v as u32).to_vec();
            assert_eq!(shares(&released), shares(&fresh));
        }
    }
}

#[test]
fn supports_that_cannot_be_released_are_refused_by_name() {
    let both = held_twice(None);
    let plain = bake_body(&both, &params_with_points());
    let not = |name: &str| RebaseError::NotReleasable { name: name.into() };
    assert_eq!(plain.without_support("hand").err(), Some(not("hand")));
    let all = QuasistaticParams {
        releasable: vec!["hand".into(), "foot".into()],
        ..params_with_points()
    };
    let held = bake_body(&both, &all);
    assert_ne!(
        bake::key(&both, &all),
        bake::key(&both, &params_with_points())
    );
    let foot = held.without_support("foot").expect("the hand holds it");
    assert_eq!(foot.without_support("hand").err(), Some(not("hand")));
    let mut one = both.clone();
    one.supports.remove(0);
    let hand_only = QuasistaticParams {
        releasable: vec!["hand".into()],
        ..params_with_points()
    };
    let only = bake_body(&one, &hand_only);
    let loose = RebaseError::Loose {
        name: "hand".into(),
    };
    assert!(loose.to_string().contains("remedy: "));
    assert_eq!(only.without_support("hand").err(), Some(loose));
    assert_eq!(refused(&one, &all).code(), "NoSuchSupport");
    let dense = QuasistaticParams {
        generator: Generator::BemLinear,
        ..all
    };
    assert_eq!(refused(&both, &dense).code(), "NeedsFiniteElements");
}
