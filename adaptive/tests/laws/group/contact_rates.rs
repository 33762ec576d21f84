//! Contact between bodies on cuts whose elements need steps of very different lengths.

use pliant_adaptive::AdaptiveModel;
use pliant_contact::BodyGroup;
use pliant_core::contact::Pose;
use pliant_core::material::{Material, MaterialLaw};
use pliant_core::math::Vec3;
use pliant_core::model::{OwnContact, SteppedModel};

use crate::bodies::{FRAME, baked, block, weight};
use crate::group::cut_bodies::{PLENTY, model};
use crate::group::levels::{SIDE, center, floor, free, group, run};

/// Young's moduli, Pa: a stable step of the one is about thirty of the other.
const SOFT: f64 = 2e4;
const STIFF: f64 = 1e7;

/// A cube of this Young's modulus (Pa) and density (kg/m³).
fn cube(young: f64, density: f64) -> AdaptiveModel {
    let material = Material::isotropic(young, 0.3)
        .with_density(density)
        .with_damping_ratio(0.2)
        .with_law(MaterialLaw::StableNeoHookean);
    let cells = [[2; 3], [4; 3]];
    model(
        &baked(&block(Vec3::repeat(SIDE), &cells, material, None)),
        PLENTY,
    )
}

/// Cubes at these places over a floor, without anything that takes momentum.
fn above_floor(models: Vec<AdaptiveModel>, at: &[Vec3]) -> BodyGroup<AdaptiveModel> {
    let mut group = group(models, at, free());
    group.set_tools(&[floor(Vec3::y(), 0.5)]);
    group
}

/// The largest imbalance of the energy account of the first body, and the largest of its terms, J.
#[derive(Default)]
struct Account {
    open: f64,
    scale: f64,
}

impl Account {
    fn add(&mut self, group: &BodyGroup<AdaptiveModel>) {
        let energy = SteppedModel::energy(&group.models()[0]).expect("an account");
        self.open = self.open.max(energy.balance().abs());
        self.scale = self.scale.max(energy.scale());
    }
}

/// How often the fastest element of the first body fires in a frame.
fn firings(group: &BodyGroup<AdaptiveModel>) -> u32 {
    let dynamics = group.models()[0].cut().expect("a cut");
    let elements = dynamics.operators().evaluated().iter();
    let fastest = elements.map(|&t| dynamics.steps().level(t)).max();
    1 << fastest.expect("an element")
}

#[test]
fn a_soft_body_beside_a_stiff_one_moves_as_alone_and_both_weights_are_right() {
    let at = [0.0, 1.0].map(|x| Vec3::new(x, 0.5 * SIDE + 0.02, 0.0));
    let mut alone = above_floor(vec![cube(SOFT, 1000.0)], &at[..1]);
    let mut both = above_floor(vec![cube(SOFT, 1000.0), cube(STIFF, 500.0)], &at);
    let mut accounts = [Account::default(), Account::default()];
    let (mut apart, mut carried, mut is_faster) = (0.0_f64, 0.0, false);
    for frame in 0..180 {
        let steps = [&mut alone, &mut both].map(|group| run(group, 1, &weight()).substeps);
        is_faster |= steps[0] > 1 && steps[1] >= 8 * steps[0];
        accounts[0].add(&alone);
        accounts[1].add(&both);
        let centers = [&alone, &both].map(|group| center(&group.models()[0]));
        apart = apart.max((centers[1] - centers[0]).norm());
        if frame >= 120 {
            carried -= both.wrenches()[0].force.y / 60.0;
        }
    }
    assert!(is_faster, "the stiff one needs no shorter steps");
    // the fall is 20 mm
    assert!(apart < 5e-4, "{apart} m");
    let [alone, both] = accounts;
    assert!(
        both.open < alone.open + 0.01 * both.scale,
        "{} and {} of {}",
        alone.open,
        both.open,
        both.scale
    );
    let expected = 9.81 * (1000.0 + 500.0) * SIDE.powi(3);
    assert!((carried / expected - 1.0).abs() < 0.01, "{carried}");
}

#[test]
fn the_account_of_a_soft_body_closes_under_a_stiff_one_whose_rate_it_follows() {
    let at = [
        Vec3::new(0.0, 0.5 * SIDE, 0.0),
        Vec3::new(0.01, 1.5 * SIDE + 0.005, -0.01),
    ];
    let mut group = above_floor(vec![cube(SOFT, 1000.0), cube(STIFF, 500.0)], &at);
    let (mut account, mut steps, mut carried) = (Account::default(), 0, 0.0);
    for frame in 0..120 {
        steps = run(&mut group, 1, &weight()).substeps;
        account.add(&group);
        if frame >= 60 {
            carried += group.force_between(1, 0).y / 60.0;
        }
    }
    let expected = 9.81 * 500.0 * SIDE.powi(3);
    assert!((carried / expected - 1.0).abs() < 0.03, "{carried}");
    assert!(
        account.open < 0.05 * account.scale,
        "{} of {}",
        account.open,
        account.scale
    );
    let firings_under = firings(&group);
    assert!(2 * firings_under >= steps, "{firings_under} of {steps}");
    // nothing to follow any more
    group.models_mut()[1].place(&Pose::at(Vec3::new(2.0, 2.0, 0.0)));
    group.touch_up();
    run(&mut group, 1, &weight());
    let firings_free = firings(&group);
    assert!(
        firings_free < firings_under,
        "{firings_free} {firings_under}"
    );
}

#[test]
fn an_impulse_spreads_as_far_within_a_step_of_contact_however_many_steps_the_group_takes() {
    let at = [Vec3::new(0.0, 0.5 * SIDE, 0.0)];
    let mut group = above_floor(vec![cube(SOFT, 1000.0)], &at);
    run(&mut group, 3, &weight());
    let model = &mut group.models_mut()[0];
    let least = model.least_steps(FRAME);
    let mut spread = |stride: u32| {
        let begun = model.begin(FRAME, &weight(), least * stride);
        begun.expect("begins");
        let spread = model.spread_within_step(stride);
        model.undo();
        spread
    };
    let alone = spread(1);
    assert!(alone > 0.0 && alone <= 1.0, "{alone}");
    assert_eq!([2, 64].map(spread), [alone; 2]);
}
