//! A body: its mesh, what it is made of and what holds it.

use std::path::{Path, PathBuf};

use pliant_core::material::{Damping, Material};
use pliant_core::mesh::{SurfaceMesh, TetMesh};
use pliant_core::scene::{GivenMesh, GivenMeshError, Selection};
use toml::{Table, Value};

use crate::error::{Error, Result};
use crate::keys::{self, Keys};

/// A deformable body. What is not set has a default; [`Body::set`] sets any key that a scene file has for a body.
///
/// A body without supports ([`Body::hold`]) needs a method with inertia, [`Method::Adaptive`](crate::Method::Adaptive) or [`Method::Lattice`](crate::Method::Lattice). Contact then
/// acts on it in each of its steps, as it does between several bodies, so that it falls and bounces correctly.
///
/// ```
/// use pliant::{Body, Material, Selection};
/// let liver = Body::procedural("liver")
///     .longest(0.2)
///     .edge(0.01)
///     .material(Material::isotropic(5e3, 0.45).with_density(1060.0))
///     .hold("ligament", Selection::Group("ligament".into()))
///     .set("lattice.cells_longest", 16);
/// assert_eq!(liver.name(), "liver");
/// ```
#[derive(Debug, Clone)]
pub struct Body {
    name: String,
    keys: Keys,
    file: Option<PathBuf>,
    given: Option<std::result::Result<GivenMesh, GivenMeshError>>,
}

/// The description of a body, for a scene.
pub(crate) struct BodyDescription {
    pub table: Table,
    pub file: Option<PathBuf>,
    pub given: Option<GivenMesh>,
}

