//! Green's functions that a scene takes from a file.

use std::path::{Path, PathBuf};

use pliant_core::math::numbers::decimal;
use pliant_quasistatic::GreensAsset;

use crate::setup::Setup;

/// Why a file cannot be used for a body.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GreensFileError {
    /// No such file, or no permission.
    #[error("{}: {reason}\n  remedy: give a file that `pliant gf --out` wrote", file.display())]
    AssetUnreadable {
        /// The file.
        file: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// Not Green's functions of this version.
    #[error("{}: {reason}", file.display())]
    AssetFormat {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Baked for another mesh.
    #[error(
        "{} was made for another body: {what}\n  remedy: make it again with `pliant gf` for this scene",
        file.display()
    )]
    GreensMeshMismatch {
        /// The file.
        file: PathBuf,
        /// What differs.
        what: String,
    },
    /// Baked for another Poisson's ratio, which cannot be scaled afterwards.
    #[error(
        "{} was made for Poisson's ratio {baked}, the scene has {wanted}\n  remedy: make it again, or give the body that ratio",
        file.display()
    )]
    PoissonMismatch {
        /// The file.
        file: PathBuf,
        /// The ratio of the file.
        baked: f64,
        /// The ratio of the scene.
        wanted: f64,
    },
}

/// Where the scene says its file is.
pub fn path_of(setup: &Setup, written: &Path) -> PathBuf {
    let folder = setup.origin.parent().unwrap_or(Path::new(""));
    folder.join(written)
}

/// Share of the diagonal by which vertices of the file and of the scene may differ.
const SAME_PLACE: f64 = 1e-7;

/// Reads the file and holds it against the scene's skin, supports and Poisson's ratio.
pub fn read(setup: &Setup, file: &Path) -> Result<GreensAsset, GreensFileError> {
    let file = file.to_path_buf();
    let bytes = std::fs::read(&file).map_err(|e| GreensFileError::AssetUnreadable {
        file: file.clone(),
        reason: e.to_string(),
    })?;
    let asset = GreensAsset::from_bytes(&bytes).map_err(|e| GreensFileError::AssetFormat {
        file: file.clone(),
        reason: e.to_string(),
    })?;
    let skin = &setup.geometry.skin;
    let differs = |what: String| GreensFileError::GreensMeshMismatch {
        file: file.clone(),
        what,
    };
    let counts =
        |mesh: &pliant_core::mesh::SurfaceMesh| format!("{} vertices", mesh.vertex_count());
    if asset.skin.triangles != skin.triangles || asset.skin.vertex_count() != skin.vertex_count() {
        let (a, b) = (counts(&asset.skin), counts(skin));
        return Err(differs(format!(
            "{a} and other triangles, the scene has {b}"
        )));
    }
    let pairs = asset.skin.positions.iter().zip(&skin.positions);
    let distances = pairs.map(|(a, b)| (a - b).norm()).enumerate();
    let farthest = distances.max_by(|a, b| a.1.total_cmp(&b.1));
    if let Some((vertex, distance)) = farthest
        && distance > SAME_PLACE * setup.diagonal
    {
        return Err(differs(format!(
            "vertex {vertex} is {} m apart",
            decimal(distance)
        )));
    }
    let names: Vec<&str> = setup
        .geometry
        .supports
        .iter()
        .map(|s| s.name.as_str())
        .collect();
    let own: Vec<&str> = asset.supports.iter().map(|s| s.name.as_str()).collect();
    if names != own {
        return Err(differs(format!("its supports are {own:?}, not {names:?}")));
    }
    for point in &setup.description.body.quasistatic.inside {
        let same = asset.inside.iter().any(|own| {
            own.named.name == point.name
                && (own.named.point - point.point).norm() <= SAME_PLACE * setup.diagonal
        });
        if !same {
            let name = &point.name;
            return Err(differs(format!(
                "it has no point `{name}` inside at that place"
            )));
        }
    }
    let (baked, wanted) = (
        asset.material.elastic.poisson,
        setup.geometry.material.elastic.poisson,
    );
    if (baked - wanted).abs() > 1e-9 {
        return Err(GreensFileError::PoissonMismatch {
            file,
            baked,
            wanted,
        });
    }
    Ok(asset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::{BakedGreens, build_method, greens_functions};
    use crate::cache::AssetCache;
    use crate::error::BuildError;
    use crate::world::testing::quasistatic_block as scene;
    use pliant_core::asset::Progress;
    use pliant_core::scene::Method;

    fn built(setup: &Setup, cache: &AssetCache) -> Result<String, String> {
        match build_method(setup, Method::Quasistatic, cache, &Progress::new()) {
            Ok(built) => Ok(format!("{:?}", built.model.snapshot())),
            Err(error) => {
                assert!(matches!(error, BuildError::NotApplicable { .. }));
                assert!(error.to_string().contains("remedy: "), "{error}");
                Err(error.code())
            }
        }
    }

    #[test]
    fn a_scene_takes_columns_from_a_file_that_fits_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let (cache, baked) = (AssetCache::disabled(), scene(folder.path(), 0.05, 0.3, ""));
        let BakedGreens { asset, .. } =
            greens_functions(&baked, None, &Progress::new()).expect("baked");
        let bytes = asset.to_bytes();
        let file = folder.path().join("block.pgf");
        std::fs::write(&file, &bytes).expect("written");
        let given = "generator = \"asset\", asset = \"block.pgf\"";
        let same = scene(folder.path(), 0.05, 0.3, given);
        assert_eq!(built(&same, &cache), built(&baked, &cache));
        let again = greens_functions(&same, None, &Progress::new()).expect("read");
        assert!(again.asset == asset);

        let code = |edge, poisson| built(&scene(folder.path(), edge, poisson, given), &cache);
        assert_eq!(code(0.04, 0.3), Err("GreensMeshMismatch".into()));
        assert_eq!(code(0.05, 0.2), Err("PoissonMismatch".into()));
        std::fs::write(&file, &bytes[..bytes.len() / 2]).expect("written");
        assert_eq!(code(0.05, 0.3), Err("AssetFormat".into()));
        std::fs::write(&file, b"something else").expect("written");
        assert_eq!(code(0.05, 0.3), Err("AssetFormat".into()));
        std::fs::remove_file(&file).expect("removed");
        assert_eq!(code(0.05, 0.3), Err("AssetUnreadable".into()));
    }

    #[test]
    fn a_finished_bake_leaves_the_asset_alone_in_the_cache() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = AssetCache::open(Some(folder.path()));
        let setup = scene(folder.path(), 0.05, 0.3, "");
        assert!(built(&setup, &cache).is_ok());
        assert_eq!(cache.usage().0, 1);
        let kinds = std::fs::read_dir(folder.path().join("quasistatic")).expect("there");
        assert_eq!(kinds.count(), 1);
        assert_eq!(
            built(&setup, &cache),
            built(&setup, &AssetCache::disabled())
        );
    }
}
