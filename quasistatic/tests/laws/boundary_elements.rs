//! Green's functions from boundary elements, linear and constant ones.

use pliant_core::asset::SupportRegion;
use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::model::DeformableModel;
use pliant_core::scene::Selection;
use pliant_quasistatic::params::Generator;
use pliant_quasistatic::{BakeError, QuasistaticParams};

use crate::bodies::{
    LATERAL, NORMAL, advance, assert_near, bake_body, bonded_patch, from_generator, held_box,
    model_with, patch_stiffness, refused,
};

fn error_percent(cells: usize, direction: Vec3, exact: f64) -> f64 {
    let geometry = held_box(Vec3::repeat(1.0), [cells; 3], None);
    let mut model = model_with(&geometry, &from_generator(Generator::BemLinear));
    100.0 * (patch_stiffness(&mut model, direction) / exact - 1.0)
}

#[test]
fn the_patch_comes_from_above_and_falls_with_the_mesh() {
    for (direction, exact) in [(-Vec3::y(), NORMAL), (Vec3::x(), LATERAL)] {
        let errors = [4, 8].map(|cells| error_percent(cells, direction, exact));
        assert!(errors[0] > errors[1] && errors[1] > 0.0, "{errors:?}");
    }
}

fn constant() -> QuasistaticParams {
    from_generator(Generator::BemConstant)
}

/// Stiffness of the patch, N/m, along each direction with its triangles displaced together: the inverse of their block of compliances.
fn triangle_patch_stiffness(cells: usize, directions: [Vec3; 2]) -> [f64; 2] {
    let geometry = held_box(Vec3::repeat(1.0), [cells; 3], None);
    let asset = bake_body(&geometry, &constant());
    let mesh = geometry.greens_level.as_ref().expect("a mesh");
    let surface = mesh.boundary().surface;
    let centers = (0..surface.triangles.len())
        .map(|t| surface.corners(t).iter().sum::<Vec3>() / 3.0)
        .filter(|x| x.y > -0.499);
    let patch: Vec<usize> = centers
        .enumerate()
        .filter(|(_, x)| x.y > 0.499 && x.x.abs() < 0.25 && x.z.abs() < 0.25)
        .map(|(column, _)| column)
        .collect();
    assert_eq!(patch.len(), cells * cells / 2);
    let block = |r: usize, c: usize| asset.matrix.block(patch[r / 3], patch[c / 3])[(r % 3, c % 3)];
    let size = 3 * patch.len();
    let compliance = faer::Mat::from_fn(size, size, block);
    directions.map(|d| {
        let moved = faer::Mat::from_fn(size, 1, |r, _| d[r % 3]);
        let force = faer::prelude::Solve::solve(&compliance.partial_piv_lu(), &moved);
        (0..size).map(|r| force[(r, 0)] * d[r % 3]).sum()
    })
}

/// Errors that these meshes attain: −10.6 and +6.3 % with 192 elements, −5.5 and +2.3 % with 768.
#[test]
fn the_patch_is_as_soft_as_constant_elements_make_it() {
    for (cells, normal, lateral) in [(4, -10.6, 6.3), (8, -5.5, 2.3)] {
        let [n, l] = triangle_patch_stiffness(cells, [-Vec3::y(), Vec3::x()]);
        let errors = [100.0 * (n / NORMAL - 1.0), 100.0 * (l / LATERAL - 1.0)];
        assert!((errors[0] - normal).abs() < 2.0, "{cells}: {errors:?}");
        assert!((errors[1] - lateral).abs() < 2.0, "{cells}: {errors:?}");
    }
}

/// The same patch held by its skin vertices, which are interpolated from one more ring of triangles: too stiff, less so on the finer mesh.
#[test]
fn vertices_of_the_skin_hold_a_patch_through_the_triangles() {
    let errors = [4, 8].map(|cells| {
        let geometry = held_box(Vec3::repeat(1.0), [cells; 3], None);
        let mut model = model_with(&geometry, &constant());
        let displacement = -Vec3::y() * 1e-3;
        let boundary = bonded_patch(&geometry.skin, displacement);
        advance(&mut model, &boundary).expect("regular");
        for c in boundary.displacements() {
            let u = model.displacement(c.vertex as usize);
            assert!((u - displacement).norm() < 1e-9);
        }
        let force: Vec3 = model.reactions().iter().sum();
        let support: Vec3 = model.support_reactions().iter().sum();
        assert_near(-support, force, 0.03);
        -force.y / 1e-3 / NORMAL - 1.0
    });
    assert!(errors[1] < 0.7 * errors[0] && errors[1] > 0.0, "{errors:?}");
}

