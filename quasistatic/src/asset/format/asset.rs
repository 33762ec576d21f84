//! The whole asset: its parts in the order in which they are stored.

use std::sync::Arc;

use pliant_core::math::Mat3;

use super::bytes::{ErrorContext, Reader, Writer};
use super::columns::{read_matrix, write_matrix};
use super::error::AssetFormatError;
use super::layout::{MAGIC, VERSION};
use super::material::{material_from, material_numbers};
use super::skin::{read_rows, read_skin, write_rows, write_skin};
use super::stream::{is_stream, read_stream, stream_around};
use super::{inside, releasable};
use crate::asset::GreensAsset;
use crate::greens::table::SharedBytes;
use crate::greens::{CompressedColumns, GreensMatrix, SupportRows};

impl GreensAsset {
    /// The asset as little-endian bytes. [`GreensAsset::from_bytes`] gives back the same bits, except for columns by wavelets, which are rounded to half their threshold.
    ///
    /// Columns by wavelets make a progressive stream: its first part is a coarser body.
    pub fn to_bytes(&self) -> Vec<u8> {
        if self.matrix.wavelets().is_none() {
            return self.asset_bytes(&self.matrix);
        }
        let asset = self.asset_bytes(&self.matrix);
        // columns that a stream cannot hold are written as dense ones
        stream_around(&self.matrix, &asset)
            .unwrap_or_else(|| self.asset_bytes(&self.matrix.expanded()))
    }

    fn asset_bytes(&self, matrix: &GreensMatrix) -> Vec<u8> {
        let mut out = Writer::new(Vec::with_capacity(self.bytes() + 1024));
        out.raw(MAGIC);
        out.u32(VERSION);
        write_skin(&self.skin, &mut out);
        out.list(&material_numbers(&self.material));
        out.u64(self.nodes() as u64);
        write_matrix(matrix, &mut out);
        out.list(matrix.missing());
        out.list(&self.gravity);
        out.u32(self.supports.len() as u32);
        for support in &self.supports {
            out.text(&support.name);
            out.list(&support.reactions);
            out.list(std::slice::from_ref(&support.gravity));
        }
        write_rows(&self.rows, &mut out);
        inside::write(&mut out, &self.inside);
        releasable::write(&mut out, &self.releasable);
        out.u64(self.unknowns as u64);
        out.u32(self.notes.len() as u32);
        for note in &self.notes {
            out.text(note);
        }
        out.into_bytes()
    }

    /// Reads what [`GreensAsset::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`AssetFormatError`] for any other bytes; lengths are checked before memory is taken.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, AssetFormatError> {
        match read_stream(bytes)? {
            None => Self::read(bytes, None, None),
            Some(stream) => {
                let mut asset = Self::read(&stream.asset, None, Some(stream.columns))?;
                asset.notes.extend(stream.note);
                Ok(asset)
            }
        }
    }

    /// As [`GreensAsset::from_bytes`], but the columns stay in `bytes`, which the asset shares: this takes constant time and no memory for them. A big-endian machine
    /// copies them.
    ///
    /// # Errors
    /// As [`GreensAsset::from_bytes`].
    pub fn from_shared(bytes: &Arc<dyn SharedBytes>) -> Result<Self, AssetFormatError> {
        if is_stream(bytes.bytes()) {
            return Self::from_bytes(bytes.bytes());
        }
        Self::read(bytes.bytes(), Some(bytes), None)
    }

    fn read(
        bytes: &[u8],
        shared: Option<&Arc<dyn SharedBytes>>,
        in_stream: Option<CompressedColumns>,
    ) -> Result<Self, AssetFormatError> {
        let mut input = Reader::new(bytes);
        if input.take(8).ok() != Some(MAGIC.as_slice()) || input.u32().ok() != Some(VERSION) {
            return Err(AssetFormatError::WrongKind);
        }
        let skin = read_skin(&mut input)?;
        let material = material_from(&input.list::<f64>().context("material")?)?;
        let nodes = input.u64().context("node count")? as usize;
        let mut matrix = read_matrix(&mut input, nodes, shared, in_stream)?;
        if !matrix.set_missing(input.list().context("missing columns")?) {
            return Err(AssetFormatError::Invalid {
                what: "list of missing columns",
            });
        }
        let gravity: Vec<Mat3> = input.list().context("gravity response")?;
        let mut supports = Vec::new();
        for _ in 0..input.u32().context("supports")? {
            let name = input.text().context("support name")?;
            let reactions: Vec<Mat3> = input.list().context("support shares")?;
            let gravity: Vec<Mat3> = input.list().context("support weight")?;
            let (true, &[gravity]) = (reactions.len() == nodes, gravity.as_slice()) else {
                return Err(AssetFormatError::Invalid { what: "support" });
            };
            supports.push(SupportRows {
                name,
                reactions,
                gravity,
            });
        }
        let rows = read_rows(&mut input, skin.vertex_count(), nodes, supports.len())?;
        let inside = inside::read(&mut input, nodes, supports.len())?;
        let sizes = (nodes, supports.len(), inside.len());
        let releasable = releasable::read(&mut input, sizes)?;
        let unknowns = input.u64().context("unknowns")? as usize;
        let mut notes = Vec::new();
        for _ in 0..input.u32().context("notes")? {
            notes.push(input.text().context("note")?);
        }
        if gravity.len() != nodes || input.finish().is_err() {
            return Err(AssetFormatError::Invalid { what: "length" });
        }
        Ok(Self {
            skin: Arc::new(skin),
            material,
            matrix,
            gravity,
            supports,
            inside,
            releasable,
            rows,
            unknowns,
            notes,
        })
    }
}
