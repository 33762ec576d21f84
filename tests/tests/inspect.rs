//! Properties that panels and reports rely on: kinds, parameters by name, quantities of the declared length, and where a method applies.

use std::sync::Arc;

use pliant_core::boundary::BoundaryConditions;
use pliant_core::inspect::{
    ParameterEffect, ParameterError, ParameterValue, QuantityBuffer, QuantityShape,
};
use pliant_core::scene::Method;
use pliant_simulation::build::build_method;
use pliant_simulation::cache::AssetCache;
use pliant_simulation::world::World;
use pliant_tests::{PAD, advance, cases, model, plate_at_depth, scene, setup, world};

#[test]
fn a_model_is_of_the_kind_that_its_method_names() {
    for (name, setup, method) in cases() {
        let model = model(&setup, method);
        assert_eq!(model.kind(), method.name(), "{name}");
        assert_eq!(model.snapshot().kind, method.name(), "{name}");
        let can = model.capabilities();
        assert_eq!(can.inertia, method != Method::Quasistatic, "{name}");
        assert_eq!(can.free_bodies, can.inertia, "{name}");
    }
}

#[test]
fn parameters_are_read_by_name_and_refused_by_name() {
    for (name, setup, method) in cases() {
        let mut model = model(&setup, method);
        let infos = model.parameters().to_vec();
        assert!(!infos.is_empty(), "{name}");
        for (k, info) in infos.iter().enumerate() {
            assert!(infos[..k].iter().all(|other| other.name != info.name));
            assert!(!info.help.is_empty(), "{name}: {}", info.name);
            let value = model.parameter(info.name).expect(info.name);
            let set = model.set_parameter(info.name, value.clone());
            match (info.effect, &value) {
                (ParameterEffect::NeedsBake, _) => {
                    let needs = ParameterError::NeedsBake(info.name.to_string());
                    assert_eq!(set, Err(needs), "{name}");
                }
                (ParameterEffect::Immediate | ParameterEffect::Observation, _) => {
                    assert_eq!(set, Ok(()), "{name}: {} takes its own value", info.name);
                    assert_eq!(model.parameter(info.name), Ok(value), "{name}");
                    let absurd = ParameterValue::Number(f64::NAN);
                    let refused = model.set_parameter(info.name, absurd);
                    assert!(
                        matches!(refused, Err(ParameterError::OutOfRange { .. })),
                        "{name}: {} took NaN: {refused:?}",
                        info.name
                    );
                }
            }
        }
        let unknown = ParameterError::Unknown("colour".into());
        assert_eq!(model.parameter("colour"), Err(unknown.clone()), "{name}");
        let set = model.set_parameter("colour", ParameterValue::Flag(true));
        assert_eq!(set, Err(unknown), "{name}");
    }
}

#[test]
fn quantities_have_the_declared_length_and_finite_values() {
    for (name, setup, method) in cases() {
        let mut model = model(&setup, method);
        for k in 0..5 {
            let pressed = plate_at_depth(&setup, 0.003 * f64::from(k));
            advance(&mut *model, &setup, &pressed).expect(&name);
        }
        let mut out = QuantityBuffer::default();
        let world = World::new(method, model, Arc::clone(&setup));
        for info in world.quantities() {
            let what = format!("{name}: {}", info.name);
            world.sample_quantity(info.name, &mut out).expect(&what);
            assert!(out.scalars.iter().all(|x| x.is_finite()), "{what}");
            if info.name.starts_with("surface_") {
                assert!(out.scalars.iter().any(|x| *x > 0.0), "{what}");
            }
            match info.shape {
                QuantityShape::VertexScalar => {
                    assert_eq!(out.scalars.len(), setup.skin().vertex_count(), "{what}");
                    assert!(out.points.is_empty(), "{what}");
                }
                QuantityShape::Points => {
                    assert!(!out.points.is_empty(), "{what}");
                    assert_eq!(out.points.len(), out.scalars.len(), "{what}");
                }
            }
        }
        assert!(world.sample_quantity("colour", &mut out).is_err(), "{name}");
        let stats = world.model().stats();
        assert!(stats.active_nodes > 0 && stats.bytes > 0, "{name}");
        assert!(stats.counters.iter().all(|c| c.1.is_finite()), "{name}");
    }
}

#[test]
fn a_scene_may_ask_for_each_quantity_of_the_skin_and_for_no_other() {
    for (name, setup, method) in cases() {
        for info in world(&setup, method).quantities() {
            let view = format!("{PAD}[view]\nquantity = \"{}\"\n", info.name);
            let is_taken = pliant_core::scene::load_scene(&view).is_ok();
            let is_of_skin = info.shape == QuantityShape::VertexScalar;
            assert_eq!(is_taken, is_of_skin, "{name}: {}", info.name);
        }
    }
}

#[test]
fn only_the_static_method_needs_a_support() {
    let free = PAD.replace(
        r#"support = [ { name = "base", select = { lowest = 0.01 } } ]"#,
        "",
    );
    assert_ne!(free, PAD);
    let setup = setup(&scene(&free));
    let cache = AssetCache::disabled();
    let progress = pliant_core::asset::Progress::new();
    for method in Method::ALL {
        let built = build_method(&setup, method, &cache, &progress);
        if method == Method::Quasistatic {
            let error = built.err().expect("it has no equilibrium");
            assert_eq!(error.code(), "Unconstrained");
            assert!(error.to_string().contains("remedy: add a [[body.support]]"));
        } else {
            let name = method.name();
            let mut model = built.expect(name).model;
            // free fall of the whole body
            let falling = BoundaryConditions::with_gravity(pliant_core::math::Vec3::y() * -9.81);
            for _ in 0..12 {
                advance(&mut *model, &setup, &falling).expect(name);
            }
            let time = 12.0 * setup.frame_duration();
            let rest = pliant_core::mesh::SurfaceFrame::at_rest(setup.skin());
            let now = pliant_tests::surface(&*model);
            for v in 0..rest.positions.len() {
                let fell = rest.position(v).y - now.position(v).y;
                // symplectic steps fall by 1/2 g t (t + h) with a step h of at most a frame
                let (least, most) = (
                    0.5 * 9.81 * time * time,
                    0.5 * 9.81 * time * (time + setup.frame_duration()),
                );
                assert!(
                    (least * 0.999..=most * 1.001).contains(&fell),
                    "{name}: vertex {v} fell {fell}, {least} to {most}"
                );
            }
        }
    }
}
