//! Figures 8 and 20 to 22: a dragon, whose constraints are coarser than its skin.

use std::path::Path;

use pliant_compression::subdivision::SubdivisionHierarchy;
use pliant_compression::transform::MissingNeighbours;
use pliant_core::math::Vec3;
use pliant_render::Canvas;
use pliant_render::picture::titled;

use super::displaced::{Hat, MARK, View, compressed, farthest_node, normal};
use crate::body::{Body, Failure, dragon, linear_spec};
use crate::coarse_columns;
use crate::table::Table;

/// Vertices of a constraint level, its edges, and what is between them.
const COLORS: [[f32; 3]; 3] = [[0.8, 0.15, 0.1], [0.2, 0.25, 0.3], [0.85, 0.8, 0.7]];
/// Length of a push over the body's diagonal.
const PUSH: f64 = 0.06;
/// Threshold of the columns of figure 22: about 5 % of error.
const EPSILON: f64 = 0.15;
const VIEW: View = View {
    yaw: 0.5,
    distance: 0.7,
    size: (420, 340),
};

/// Levels of the skin of figure 8, as in the paper, and of the body with Green's functions: dense columns of the next level are refused.
const LEVELS: [usize; 2] = [3, 2];

/// Writes `figure-8.png`, `figure-20`, `figure-21` and `figure-22.png`.
pub fn write(folder: &Path, table: &mut Table) -> Result<(), Failure> {
    let (skin, hierarchy) = dragon(LEVELS[0])?;
    let levels: Vec<(String, Canvas)> = (0..=1)
        .map(|level| {
            let colors = constraint_colors(&hierarchy, level);
            let count = hierarchy.vertex_count(level);
            let title = format!("level {level}: {count} constraints");
            (title, VIEW.draw(&skin, |_| Vec3::zeros(), &colors))
        })
        .collect();
    titled(&levels, |_| MARK).write_png(&folder.join("figure-8.png"))?;
    let body = Body::dragon(LEVELS[1])?;
    coarse_columns::write_dragon(&body, folder, table)?;
    pushed(&body, folder, table)
}

/// A colour for each vertex: constraints of a level, their edges, and what is between.
fn constraint_colors(hierarchy: &SubdivisionHierarchy, level: usize) -> Vec<[f32; 3]> {
    let coarse = hierarchy.vertex_count(level) as u32;
    let mut ends: Vec<Vec<u32>> = (0..coarse).map(|v| vec![v]).collect();
    for finer in level + 1..=hierarchy.finest() {
        for &[a, b] in hierarchy.parents(finer) {
            let both = ends[a as usize].iter().chain(&ends[b as usize]);
            let mut all: Vec<u32> = both.copied().collect();
            all.sort_unstable();
            all.dedup();
            ends.push(all);
        }
    }
    ends.iter()
        .map(|ends| COLORS[ends.len().clamp(1, 3) - 1])
        .collect()
}

/// Figure 22: the body at rest, and a constraint of level 0 pushed in at three places.
fn pushed(body: &Body, folder: &Path, table: &mut Table) -> Result<(), Failure> {
    table.section("22: a dragon under constraints of level 0");
    let (matrix, report) = body.compressed(&linear_spec(EPSILON, MissingNeighbours::Zero))?;
    table.row(
        &format!(
            "{} nodes, epsilon {EPSILON}: compression, RMS",
            matrix.rows()
        ),
        format!("{:.1}, {:.4}", report.compression, report.rms_error),
        "about 100 at RMS 0.05 of level 0, 9,920 vertices",
    );
    let transform = matrix.transform();
    let length = PUSH * body.skin().bounds().diagonal();
    let still = vec![Vec3::zeros(); matrix.rows()];
    let none = vec![0.0; matrix.rows()];
    let mut pictures = vec![("at rest".to_string(), VIEW.picture(body, &still, &none))];
    for (name, direction) in [
        ("from above", Vec3::y()),
        ("at one wing", Vec3::x()),
        ("at the other", -Vec3::x()),
    ] {
        let row = farthest_node(body, transform, 0, direction);
        let hat = Hat::new(body, transform, 0, row);
        let target = normal(body, transform, row) * -length;
        let displacements = hat.displaced(target, |forces| compressed(&matrix, forces))?;
        let values: Vec<f64> = displacements.iter().map(|u| u.norm() / length).collect();
        pictures.push((
            format!("pushed {name}"),
            VIEW.picture(body, &displacements, &values),
        ));
    }
    titled(&pictures, |_| MARK).write_png(&folder.join("figure-22.png"))?;
    Ok(())
}
