//! Green's functions that a scene takes from a file.

use std::path::{Path, PathBuf};

use pliant_quasistatic::GreensAsset;

use crate::setup::Setup;

/// Why a file cannot be used for a body.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GivenColumnsError {
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
        "{} was made for another body: {what}\n  remedy: make it anew with `pliant gf` for this scene",
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
        "{} was made for Poisson's ratio {baked}, the scene has {wanted}\n  remedy: make it anew, or give the body that ratio",
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
pub fn place(setup: &Setup, written: &Path) -> PathBuf {
    let folder = setup.origin.parent().unwrap_or(Path::new(""));
    folder.join(written)
}

/// Share of the diagonal by which vertices of the file and of the scene may differ.
const SAME_PLACE: f64 = 1e-7;

/// Reads the file and holds it against the scene's skin, supports and Poisson's ratio.
///
/// # Errors
/// See [`GivenColumnsError`].
pub fn read(setup: &Setup, file: &Path) -> Result<GreensAsset, GivenColumnsError> {
    let file = file.to_path_buf();
    let bytes = std::fs::read(&file).map_err(|e| GivenColumnsError::AssetUnreadable {
        file: file.clone(),
        reason: e.to_string(),
    })?;
    let asset = GreensAsset::from_bytes(&bytes).map_err(|e| GivenColumnsError::AssetFormat {
        file: file.clone(),
        reason: e.to_string(),
    })?;
    let skin = &setup.geometry.skin;
    let differs = |what: String| GivenColumnsError::GreensMeshMismatch {
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
    let apart = pairs.map(|(a, b)| (a - b).norm()).enumerate();
    let farthest = apart.max_by(|a, b| a.1.total_cmp(&b.1));
    if let Some((vertex, distance)) = farthest
        && distance > SAME_PLACE * setup.diagonal
    {
        return Err(differs(format!(
            "vertex {vertex} is {distance:.3e} m apart"
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
    let (baked, wanted) = (
        asset.material.elastic.poisson,
        setup.geometry.material.elastic.poisson,
    );
    if (baked - wanted).abs() > 1e-9 {
        return Err(GivenColumnsError::PoissonMismatch {
            file,
            baked,
            wanted,
        });
    }
    Ok(asset)
}
