//! `pliant gf --wavelet`: Green's functions compressed by wavelets.

use std::time::Instant;

use pliant_quasistatic::compression::transform::{MissingNeighbours, TransformSpec, WaveletBasis};
use pliant_quasistatic::compression::wavelet::CoefficientField;
use pliant_quasistatic::greens::wavelets::{Threshold, WaveletSpec};
use pliant_simulation::build::{CompressedGreens, compressed_greens};
use pliant_simulation::journal::{ColumnJournal, FileJournal};
use pliant_simulation::scenes::LoadedScene;
use pliant_simulation::setup::prepare;
use serde_json::{Map, Value, json};

use super::baked::{CONTACTS, SUMS, contact_lists, store, tell};
use super::gf::part_of;
use crate::args::Gf;
use crate::failure::Failure;
use crate::output::{Output, number};
use crate::session::Session;

/// Threshold where none is given.
const EPSILON: f64 = 0.05;

/// Bakes by boundary elements, compresses and tells what it made.
pub fn gf(
    session: &Session,
    args: &Gf,
    wavelet: &str,
    loaded: &LoadedScene,
) -> Result<u8, Failure> {
    let generator = match args.generator.as_deref() {
        Some("fem") => {
            return Err(Failure::bad_input(
                "NotSemiRegular",
                "--wavelet needs a boundary with subdivision connectivity, which tetrahedra have not",
                "use --generator bem-linear, or leave --generator out",
            ));
        }
        Some("bem-constant") => {
            return Err(Failure::bad_input(
                "NotSemiRegular",
                "--wavelet needs a node at each vertex, and constant elements have one in each triangle",
                "use --generator bem-linear, or leave --generator out",
            ));
        }
        _ => "bem-linear",
    };
    let spec = spec_of(args, wavelet)?;
    let watch = session.output.watch(&session.progress);
    let setup = prepare(loaded, &session.progress)?;
    let part = args.out.as_deref().map(part_of);
    let journal = part.as_deref().map(FileJournal::new);
    let journal = journal
        .as_ref()
        .map(|journal| journal as &dyn ColumnJournal);
    let compressed = compressed_greens(&setup, &spec, journal, &session.progress)?;
    store(session, args, &compressed.baked)?;
    if let Some(part) = part {
        // done: nothing is left to resume
        let _ = std::fs::remove_file(part);
    }
    drop(watch);
    let figures = Compressed {
        wavelet,
        inverse_us: inverse_us(&compressed),
        sum_us: column_sum_us(&compressed),
        greens: &compressed,
    };
    tell(session, args, generator, &compressed.baked, Some(&figures))?;
    Ok(0)
}

/// What was asked for.
fn spec_of(args: &Gf, wavelet: &str) -> Result<WaveletSpec, Failure> {
    let epsilon = args.epsilon.unwrap_or(EPSILON);
    if !(0.0..=1.0).contains(&epsilon) {
        return Err(Failure::bad_input(
            "BadThreshold",
            format!("--epsilon {epsilon} is out of range"),
            "use a number from 0 to 1; 0.05 suits most bodies",
        ));
    }
    Ok(WaveletSpec {
        transform: TransformSpec {
            basis: match wavelet {
                "butterfly" => WaveletBasis::Butterfly,
                "modified-butterfly" => WaveletBasis::ModifiedButterfly,
                _ => WaveletBasis::Linear,
            },
            lifted: !args.unlifted,
            missing: if args.zero_outside {
                MissingNeighbours::Zero
            } else {
                MissingNeighbours::Renormalise
            },
        },
        threshold: args
            .rms
            .map_or(Threshold::Epsilon(epsilon), Threshold::Error),
        near_field: args.near_field,
    })
}

/// Compressed columns and what they cost at run time.
pub struct Compressed<'a> {
    wavelet: &'a str,
    inverse_us: f64,
    sum_us: f64,
    greens: &'a CompressedGreens,
}

impl Compressed<'_> {
    /// Lines for a reader.
    pub fn tell(&self, output: &Output, dense_us: f64) {
        let CompressedGreens {
            matrix,
            report,
            transform_s,
            ..
        } = self.greens;
        output.line(self.greens.boundary_note.clone());
        output.line(format!(
            "{} wavelets keep {} of {} blocks, {:.1} times fewer: {:.2} MB; error {:.2} % (mean square), {:.1} % (largest); made in {transform_s:.2} s",
            self.wavelet, report.kept_blocks, report.dense_blocks, report.compression, matrix.bytes() as f64 / 1e6,
            100.0 * report.rms_error, 100.0 * report.max_error,
        ));
        output.line(format!(
            "a compressed column is summed in {:.2} us, {:.1} times faster than a dense one; the inverse transform takes {:.1} us a frame",
            self.sum_us, dense_us / self.sum_us, self.inverse_us,
        ));
    }

    /// Figures for scripts.
    pub fn figures(&self, figures: &mut Map<String, Value>) {
        let CompressedGreens { matrix, report, .. } = self.greens;
        let domain = matrix.transform().domain();
        let level = |(level, kept): (usize, &usize)| json!({ "level": level, "rows": domain.level_rows(level).len(), "nnz_blocks": kept });
        let mut set = |key: &str, value: Value| figures.insert(key.into(), value);
        set("wavelet", json!(self.wavelet));
        set("stored_mb", number(matrix.bytes() as f64 / 1e6));
        set("compression", number(report.compression));
        set("nnz_blocks", json!(report.kept_blocks));
        set("rms_error", number(report.rms_error));
        set("max_error", number(report.max_error));
        set("transform_s", number(self.greens.transform_s));
        set("inverse_transform_us", number(self.inverse_us));
        set("base_triangles", json!(self.greens.base_triangles));
        set(
            "levels",
            report.kept_of_level.iter().enumerate().map(level).collect(),
        );
        if let Some(sums) = figures.get_mut("column_sum_us") {
            sums["wavelet"] = number(self.sum_us);
        }
    }
}

/// Microseconds for the block column of one contact node within sums, without the inverse transform.
fn column_sum_us(compressed: &CompressedGreens) -> f64 {
    let matrix = &compressed.matrix;
    let finest = matrix.transform().domain().finest();
    let lists = contact_lists(matrix.rows());
    let mut field = CoefficientField::default();
    field.clear(matrix.rows());
    let start = Instant::now();
    for forces in &lists {
        matrix.add_columns(forces, finest, &mut field);
    }
    start.elapsed().as_secs_f64() * 1e6 / (SUMS * CONTACTS) as f64
}

/// Microseconds for an inverse transform of three channels.
fn inverse_us(compressed: &CompressedGreens) -> f64 {
    let matrix = &compressed.matrix;
    let finest = matrix.transform().domain().finest();
    let mut field = CoefficientField::default();
    field.clear(matrix.rows());
    matrix.add_columns(&contact_lists(matrix.rows())[0], finest, &mut field);
    let start = Instant::now();
    for _ in 0..SUMS {
        matrix.reconstruct(finest, &mut field);
    }
    start.elapsed().as_secs_f64() * 1e6 / SUMS as f64
}