impl Body {
    /// The solid in a mesh file of any [format](pliant_meshing::io::MeshFormat) that Pliant reads: OBJ, STL, PLY, OFF, glTF, Gmsh, VTK, TetGen, Medit, Abaqus. A surface that does not bound a
    /// solid is repaired. Coordinates are metres with y up, unless [`Body::units`], [`Body::z_up`] or [`Body::longest`] says otherwise. The body has the name of the file, without its
    /// extension.
    ///
    /// The file is read when the scene is built, and so are the errors.
    pub fn from_file(path: impl AsRef<Path>) -> Self {
        let path = path.as_ref();
        let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned());
        let name = stem
            .filter(|s| !s.is_empty())
            .unwrap_or_else(|| "body".into());
        let mut body = Self::named(&name).set("mesh.file", path.to_string_lossy().into_owned());
        body.file = Some(path.to_path_buf());
        body
    }

    /// The solid that a closed surface bounds, m. A surface that is not closed is repaired as one from a file.
    pub fn from_surface(name: &str, surface: SurfaceMesh) -> Self {
        let mut body = Self::named(name).set("mesh.file", name);
        body.given = Some(GivenMesh::surface_only(surface));
        body
    }

    /// The same from a vertex buffer (m) and an index buffer.
    pub fn from_triangles(name: &str, positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> Self {
        let positions = positions.iter().map(|x| x.map(f64::from).into()).collect();
        Self::from_surface(name, SurfaceMesh::new(positions, triangles.to_vec()))
    }

    /// Tetrahedra of a mesher of your own, m, each with positive volume. Their boundary is the skin.
    pub fn from_tets(name: &str, tets: TetMesh) -> Self {
        let mut body = Self::named(name).set("mesh.file", name);
        body.given = Some(GivenMesh::with_tets(tets));
        body
    }

    /// A built-in body by name: `sphere`, `torus`, `kidney`, `liver`, `penguin`, `rabbit`, ...; all are in [`meshing::procedural::names`](pliant_meshing::procedural::names).
    pub fn procedural(name: &str) -> Self {
        Self::named(name).set("mesh.procedural", name)
    }

    /// A box around the origin with these sides (m) along x, y and z, in cells of about `edge` metres.
    pub fn cuboid(sides: [f64; 3], edge: f64) -> Self {
        Self::procedural("box")
            .set("mesh.size", keys::triple(sides))
            .edge(edge)
    }

    fn named(name: &str) -> Self {
        Self {
            name: name.to_string(),
            keys: Keys::default(),
            file: None,
            given: None,
        }
        .set("name", name)
    }

    /// Its name in the scene.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Another name.
    pub fn rename(mut self, name: &str) -> Self {
        self.name = name.to_string();
        self.set("name", name)
    }

    /// Unit of the file: `m`, `cm`, `mm` or `in`.
    pub fn units(self, unit: &str) -> Self {
        self.set("mesh.units", unit)
    }

    /// The file has z up; it is turned so that y is.
    pub fn z_up(self) -> Self {
        self.set("mesh.up", "z")
    }

    /// Scales the body so that its longest side has this length, m.
    pub fn longest(self, length: f64) -> Self {
        self.set("mesh.longest", length)
    }

    /// Edge of the skin's triangles, m; procedural bodies only.
    pub fn edge(self, edge: f64) -> Self {
        self.set("mesh.edge", edge)
    }

    /// Puts the body onto y = 0.
    pub fn on_floor(self) -> Self {
        self.set("mesh.rest_on_floor", true)
    }

    /// What it is made of; soft tissue of 20 kPa by default. `quasistatic` uses the elastic constants and the density, `lattice` Young's modulus, the density and the damping; the law is that of
    /// `adaptive`.
    pub fn material(self, material: Material) -> Self {
        let body = self
            .set("material.young", material.elastic.young)
            .set("material.poisson", material.elastic.poisson)
            .set("material.density", material.density)
            .set("material.law", material.law.name());
        match material.damping {
            Damping::Ratio(zeta) => body.set("material.zeta", zeta),
            Damping::Parameters(p) => body
                .set("material.damping.phi", p.phi)
                .set("material.damping.psi", p.psi),
        }
    }

    /// Holds a part where it is at rest, permanently. The force there is [`World::support_force`](crate::World::support_force) of this name. May be called several times.
    pub fn hold(mut self, name: &str, select: Selection) -> Self {
        let support = keys::table([
            ("name", Value::String(name.to_string())),
            ("select", keys::selection(&select)),
        ]);
        match self.keys.table.get_mut("support") {
            Some(Value::Array(supports)) => {
                supports.push(support);
                self
            }
            _ => self.set("support", vec![support]),
        }
    }

    /// Holds everything below this share of the body's height, 0 to 1, as the support `foot`.
    pub fn hold_lowest(self, share: f64) -> Self {
        self.hold("foot", Selection::Lowest(share))
    }

    /// Sets any key that scene files have in `[[body]]`, with dots between tables: `adaptive.budget_ms`, `lattice.toughness`, `quasistatic.boundary`, ...; `docs/scenes.md` in the
    /// repository has all of them. A key that does not exist is an error when the scene is built; the error suggests the nearest name.
    pub fn set(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.keys.set(key, value.into());
        self
    }

    /// The description, or the first error in it. `is_cut` tells whether the scene has a blade.
    pub(crate) fn description(&self, is_cut: bool) -> Result<BodyDescription> {
        self.keys.check(|| format!("body `{}`", self.name))?;
        let given = self.given.clone().transpose();
        let given = given.map_err(|source| Error::Mesh {
            body: self.name.clone(),
            source,
        })?;
        let mut table = self.keys.table.clone();
        let is_free = !["support", "count", "layout"]
            .iter()
            .any(|key| table.contains_key(*key));
        if is_free && !is_cut {
            // with contacts detected only once a frame, a falling body would bounce higher than it fell; the pieces of a cut body sleep one by one only outside of a group
            table.insert("count".into(), Value::Integer(1));
        }
        Ok(BodyDescription {
            table,
            file: self.file.clone(),
            given,
        })
    }
}