/// The support carries the weight of a block, and a unit force on each free node on average.
#[test]
fn supports_carry_the_weight_and_what_presses() {
    let size = Vec3::new(0.4, 0.3, 0.4);
    let geometry = held_box(size, [6, 5, 6], None);
    let weight = geometry.material.density * size.x * size.y * size.z;
    for (generator, weight_bar, balance_bar) in [
        (Generator::BemLinear, 0.01, 0.03),
        (Generator::BemConstant, 0.03, 0.05),
    ] {
        let asset = bake_body(&geometry, &from_generator(generator));
        let [support] = asset.supports.as_slice() else {
            panic!("one support");
        };
        // gravity of 1 m/s² along an axis is balanced by the weight along that axis
        let error = (support.gravity + Mat3::identity() * weight).norm() / weight;
        assert!(error < weight_bar, "{generator:?}: {error}");
        let shares = support.reactions.iter();
        let errors = shares.map(|share| (share + Mat3::identity()).norm());
        let balance = errors.sum::<f64>() / support.reactions.len() as f64 / 3.0_f64.sqrt();
        assert!(balance < balance_bar, "{generator:?}: {balance}");
    }
}

/// The difference of two fields, as lengths, relative to the first.
fn relative(pairs: impl Iterator<Item = (f64, f64)>) -> f64 {
    let add = |sum: (f64, f64), (d, size): (f64, f64)| (sum.0 + d * d, sum.1 + size * size);
    let (difference, size) = pairs.fold((0.0, 0.0), add);
    f64::sqrt(difference / size)
}

#[test]
fn all_generators_agree_on_a_hanging_block() {
    let geometry = held_box(Vec3::new(0.4, 0.3, 0.4), [8, 6, 8], None);
    let model = |generator| model_with(&geometry, &from_generator(generator));
    let (fem, mut linear) = (model(Generator::Fem), model(Generator::BemLinear));
    let columns = fem.asset().gravity.iter().zip(&linear.asset().gravity);
    let to_linear = relative(columns.map(|(a, b)| ((a - b).norm(), a.norm())));
    assert!(to_linear < 0.06, "{to_linear}");
    let mut constant = model(Generator::BemConstant);
    let boundary = BoundaryConditions::with_gravity(Vec3::new(1.0, -2.0, 0.5));
    for model in [&mut linear, &mut constant] {
        advance(model, &boundary).expect("regular");
    }
    let to_constant = relative((0..geometry.skin.vertex_count()).map(|v| {
        let [a, b] = [&linear, &constant].map(|model| model.displacement(v));
        ((a - b).norm(), a.norm())
    }));
    assert!(to_constant < 0.04, "{to_constant}");
}

#[test]
fn an_incompressible_body_is_legal_here_and_refused_with_finite_elements() {
    let mut geometry = held_box(Vec3::repeat(0.2), [3; 3], None);
    geometry.material.elastic.poisson = 0.5;
    for generator in [Generator::BemLinear, Generator::BemConstant] {
        bake_body(&geometry, &from_generator(generator));
    }
    let refused = refused(&geometry, &from_generator(Generator::Fem));
    assert_eq!(refused.code(), "Locking");
}

#[test]
fn a_support_without_a_triangle_is_refused() {
    let mut geometry = held_box(Vec3::repeat(0.2), [3; 3], None);
    // three corners of the bottom that share no triangle
    let corners = [(-0.1, -0.1), (0.1, -0.1), (-0.1, 0.1)];
    let corner = |(x, z)| {
        let center = [x, -0.1, z];
        let at = Selection::Sphere {
            center,
            radius: 1e-3,
        };
        SupportRegion::new("corner", at, &geometry.skin)
    };
    geometry.supports = corners.map(corner).to_vec();
    let name = "corner".to_string();
    let expected = BakeError::SupportWithoutTriangle { name };
    assert_eq!(refused(&geometry, &constant()), expected);
}
