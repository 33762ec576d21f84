//! An asset inside the stream of its wavelet columns: the stream holds the columns, level by level, and the rest of the asset is its extra block.

use std::sync::Arc;

use pliant_compression::stream::{ReadLimits, StreamReader, StreamSpec, TransformSource, write};

use super::error::AssetFormatError;
use crate::greens::compressed::{CompressedColumns, WaveletColumns};
use crate::greens::matrix::GreensMatrix;

/// First bytes of a stream.
const MAGIC: &[u8; 4] = b"GFW1";

/// Content of a stream.
pub(super) struct AssetStream {
    pub asset: Vec<u8>,
    pub columns: CompressedColumns,
    /// A note for the user where the stream is incomplete.
    pub note: Option<String>,
}

/// Whether bytes begin like a stream.
pub(super) fn is_stream(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// The stream of columns by wavelets around an asset; none for other columns, and for columns that a stream cannot hold.
pub(super) fn stream_around(matrix: &GreensMatrix, asset: &[u8]) -> Option<Vec<u8>> {
    let columns = matrix.wavelet_columns()?;
    let source = TransformSource {
        hierarchy: &columns.hierarchy,
        areas: Some(&columns.areas),
    };
    let spec = StreamSpec {
        // without a threshold the step is the rounding of single precision
        epsilon: columns.epsilon.max(f64::from(f32::EPSILON)),
        ..StreamSpec::default()
    };
    write(&columns.matrix, &source, asset, &spec).ok()
}

/// Areas of all vertices, m²; zero outside of the domain.
fn areas_of(reader: &StreamReader<'_>) -> Vec<f64> {
    let (hierarchy, transform) = (reader.hierarchy(), reader.transform());
    let finest = hierarchy.finest();
    let mut areas = vec![0.0; hierarchy.vertex_count(finest)];
    let rows = transform.domain().vertices().iter();
    for (&vertex, integral) in rows.zip(transform.integrals(finest)) {
        let of_file = reader.areas().and_then(|all| all.get(vertex as usize));
        areas[vertex as usize] = *of_file.unwrap_or(integral);
    }
    areas
}

/// Reads the available part of a stream; none for other bytes.
pub(super) fn read_stream(bytes: &[u8]) -> Result<Option<AssetStream>, AssetFormatError> {
    if !is_stream(bytes) {
        return Ok(None);
    }
    let mut reader = StreamReader::open(bytes, &ReadLimits::default())?;
    while reader.next_packet()?.is_some() {}
    let finest = reader.hierarchy().finest();
    let Some(level) = reader.available_level() else {
        return Err(AssetFormatError::Truncated {
            what: "coarsest columns",
            offset: bytes.len(),
        });
    };
    let note = (!reader.is_complete()).then(|| {
        format!(
            "the file ends early: level {level} of {finest} is complete, finer details are missing"
        )
    });
    let columns = WaveletColumns {
        matrix: reader.matrix(),
        hierarchy: Arc::new(reader.hierarchy().clone()),
        areas: areas_of(&reader).into(),
        epsilon: reader.epsilon(),
        // read from the asset inside
        near: None,
    };
    Ok(Some(AssetStream {
        asset: reader.extra().to_vec(),
        columns: columns.into(),
        note,
    }))
}
