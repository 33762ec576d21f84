//! Table 1.1, figures 1.5, 1.7 and 1.8: stiffness of a vertex with and without a pressure mask.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceMesh, SurfacePoint};
use pliant_core::scene::Selection;
use pliant_quasistatic::GreensAsset;
use pliant_quasistatic::capacitance::nodal::NodalForces;
use pliant_quasistatic::haptics::{HapticParams, HapticSurface, StiffnessMode};
use pliant_render::{Plot, Series};

use crate::bodies::bake_body;
use crate::held::{extreme, held, nodule};

/// ‖K‖ of the chapter's table, in its own unit: single vertex and masked.
const CHAPTER: [(f64, f64); 3] = [(7.3, 13.3), (2.8, 11.8), (1.1, 11.2)];
/// A mask this small holds one vertex.
const SINGLE_VERTEX_RADIUS: f64 = 1e-6;

/// The body with masks of a radius (m), touched by a device that is far stiffer.
pub fn haptic_surface(
    asset: &Arc<GreensAsset>,
    radius: f64,
) -> Result<HapticSurface, Box<dyn Error>> {
    let params = HapticParams {
        mask_radius: radius,
        rigid_stiffness: 1e9,
        mode: StiffnessMode::Interpolated,
        young: None,
    };
    Ok(HapticSurface::new(asset.clone(), &params)?)
}

/// The point of the skin at its top.
pub fn topmost(skin: &SurfaceMesh) -> Result<SurfacePoint, Box<dyn Error>> {
    let top = skin.positions[extreme(skin, Vec3::y())];
    Ok(skin.nearest_point(&top).ok_or("the skin has no triangle")?)
}

/// Writes `table-1.1.csv`, `figure-1.5`, `figure-1.7` and `figure-1.8` as CSV and SVG.
pub fn write(folder: &Path) -> Result<(), Box<dyn Error>> {
    let radius = nodule(1)?.mean_edge();
    let mut table = String::from(
        "level,vertices,edge_m,single_n_per_m,masked_n_per_m,mask_vertices,ratio,single_chapter,masked_chapter,ratio_chapter\n",
    );
    let (mut single, mut masked) = (Vec::new(), Vec::new());
    let mut finest = None;
    for (level, chapter) in (1..=3).zip(CHAPTER) {
        let (asset, _) = bake_body(&held(&nodule(level)?, Selection::Lowest(0.35), 0.3))?;
        let (single_vertex, masked_vertex) = (
            haptic_surface(&asset, SINGLE_VERTEX_RADIUS)?,
            haptic_surface(&asset, radius)?,
        );
        let top = extreme(&asset.skin, Vec3::y());
        let norms = [&single_vertex, &masked_vertex].map(|s| s.vertex_stiffness(top).norm());
        let edge = asset.skin.mean_edge();
        writeln!(
            table,
            "{level},{},{edge:.4},{:.1},{:.1},{},{:.3},{},{},{:.3}",
            asset.skin.vertex_count(),
            norms[0],
            norms[1],
            masked_vertex.masks().row(top).0.len(),
            norms[0] / norms[1],
            chapter.0,
            chapter.1,
            chapter.0 / chapter.1
        )?;
        // displacement of the vertex that a newton pushes
        single.push([1.0 / edge, 1.0 / norms[0]]);
        masked.push([1.0 / edge, 1.0 / norms[1]]);
        finest = Some((asset, single_vertex, masked_vertex));
    }
    print!("{table}");
    std::fs::write(folder.join("table-1.1.csv"), &table)?;
    let title = "Figure 1.5: a vertex sinks without end on finer meshes";
    let axes = (("edges a metre", "1/m"), ("displacement of a newton", "m"));
    curves(
        folder,
        "figure-1.5",
        title,
        axes,
        &[
            ("single vertex", [0.75, 0.25, 0.2], single),
            ("masked", [0.15, 0.45, 0.75], masked),
        ],
    )?;
    let Some((asset, single_vertex, masked_vertex)) = finest else {
        return Ok(());
    };
    profiles(folder, &asset, radius)?;
    variation(folder, &single_vertex, &masked_vertex)
}

