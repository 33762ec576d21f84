//! Writes a matrix as a stream.

use super::blocks::{
    ColumnCoder, LevelBlocks, ReferenceBlocks, amplitudes, preview, quantise_levels,
};
use super::bytes::ByteWriter;
use super::coder::RangeEncoder;
use super::error::StreamError;
use super::header::{HeaderSource, check_manifold, read_header, write_header};
use super::memory::MemoryBudget;
use super::plan::{PacketPlace, Plan, Stage};
use super::spec::{StreamSpec, TransformSource};
use crate::wavelet::WaveletMatrix;

/// Writes a matrix, rounded as `spec` says. The bytes of `extra` come before all coefficients.
///
/// `source` is what the transform of the matrix was built from. The bytes do not depend on the number of threads. Cost: an inverse transform of each column, and about 50 ns for
/// each kept number; memory for another copy of the matrix.
///
/// # Errors
/// [`StreamError::BadSpec`], [`StreamError::OtherTransform`], [`StreamError::NotManifold`], [`StreamError::BeyondSteps`].
pub fn write(
    matrix: &WaveletMatrix<f32>,
    source: &TransformSource<'_>,
    extra: &[u8],
    spec: &StreamSpec,
) -> Result<Vec<u8>, StreamError> {
    let finest_step = spec.finest_step()?;
    check_manifold(source.hierarchy.triangles(0))?;
    let domain = matrix.transform().domain();
    let vertices = source.hierarchy.vertex_count(source.hierarchy.finest());
    let numbered = domain.vertices().iter().all(|&v| (v as usize) < vertices);
    let areas_fit = source.areas.is_none_or(|areas| areas.len() == vertices);
    if !numbered || !areas_fit || domain.finest() != source.hierarchy.finest() {
        return Err(StreamError::OtherTransform);
    }
    let amplitudes = amplitudes(matrix)?;
    let header = write_header(&HeaderSource {
        hierarchy: source.hierarchy,
        transform: matrix.transform(),
        areas: source.areas,
        size: matrix.size(),
        epsilon: spec.epsilon,
        finest_step,
        columns_per_packet: spec.columns_per_packet,
        amplitudes: &amplitudes,
    });
    let (read, _) = read_header(&header, &mut MemoryBudget::new(u64::MAX))?;
    if read.transform != *matrix.transform() || read.amplitudes.len() != matrix.columns() {
        return Err(StreamError::OtherTransform);
    }
    let plan = Plan::new(read);
    let mut out = ByteWriter(header);
    let begin = out.0.len();
    out.value(extra.len() as u64);
    out.bytes(extra);
    out.append_checksum(begin);
    let levels = quantise_levels(matrix, &plan)?;
    write_packets(&plan, &levels, &mut out);
    Ok(out.0)
}

fn write_packets(plan: &Plan, levels: &[(usize, LevelBlocks)], out: &mut ByteWriter) {
    let Some((_, base)) = levels.first() else {
        return;
    };
    let preview = preview(base, plan);
    let mut done = LevelBlocks::default();
    let mut coder = ColumnCoder::new(plan, Stage::Preview);
    let mut place = plan.next(None);
    while let Some(packet) = place {
        if packet.first == 0 {
            coder = ColumnCoder::new(plan, packet.stage);
            done = LevelBlocks::default();
        }
        let (source, reference) = match packet.stage {
            Stage::Preview => (&preview, ReferenceBlocks::default()),
            Stage::Level(level) => {
                let reference = ReferenceBlocks {
                    preview: Some(&preview),
                    coarser: &levels[..level],
                };
                (&levels[level].1, reference)
            }
        };
        let mut encoder = RangeEncoder::new();
        for column in packet.first..packet.first + packet.count {
            coder.code(
                &mut encoder,
                plan,
                source.column(column),
                reference,
                &mut done,
            );
        }
        write_packet(&packet, &encoder.finish(), out);
        place = plan.next(place);
    }
}

/// Stage, columns, length, bytes and checksum.
fn write_packet(packet: &PacketPlace, bytes: &[u8], out: &mut ByteWriter) {
    let begin = out.0.len();
    out.value(packet.stage.number());
    out.value(packet.first as u32);
    out.value(packet.count as u32);
    out.value(bytes.len() as u64);
    out.bytes(bytes);
    out.append_checksum(begin);
}
