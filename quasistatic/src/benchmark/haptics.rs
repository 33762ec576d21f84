//! Kernels of force feedback that `pliant bench` times.

use std::hint::black_box;
use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::bench::{BenchCase, Work};
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfacePoint;

use crate::capacitance::nodal::NodalForces;
use crate::haptics::response::MaskedColumns;
use crate::haptics::{
    DeviceSample, HapticParams, HapticSurface, ServoLoop, ServoParams, StiffnessMode,
};
use crate::params::QuasistaticParams;

fn surface(geometry: &BodyGeometry) -> Result<Arc<HapticSurface>, String> {
    let params = QuasistaticParams::default();
    let asset =
        crate::bake::bake(geometry, &params, &Progress::new()).map_err(|e| e.to_string())?;
    let params = HapticParams {
        mask_radius: 2.0 * asset.skin.mean_edge(),
        rigid_stiffness: 2000.0,
        mode: StiffnessMode::Interpolated,
        young: None,
    };
    let surface = HapticSurface::new(Arc::new(asset), &params).map_err(|e| e.to_string())?;
    Ok(Arc::new(surface))
}

/// The deformation of a whole body under a point contact that moves.
pub(crate) fn point_response(geometry: &BodyGeometry) -> Result<BenchCase, String> {
    let surface = surface(geometry)?;
    let columns = MaskedColumns::new(&surface);
    let nodes = surface.asset().nodes();
    let corners = &surface.skin().triangles;
    let touched: Vec<SurfacePoint> = (0..corners.len() as u32)
        .filter(|&t| {
            let free = |v: &u32| !surface.masks().row(*v as usize).0.is_empty();
            corners[t as usize].iter().all(free)
        })
        .map(|triangle| SurfacePoint {
            triangle,
            weights: [0.5, 0.3, 0.2],
        })
        .collect();
    let first = *touched.first().ok_or("nothing can be touched")?;
    let force = Vec3::new(0.2, -1.0, 0.1);
    let mut field = vec![0.0; 3 * nodes];
    columns.add(&surface, &first, force, &mut field);
    let mut nodal = NodalForces::default();
    nodal.clear(nodes);
    surface.spread(&first, force, &mut nodal);
    let mut plain = vec![0.0; 3 * nodes];
    surface.asset().matrix.add_columns(nodal.list(), &mut plain);
    let largest = plain.iter().fold(0.0_f64, |a, u| a.max(u.abs()));
    if field
        .iter()
        .zip(&plain)
        .any(|(a, b)| (a - b).abs() > 1e-5 * largest)
    {
        return Err("the masked columns differ from the sum over the mask".into());
    }
    let work = Work {
        bytes: (9 * 3 * nodes * 4) as f64,
        flops: 54.0 * nodes as f64,
        double: false,
    };
    let (reference_surface, reference_points) = (surface.clone(), touched.clone());
    let (mut k, mut r) = (0, 0);
    Ok(
        BenchCase::new(surface.skin().vertex_count(), 1.0, work, move || {
            k = (k + 7) % touched.len();
            field.fill(0.0);
            columns.add(&surface, &touched[k], force, &mut field);
            black_box(&mut field);
        })
        .with_reference(1.0, move || {
            r = (r + 7) % reference_points.len();
            nodal.clear(nodes);
            reference_surface.spread(&reference_points[r], force, &mut nodal);
            plain.fill(0.0);
            let matrix = &reference_surface.asset().matrix;
            matrix.add_columns(nodal.list(), &mut plain);
            black_box(&mut plain);
        }),
    )
}

/// A tick of the servo loop while its tip slides around on top of a body.
pub(crate) fn servo_tick(geometry: &BodyGeometry) -> Result<BenchCase, String> {
    let surface = surface(geometry)?;
    let bounds = surface.skin().bounds();
    let params = ServoParams::default();
    let mut servo = ServoLoop::new(surface.clone(), params).map_err(|e| e.to_string())?;
    let (centre, size) = (bounds.center(), bounds.size());
    let radius = 0.25 * size.x.min(size.z);
    let depth = 0.02 * size.y;
    let mut tick = 0_u32;
    let mut step = move || {
        let t = f64::from(tick) * 1e-3;
        tick = tick.wrapping_add(1);
        let down = (t / 0.2).min(1.0) * 2.0 - 1.0;
        let tip = Vec3::new(
            centre.x + radius * t.cos(),
            bounds.max.y - depth * down,
            centre.z + radius * t.sin(),
        );
        let sample = DeviceSample::at(tip);
        servo.tick(&sample, 1e-3)
    };
    let touching = (0..400).map(|_| step()).last();
    if touching.is_none_or(|output| output.force.norm() <= 0.0) {
        return Err("the tip does not touch the body".into());
    }
    let work = Work {
        bytes: 0.0,
        flops: 400.0,
        double: true,
    };
    Ok(BenchCase::new(
        surface.skin().vertex_count(),
        1.0,
        work,
        move || {
            let _ = black_box(step());
        },
    ))
}
