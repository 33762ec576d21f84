//! Figures 13 and 1: one constraint of the rabbit's head is pulled, by level of the constraint and by threshold, and what the body of figure 1 takes.

use std::path::Path;

use pliant_compression::transform::MissingNeighbours;
use pliant_core::math::Vec3;
use pliant_render::Canvas;
use pliant_render::picture::{stacked, titled};

use super::displaced::{Hat, MARK, View, compressed, dense, farthest_node, normal};
use crate::body::{Body, Failure, linear_spec};
use crate::table::Table;
use crate::timing::{on_one_thread, shortest_time};

const EPSILONS: [f64; 3] = [0.01, 0.05, 0.2];
/// Where the rabbit's head is.
const HEAD: [f64; 3] = [0.6, 0.8, 0.0];
/// Length of the pull over the body's diagonal: exaggerated, as in the paper.
const PULL: f64 = 0.12;
/// Error over the pull that has the last colour.
const MAX_COLOR_ERROR: f64 = 0.1;

/// Writes `figure-13.png` and `figure-1.png`.
pub fn write(body: &Body, folder: &Path, table: &mut Table) -> Result<(), Failure> {
    table.section("13: one pull, error of displacements over the pull");
    let spec = linear_spec(EPSILONS[0], MissingNeighbours::Renormalise);
    let transform = body.boundary().transform(&spec.transform)?;
    let coarsest = body.levels.saturating_sub(2);
    let row = farthest_node(body, &transform, coarsest, Vec3::from(HEAD));
    let length = PULL * body.skin().bounds().diagonal();
    let target = normal(body, &transform, row) * length;
    let view = View {
        yaw: 0.5,
        distance: 1.0,
        size: (360, 340),
    };
    let matrices = EPSILONS.map(|epsilon| {
        let spec = linear_spec(epsilon, MissingNeighbours::Renormalise);
        body.compressed(&spec).map(|found| found.0)
    });
    let mut strips: Vec<Canvas> = Vec::new();
    for level in coarsest..=body.levels {
        let hat = Hat::new(body, &transform, level, row);
        let exact = hat.displaced(target, |forces| dense(body, forces))?;
        let mut pictures = Vec::new();
        for (epsilon, matrix) in EPSILONS.iter().zip(&matrices) {
            let matrix = matrix.as_ref().map_err(|e| e.to_string())?;
            let found = hat.displaced(target, |forces| compressed(matrix, forces))?;
            let errors = found
                .iter()
                .zip(&exact)
                .map(|(a, b)| (a - b).norm() / length);
            let errors: Vec<f64> = errors.collect();
            let rms = errors.iter().map(|e| e * e).sum::<f64>() / errors.len() as f64;
            let largest = errors.iter().copied().fold(0.0, f64::max);
            table.row(
                &format!("constraint of level {level}, epsilon {epsilon}: RMS, MAX"),
                format!("{:.4}, {largest:.4}", rms.sqrt()),
                "a picture: errors near the nose",
            );
            let colors: Vec<f64> = errors.iter().map(|e| e / MAX_COLOR_ERROR).collect();
            let picture = view.picture(body, &found, &colors);
            pictures.push((format!("level {level}, epsilon {epsilon}"), picture));
        }
        if level == coarsest {
            let last = pictures.last().ok_or("nothing was drawn")?;
            last.1.write_png(&folder.join("figure-1.png"))?;
        }
        strips.push(titled(&pictures, |_| MARK));
    }
    stacked(&strips).write_png(&folder.join("figure-13.png"))?;
    table.section("1: the body at epsilon 0.2, constraints two levels coarser");
    let [.., Ok(matrix)] = &matrices else {
        return Ok(());
    };
    let nodes = body.matrix.nodes() as f64;
    let paper = |text: &'static str| if body.levels == 4 { text } else { "" };
    table.row(
        "numbers and MB, dense",
        format!("{:.0}, {:.1}", 9.0 * nodes * nodes, 36e-6 * nodes * nodes),
        paper("41 million, 166"),
    );
    let kept = 9 * matrix.kept_blocks();
    table.row(
        "numbers and MB, compressed",
        format!(
            "{kept}, {:.2} with their indices",
            1e-6 * matrix.bytes() as f64
        ),
        paper("655 thousand, 2.6"),
    );
    let loads = Hat::new(body, &transform, coarsest, row).loads(target);
    let seconds = on_one_thread(|| {
        Ok(shortest_time(|| {
            std::hint::black_box(compressed(matrix, &loads));
        }))
    })?;
    table.row(
        &format!("response to one constraint of level {coarsest}, µs"),
        format!("{:.1}", 1e6 * seconds),
        paper("30 frames a second, forces at 1 kHz"),
    );
    Ok(())
}
