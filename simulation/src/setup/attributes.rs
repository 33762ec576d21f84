//! Numbers that a mesh file has for its vertices, carried over to the skin, which may have been repaired and refined since.

use std::path::Path;
use std::sync::Arc;

use pliant_core::mesh::{SurfaceMesh, TriangleTree};
use pliant_core::scene::{BodyDescription, MeshSource, SceneError, VertexWeight};
use pliant_meshing::io::read_vertex_attribute;

use crate::error::BuildError;

/// Numbers of a file at its vertices, and the surface of the file.
pub(crate) struct FileAttributes {
    /// the surface of the file before any repair, placed like the skin
    pub surface: SurfaceMesh,
    /// names and numbers, one for each vertex of `surface`
    pub named: Vec<(String, Vec<f64>)>,
}

/// The attributes that the text of body number `kind` asks for, each once.
///
/// # Errors
/// [`SceneError::BadValue`] when there is no file that could have them.
pub(crate) fn requested_attributes(
    body: &BodyDescription,
    kind: usize,
) -> Result<Vec<String>, SceneError> {
    let mut names = Vec::new();
    let lists = [
        ("lattice.weights", &body.lattice.weights),
        ("lattice.stiffness", &body.lattice.stiffness),
        ("quasistatic.stiffness", &body.quasistatic.stiffness),
    ];
    for (key, list) in lists {
        for (k, weight) in list.iter().enumerate() {
            let VertexWeight::Attribute(name) = weight else {
                continue;
            };
            if matches!(body.mesh, MeshSource::Procedural { .. }) {
                return Err(SceneError::BadValue {
                    path: format!("body[{kind}].{key}[{k}].attribute"),
                    reason: "cannot be used for a generated body, which has no file\n  remedy: write `select` and `factor`".into(),
                });
            }
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    Ok(names)
}

/// Reads the attributes `names` of `file`, whose vertices are those of `surface`; nothing where no name is given.
///
/// # Errors
/// [`BuildError::Mesh`] names the file.
pub(crate) fn read(
    file: &Path,
    surface: &SurfaceMesh,
    names: &[String],
) -> Result<Option<FileAttributes>, BuildError> {
    if names.is_empty() {
        return Ok(None);
    }
    let mut named = Vec::new();
    for name in names {
        let attribute = read_vertex_attribute(file, name).map_err(|source| BuildError::Mesh {
            key: None,
            file: file.to_path_buf(),
            source,
        })?;
        named.push((name.clone(), attribute.values));
    }
    let surface = surface.clone();
    Ok(Some(FileAttributes { surface, named }))
}

impl FileAttributes {
    /// The numbers at the vertices of `skin`, interpolated on the closest triangle of the file.
    pub fn interpolated(&self, skin: &SurfaceMesh) -> Vec<(String, Arc<[f64]>)> {
        let Self { surface, named } = self;
        let tree = TriangleTree::new(&surface.positions, &surface.triangles);
        let closest = |x| tree.closest(x).map(|c| (c.triangle, c.weights));
        let places: Vec<_> = skin.positions.iter().map(closest).collect();
        let mut carried = Vec::new();
        for (name, values) in named {
            let at = |place: &Option<(u32, [f64; 3])>| {
                let (triangle, weights) = place.as_ref()?;
                let corners = surface.triangles[*triangle as usize].iter().zip(weights);
                Some(corners.map(|(&v, w)| values[v as usize] * w).sum())
            };
            let values = places.iter().map(|place| at(place).unwrap_or(1.0));
            carried.push((name.clone(), values.collect()));
        }
        carried
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use pliant_core::asset::Progress;
    use pliant_lattice::Masses;
    use pliant_quasistatic::params::StiffnessPart;

    use crate::parameters::{lattice_params, quasistatic_params};
    use crate::scenes::{ImportOptions, load};
    use crate::setup::{Setup, prepare};

    const CUBE: &str = "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\nproperty float mass\nelement face 6\nproperty list uchar int vertex_indices\nend_header\n";
    const FACES: &str = "4 0 2 3 1\n4 4 5 7 6\n4 0 1 5 4\n4 2 6 7 3\n4 0 4 6 2\n4 1 3 7 5\n";

    fn prepared(mesh: &str, lattice: &str) -> Result<Setup, String> {
        let folder = tempfile::tempdir().expect("a folder");
        // a cube of 10 cm in millimetres, z up, that weighs four times as much on the right
        let mut text = CUBE.to_string();
        for k in 0..8 {
            let [x, y, z] = [0, 1, 2].map(|axis| 100 * (k >> axis & 1));
            writeln!(text, "{x} {y} {z} {}", 1 + 3 * x / 100).expect("written");
        }
        std::fs::write(folder.path().join("cube.ply"), text + FACES).expect("written");
        let path = folder.path().join("scene.toml");
        let scene = format!(
            "schema = 1\nname = \"cube\"\n[[body]]\nname = \"cube\"\nmesh = {{ {mesh} }}\nmaterial = {{ young = 1e4, poisson = 0.3, density = 1000.0 }}\n[body.lattice]\ncell = 0.0125\n{lattice}\n"
        );
        std::fs::write(&path, scene).expect("written");
        let scene = load(&path, &ImportOptions::default()).map_err(|e| e.to_string())?;
        prepare(&scene, &Progress::new()).map_err(|e| e.to_string())
    }

    const FILE: &str = "file = \"cube.ply\", units = \"mm\", up = \"z\", rest_on_floor = true";

    #[test]
    fn numbers_of_a_file_lie_where_they_were_painted() {
        let setup = prepared(FILE, "weights = [ { attribute = \"mass\" } ]").expect("a setup");
        let [(name, values)] = setup.attributes.as_slice() else {
            panic!("one attribute");
        };
        assert_eq!(name, "mass");
        let skin = &setup.geometry.skin;
        assert!(skin.vertex_count() > 8, "long triangles are halved");
        let left = skin.bounds().min.x;
        for (x, value) in skin.positions.iter().zip(values.iter()) {
            assert!((1.0 + 3.0 * (x.x - left) / 0.1 - value).abs() < 1e-5);
        }
    }

    #[test]
    fn the_lattice_gets_them_and_later_entries_count() {
        let list = "[ { attribute = \"mass\" }, { select = { lowest = 0.3 }, factor = 9.0 } ]";
        let text = format!("weights = {list}\nstiffness = {list}");
        let setup = prepared(FILE, &text).expect("a setup");
        let params = lattice_params(&setup);
        let Masses::Attribute(weights) = &params.masses else {
            panic!("weights");
        };
        assert_eq!(params.stiffness.as_ref(), Some(weights));
        let given = setup.attributes[0].1.iter();
        let skin = &setup.geometry.skin;
        let low = skin.bounds().min.y + 0.03;
        for ((x, weight), given) in skin.positions.iter().zip(weights.iter()).zip(given) {
            assert_eq!(*weight, if x.y < low { 9.0 } else { *given });
        }
    }

    #[test]
    fn the_quasistatic_method_gets_them_too() {
        let list = "[ { select = { lowest = 0.3 }, factor = 9.0 }, { attribute = \"mass\" } ]";
        let text = format!("[body.quasistatic]\nstiffness = {list}");
        let setup = prepared(FILE, &text).expect("a setup");
        let params = quasistatic_params(&setup);
        let [_, StiffnessPart::Skin(values)] = params.stiffness.as_slice() else {
            panic!("two entries");
        };
        assert_eq!(values, &setup.attributes[0].1);
        let generated = prepared("procedural = \"box\", size = [0.1, 0.1, 0.1]", &text);
        let refused = generated.expect_err("refused");
        assert!(refused.contains("body[0].quasistatic.stiffness[1].attribute"));
    }

    #[test]
    fn what_cannot_be_had_is_told() {
        let missing =
            prepared(FILE, "weights = [ { attribute = \"weight\" } ]").expect_err("refused");
        assert!(
            missing.contains("cube.ply") && missing.contains("`mass`"),
            "{missing}"
        );
        let weights = "weights = [ { attribute = \"mass\" } ]";
        let generated = prepared("procedural = \"box\", size = [0.1, 0.1, 0.1]", weights);
        assert!(
            generated
                .expect_err("refused")
                .contains("body[0].lattice.weights[0].attribute")
        );
        let both = prepared(
            FILE,
            "stiffness = [ { attribute = \"mass\", factor = 2.0 } ]",
        );
        assert!(both.expect_err("refused").contains("stiffness[0].factor"));
    }
}
