//! Figures of compressed Green's functions.

use std::time::Instant;

use pliant_quasistatic::compression::wavelet::{CoefficientField, WaveletMatrix};
use pliant_simulation::build::CompressedGreens;
use serde_json::{Map, Value, json};

use super::timed_sums::{CONTACTS, SUMS, contact_lists};
use crate::output::Output;

/// Compressed columns and what they cost at run time.
pub struct Compressed<'a> {
    wavelet: &'a str,
    inverse_us: f64,
    sum_us: f64,
    greens: &'a CompressedGreens,
    matrix: &'a WaveletMatrix,
    file_bytes: usize,
}

impl<'a> Compressed<'a> {
    /// Times sums and inverse transforms.
    pub fn new(
        wavelet: &'a str,
        greens: &'a CompressedGreens,
        matrix: &'a WaveletMatrix,
        file_bytes: usize,
    ) -> Self {
        Self {
            wavelet,
            inverse_us: inverse_us(matrix),
            sum_us: column_sum_us(matrix),
            greens,
            matrix,
            file_bytes,
        }
    }

    /// Prints lines.
    pub fn print(&self, output: &Output, dense_us: Option<f64>) {
        let CompressedGreens {
            report,
            transform_s,
            ..
        } = self.greens;
        output.line(self.greens.boundary_note.clone());
        output.line(format!(
            "{} wavelets keep {} of {} blocks, {:.1} times fewer: {:.2} MB; error {:.2} % (root mean square), {:.1} % (largest){}",
            self.wavelet, report.kept_blocks, report.dense_blocks, report.compression, self.matrix.bytes() as f64 / 1e6,
            100.0 * report.rms_error, 100.0 * report.max_error,
            transform_s.map_or(String::new(), |s| format!("; made in {s:.2} s")),
        ));
        for (level, hats) in self.greens.hats.iter().enumerate() {
            output.line(format!(
                "hats of level {level}: {} of {} blocks, {:.1} times fewer; error {:.2} % (root mean square), {:.1} % (largest)",
                hats.kept_blocks,
                hats.dense_blocks,
                hats.compression,
                100.0 * hats.rms_error,
                100.0 * hats.max_error,
            ));
        }
        output.line(format!(
            "the file takes {:.2} MB; its first part is a coarser body",
            self.file_bytes as f64 / 1e6
        ));
        output.line(format!(
            "a compressed column is summed in {:.2} us{}; the inverse transform takes {:.1} us a frame",
            self.sum_us,
            dense_us.map_or(String::new(), |us| format!(", a dense one in {us:.2} us")),
            self.inverse_us,
        ));
    }

    /// Adds the figures to the JSON object.
    pub fn figures(&self, figures: &mut Map<String, Value>) {
        let (matrix, report) = (self.matrix, &self.greens.report);
        let domain = matrix.transform().domain();
        let hats = |level: usize| {
            let hats = self.greens.hats.get(level)?;
            Some(
                json!({ "compression": hats.compression, "nnz_blocks": hats.kept_blocks, "rms_error": hats.rms_error, "max_error": hats.max_error }),
            )
        };
        let level = |(level, kept): (usize, &usize)| json!({ "level": level, "rows": domain.level_rows(level).len(), "nnz_blocks": kept, "hats": hats(level) });
        let mut set = |key: &str, value: Value| figures.insert(key.into(), value);
        set("wavelet", json!(self.wavelet));
        set("stored_mb", json!(matrix.bytes() as f64 / 1e6));
        set("file_mb", json!(self.file_bytes as f64 / 1e6));
        set("compression", json!(report.compression));
        set("nnz_blocks", json!(report.kept_blocks));
        set("rms_error", json!(report.rms_error));
        set("max_error", json!(report.max_error));
        set("transform_s", json!(self.greens.transform_s));
        set("inverse_transform_us", json!(self.inverse_us));
        set("base_triangles", json!(self.greens.base_triangles));
        set(
            "levels",
            report.kept_of_level.iter().enumerate().map(level).collect(),
        );
        if let Some(sums) = figures.get_mut("column_sum_us") {
            sums["wavelet"] = json!(self.sum_us);
        }
    }
}

/// Microseconds for the block column of one contact node within sums, without the inverse transform.
fn column_sum_us(matrix: &WaveletMatrix) -> f64 {
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
fn inverse_us(matrix: &WaveletMatrix) -> f64 {
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
