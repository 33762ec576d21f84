//! The columns as bytes, aligned so that sums read a mapped file directly.

use std::sync::Arc;

use pliant_compression::hierarchical_matrix::HierarchicalMatrix;
use pliant_core::asset::bytes::FixedSize;
use pulp::bytemuck::Pod;

use super::bytes::{ErrorContext, Reader, Writer};
use super::error::AssetFormatError;
use super::layout::ALIGNMENT;
use crate::greens::matrix::{Columns, GreensMatrix, dense_count};
use crate::greens::table::{SharedBytes, Table};
use crate::greens::{CompressedColumns, NearFieldSpec};

/// In place of the bytes of a number: the columns are a hierarchical matrix.
const HIERARCHICAL: u32 = 1;
/// In its place, too: the columns are those of the stream around the asset.
const IN_STREAM: u32 = 2;
/// As [`IN_STREAM`], followed by the near field of the columns.
const IN_STREAM_NEAR: u32 = 3;

/// Appends precision, padding and all columns.
pub(super) fn write_matrix(matrix: &GreensMatrix, out: &mut Writer) {
    match matrix.values() {
        Columns::Single(values) => {
            out.u32(4);
            out.align(ALIGNMENT);
            out.values::<f32>(values);
        }
        Columns::Compressed(columns) => match &**columns {
            CompressedColumns::Hierarchical(matrix, _) => {
                out.u32(HIERARCHICAL);
                let bytes = matrix.to_bytes();
                out.length(bytes.len());
                out.raw(&bytes);
            }
            // these columns are in the stream around the asset
            CompressedColumns::Wavelets(columns, _) => match &columns.near {
                None => out.u32(IN_STREAM),
                Some(near) => {
                    out.u32(IN_STREAM_NEAR);
                    out.f64(near.edges);
                    out.list(&near.edge_of_level);
                    out.list(&near.nodes);
                }
            },
        },
        Columns::Double(values) => {
            out.u32(8);
            out.align(ALIGNMENT);
            out.values::<f64>(values);
        }
    }
}

/// Reads what [`write_matrix`] wrote for `nodes` nodes. The columns stay in `shared`, if it is given. `in_stream` are those of the stream around the asset.
pub(super) fn read_matrix(
    input: &mut Reader<'_>,
    nodes: usize,
    shared: Option<&Arc<dyn SharedBytes>>,
    in_stream: Option<CompressedColumns>,
) -> Result<GreensMatrix, AssetFormatError> {
    let invalid = AssetFormatError::Invalid { what: "size" };
    let count = dense_count(nodes).ok_or(invalid.clone())?;
    let precision = input.u32().context("precision")?;
    if precision == IN_STREAM || precision == IN_STREAM_NEAR {
        let mut columns = in_stream.ok_or(AssetFormatError::Invalid { what: "precision" })?;
        if columns.nodes() != nodes {
            return Err(invalid);
        }
        if precision == IN_STREAM_NEAR {
            read_near(input, &mut columns)?;
        }
        return Ok(GreensMatrix::compressed(columns));
    }
    if precision == HIERARCHICAL {
        let length = input.count(1).context("columns")?;
        let bytes = input.take(length).context("columns")?;
        let matrix = HierarchicalMatrix::from_bytes(bytes)
            .map_err(|_| AssetFormatError::Invalid { what: "columns" })?;
        if matrix.nodes() != nodes {
            return Err(invalid);
        }
        return Ok(GreensMatrix::compressed(matrix.into()));
    }
    let padding = input.offset().next_multiple_of(ALIGNMENT) - input.offset();
    input.take(padding).context("padding")?;
    let shared = shared.filter(|_| cfg!(target_endian = "little"));
    let values = match precision {
        4 => Columns::Single(read_table(input, count, shared)?),
        8 => Columns::Double(read_table(input, count, shared)?),
        _ => return Err(AssetFormatError::Invalid { what: "precision" }),
    };
    GreensMatrix::new(nodes, values).ok_or(invalid)
}

/// Reads the near field of columns by wavelets.
fn read_near(
    input: &mut Reader<'_>,
    columns: &mut CompressedColumns,
) -> Result<(), AssetFormatError> {
    let near = NearFieldSpec {
        edges: input.f64().context("near field")?,
        edge_of_level: input.list().context("edges of levels")?,
        nodes: input.list().context("places of nodes")?,
    };
    let CompressedColumns::Wavelets(columns, _) = columns else {
        return Err(AssetFormatError::Invalid { what: "near field" });
    };
    let levels = columns.hierarchy.finest() + 1;
    if !near.fits(levels, columns.matrix.rows()) {
        return Err(AssetFormatError::Invalid { what: "near field" });
    }
    columns.near = Some(Arc::new(near));
    Ok(())
}

fn read_table<T: Pod + FixedSize>(
    input: &mut Reader<'_>,
    count: usize,
    shared: Option<&Arc<dyn SharedBytes>>,
) -> Result<Table<T>, AssetFormatError> {
    let offset = input.offset();
    let length = count.saturating_mul(T::BYTES);
    let numbers = input.take(length).context("columns")?;
    if let Some(table) = shared.and_then(|bytes| Table::shared(bytes, offset, count)) {
        return Ok(table);
    }
    let mut values = Table::zeroed(count);
    for (value, bytes) in values.iter_mut().zip(numbers.chunks_exact(T::BYTES)) {
        *value = T::from_bytes(bytes);
    }
    Ok(values)
}
