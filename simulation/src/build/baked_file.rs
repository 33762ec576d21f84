//! Opens a baked file: one that `pliant gf` wrote, or one of the cache.

use pliant_adaptive::LodHierarchy;
use pliant_lattice::LatticeAsset;
use pliant_quasistatic::GreensAsset;
use xxhash_rust::xxh3::xxh3_128;

use super::stored::split_notes;
use crate::cache::journal::{ColumnFile, column_file};
use crate::reference::RecordedRun;

/// Bytes of the checksum at the end of a file of the cache.
const CHECKSUM_BYTES: usize = 16;

/// A baked file.
#[derive(Debug, Clone)]
pub enum BakedFile {
    /// Green's functions.
    Greens(Box<GreensAsset>),
    /// Levels of finite elements.
    Levels(Box<LodHierarchy>),
    /// A lattice.
    Lattice(Box<LatticeAsset>),
    /// A run that methods are compared with.
    Reference(Box<RecordedRun>),
    /// Finished columns of Green's functions that are still baked.
    Columns(ColumnFile),
}

/// A baked file, and where it was.
#[derive(Debug, Clone)]
pub struct OpenedFile {
    /// What it holds.
    pub content: BakedFile,
    /// Whether it is one of the cache, which has notes in front and a checksum at the end.
    pub from_cache: bool,
    /// Version of its format; `None` for streams of wavelets, whose first word says it, and for reference runs.
    pub version: Option<u32>,
    /// The notes of its bake.
    pub notes: Vec<String>,
}

/// A file that is no baked asset of this version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BakedFileError {
    /// The format is not known.
    #[error(
        "this is neither a recording nor a baked file\n  remedy: give what `--record` or `pliant gf --out` wrote, or a file of the cache; `pliant check` looks at meshes"
    )]
    UnknownFile,
    /// A file of the cache that has changed.
    #[error(
        "this file of the cache does not have its checksum\n  remedy: remove it; it is baked again when it is needed"
    )]
    DamagedAsset,
    /// The asset cannot be read.
    #[error("{0}")]
    AssetFormat(String),
}

/// Opens the bytes of a baked file.
///
/// Cost: reading and checking the whole asset. Memory: the asset.
///
/// # Errors
/// [`BakedFileError`].
pub fn open_baked_file(bytes: &[u8]) -> Result<OpenedFile, BakedFileError> {
    let inner = bytes.split_last_chunk::<CHECKSUM_BYTES>();
    let cached = inner.filter(|(inner, sum)| xxh3_128(inner).to_le_bytes() == **sum);
    let payload = cached.map_or(bytes, |(inner, _)| inner);
    if let Some(content) = content(payload) {
        return Ok(OpenedFile {
            content: content?,
            from_cache: cached.is_some(),
            version: version(payload),
            notes: Vec::new(),
        });
    }
    let Some((notes, asset_start)) = split_notes(payload) else {
        return Err(BakedFileError::UnknownFile);
    };
    let asset = payload.get(asset_start..).unwrap_or_default();
    match (content(asset), cached) {
        (Some(content), Some(_)) => Ok(OpenedFile {
            content: content?,
            from_cache: true,
            version: version(asset),
            notes,
        }),
        (Some(_), None) => Err(BakedFileError::DamagedAsset),
        (None, _) => Err(BakedFileError::UnknownFile),
    }
}

/// The format version, which follows the magic word of some assets.
fn version(bytes: &[u8]) -> Option<u32> {
    let after = bytes.strip_prefix(b"PLNT")?.get(4..)?;
    let version = after.first_chunk::<4>()?;
    Some(u32::from_le_bytes(*version))
}

/// Reads bytes that start with the magic word of an asset; `None` for other bytes.
fn content(bytes: &[u8]) -> Option<Result<BakedFile, BakedFileError>> {
    let greens = || asset(GreensAsset::from_bytes(bytes), BakedFile::Greens);
    Some(match bytes {
        [b'G', b'F', b'W', b'1', ..] => greens(),
        _ => match bytes.first_chunk::<8>()? {
            b"PLNTGREE" => greens(),
            b"PLNTADPT" => asset(LodHierarchy::from_bytes(bytes), BakedFile::Levels),
            b"PLNTLATT" => asset(LatticeAsset::from_bytes(bytes), BakedFile::Lattice),
            b"PLREF001" => RecordedRun::from_bytes(bytes)
                .map(|run| BakedFile::Reference(Box::new(run)))
                .ok_or(BakedFileError::DamagedAsset),
            b"PLNTPART" => column_file(bytes)
                .map(BakedFile::Columns)
                .ok_or_else(|| BakedFileError::AssetFormat("this file of columns ends inside its header\n  remedy: remove it; the bake starts again".into())),
            _ => return None,
        },
    })
}

/// An asset that was read, or why it could not be.
fn asset<A, E: std::fmt::Display>(
    read: Result<A, E>,
    file: fn(Box<A>) -> BakedFile,
) -> Result<BakedFile, BakedFileError> {
    let asset = read.map_err(|e| BakedFileError::AssetFormat(e.to_string()))?;
    Ok(file(Box::new(asset)))
}

#[cfg(test)]
mod tests {
    use pliant_core::asset::{AssetKey, Progress};
    use pliant_core::scene::Method;

    use super::*;
    use crate::build::build_method;
    use crate::cache::AssetCache;
    use crate::world::testing::{pad, setup_of};

    #[test]
    fn each_file_of_the_cache_is_recognised_and_damage_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = AssetCache::open(Some(folder.path()));
        let keys =
            "adaptive = { target_edges = [0.05] }\nlattice = { cell = 0.05, half_width = 1 }";
        let setup = setup_of(pad("", keys));
        for method in Method::ALL {
            build_method(&setup, method, &cache, &Progress::new()).expect("baked");
            let kind = folder.path().join(method.name());
            let files = std::fs::read_dir(kind).expect("a folder").flatten();
            let mut assets = files.filter(|f| f.path().extension().is_some_and(|e| e == "asset"));
            let file = assets.next().expect("an asset").path();
            let mut bytes = std::fs::read(file).expect("readable");
            let opened = open_baked_file(&bytes).expect("whole");
            assert!(opened.from_cache && opened.version.is_some_and(|v| v < 100));
            let skin = match (method, &opened.content) {
                (Method::Adaptive, BakedFile::Levels(levels)) => &levels.skin,
                (Method::Lattice, BakedFile::Lattice(lattice)) => &lattice.skin,
                (Method::Quasistatic, BakedFile::Greens(greens)) => &greens.skin,
                (_, other) => panic!("{} is {other:?}", method.name()),
            };
            assert_eq!(skin.triangles, setup.skin().triangles);
            let middle = bytes.len() / 2;
            bytes[middle] ^= 4;
            let error = open_baked_file(&bytes).expect_err("damaged");
            assert_eq!(error, BakedFileError::DamagedAsset);
            for length in 0..bytes.len().min(400) {
                assert!(open_baked_file(&bytes[..length]).is_err());
            }
        }
        let run = RecordedRun::default().to_bytes();
        cache.store("reference", AssetKey(1), &[&run]);
        let path = folder
            .path()
            .join(format!("reference/{}.asset", AssetKey(1)));
        let bytes = std::fs::read(path).expect("stored");
        let opened = open_baked_file(&bytes).expect("whole");
        assert!(opened.from_cache && matches!(opened.content, BakedFile::Reference(_)));
        let error = open_baked_file(b"solid cube\n").expect_err("a mesh");
        assert_eq!(error, BakedFileError::UnknownFile);
    }
}