/// Figure 1.7: pulled at the top with masks of half, one and two base radii.
fn profiles(folder: &Path, asset: &Arc<GreensAsset>, base: f64) -> Result<(), Box<dyn Error>> {
    let skin = &asset.skin;
    let at = topmost(skin)?;
    let mut curve_list = Vec::new();
    let colors = [[0.75, 0.25, 0.2], [0.85, 0.55, 0.1], [0.15, 0.45, 0.75]];
    for ((share, name), color) in [(0.5, "half"), (1.0, "one"), (2.0, "two")]
        .into_iter()
        .zip(colors)
    {
        let surface = haptic_surface(asset, share * base)?;
        let mut forces = NodalForces::default();
        forces.clear(asset.nodes());
        surface.spread(&at, Vec3::y() * 1000.0, &mut forces);
        let mut field = vec![0.0; 3 * asset.nodes()];
        asset.matrix.add_columns(forces.list(), &mut field);
        // height gained over the distance from the axis, on the upper half
        let upper = (0..skin.vertex_count()).filter(|&v| skin.positions[v].y > 0.3);
        let mut points: Vec<[f64; 2]> = upper
            .map(|v| {
                let x = skin.positions[v];
                [x.x.hypot(x.z), asset.rows.interpolate(v, &field).y]
            })
            .collect();
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        curve_list.push((name, color, points));
    }
    let title = "Figure 1.7: pulled by 1 kN, masks of half, one, two edges";
    let axes = (("distance from the axis", "m"), ("height gained", "m"));
    curves(folder, "figure-1.7", title, axes, &curve_list)
}

/// Figure 1.8: stiffness along the surface, and how much it varies.
fn variation(
    folder: &Path,
    single_vertex: &HapticSurface,
    masked_vertex: &HapticSurface,
) -> Result<(), Box<dyn Error>> {
    let skin = single_vertex.skin();
    let two_edges = haptic_surface(single_vertex.asset(), 2.0 * skin.mean_edge())?;
    let free: Vec<usize> = (0..skin.vertex_count())
        .filter(|&v| !masked_vertex.masks().row(v).0.is_empty() && skin.positions[v].y > 0.0)
        .collect();
    let mut csv = String::from("mask,mean_n_per_m,coefficient_of_variation\n");
    let mut curve_list = Vec::new();
    let surfaces = [
        ("single vertex", [0.75, 0.25, 0.2], single_vertex),
        ("two mean edges", [0.85, 0.55, 0.1], &two_edges),
        ("edge of the coarse mesh", [0.15, 0.45, 0.75], masked_vertex),
    ];
    for (name, color, surface) in surfaces {
        let norms: Vec<f64> = free
            .iter()
            .map(|&v| surface.vertex_stiffness(v).norm())
            .collect();
        let count = norms.len().max(1) as f64;
        let mean = norms.iter().sum::<f64>() / count;
        let variance = norms.iter().map(|k| (k - mean).powi(2)).sum::<f64>() / count;
        writeln!(csv, "{name},{mean:.1},{:.4}", variance.sqrt() / mean)?;
        let mut points: Vec<[f64; 2]> = free
            .iter()
            .zip(&norms)
            .map(|(&v, norm)| [skin.positions[v].y, norm / mean])
            .collect();
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        curve_list.push((name, color, points));
    }
    print!("{csv}");
    std::fs::write(folder.join("figure-1.8-variation.csv"), &csv)?;
    let title = "Figure 1.8: stiffness over its mean, upper half of the nodule";
    let axes = (("height", "m"), ("stiffness over mean", ""));
    curves(folder, "figure-1.8", title, axes, &curve_list)
}

type Curve<'a> = (&'a str, [f32; 3], Vec<[f64; 2]>);

fn curves(
    folder: &Path,
    name: &str,
    title: &str,
    axes: ((&str, &str), (&str, &str)),
    curve_list: &[Curve<'_>],
) -> Result<(), Box<dyn Error>> {
    let mut csv = format!("curve,{},{}\n", axes.0.0, axes.1.0);
    let mut plot = Plot::new(title, axes.0, axes.1);
    for (curve, color, points) in curve_list {
        for [x, y] in points {
            writeln!(csv, "{curve},{x:.6},{y:.6e}")?;
        }
        plot.series.push(Series {
            name: (*curve).to_string(),
            color: *color,
            dashed: false,
            points: points.clone(),
        });
    }
    std::fs::write(folder.join(format!("{name}.csv")), csv)?;
    std::fs::write(folder.join(format!("{name}.svg")), plot.svg())?;
    Ok(())
}
