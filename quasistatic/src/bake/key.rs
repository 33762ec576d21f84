//! The key of everything that a bake depends on.

use pliant_core::asset::{AssetKey, BodyGeometry, KeyHasher};
use pliant_core::mesh::SurfaceMesh;
use pliant_core::scene::Selection;

use crate::asset::format::VERSION;
use crate::params::{Generator, GreensElements, GreensLoads, QuasistaticParams, StiffnessPart};

/// The key of everything that [`bake`](crate::bake::bake) depends on.
pub fn key(geometry: &BodyGeometry, params: &QuasistaticParams) -> AssetKey {
    body_hasher(geometry, params).finish()
}

/// The key of everything that [`bake_on_surface`](crate::bake::bake_on_surface) depends on.
pub fn surface_key(
    geometry: &BodyGeometry,
    surface: &SurfaceMesh,
    params: &QuasistaticParams,
) -> AssetKey {
    let mut hasher = body_hasher(geometry, params);
    hasher.positions("boundary positions", &surface.positions);
    let corners = surface.triangles.iter().flatten();
    hasher.indices("boundary triangles", corners.copied());
    hasher.finish()
}

fn body_hasher(geometry: &BodyGeometry, params: &QuasistaticParams) -> KeyHasher {
    let mut hasher = KeyHasher::new("quasistatic", VERSION);
    hasher.positions("skin positions", &geometry.skin.positions);
    let corners = geometry.skin.triangles.iter().flatten();
    hasher.indices("skin triangles", corners.copied());
    for group in &geometry.skin.groups {
        hasher.bytes("group", group.name.as_bytes());
        hasher.indices("group vertices", group.vertices.iter().copied());
    }
    if let Some(mesh) = &geometry.greens_level {
        hasher.positions("nodes", &mesh.nodes);
        hasher.indices("tets", mesh.tets.iter().flatten().copied());
    }
    let material = &geometry.material;
    let elastic = material.elastic;
    hasher.numbers(
        "material",
        &[elastic.young, elastic.poisson, material.density],
    );
    for support in &geometry.supports {
        hasher.bytes("support", support.name.as_bytes());
        selection_key(&support.selection, &mut hasher);
        hasher.indices("support vertices", support.skin_vertices.iter().copied());
    }
    params.hash(&mut hasher);
    hasher
}

/// Adds a selection to a key.
fn selection_key(selection: &Selection, hasher: &mut KeyHasher) {
    match selection {
        Selection::Box { min, max } => {
            hasher.numbers("box min", min);
            hasher.numbers("box max", max);
        }
        Selection::Sphere { center, radius } => {
            hasher.numbers("sphere centre", center);
            hasher.numbers("sphere radius", &[*radius]);
        }
        Selection::HalfSpace { point, normal } => {
            hasher.numbers("half space point", point);
            hasher.numbers("half space normal", normal);
        }
        Selection::List(vertices) => hasher.indices("list", vertices.iter().copied()),
        Selection::Group(name) => hasher.bytes("group name", name.as_bytes()),
        Selection::Lowest(share) => hasher.numbers("lowest", &[*share]),
    }
}

impl QuasistaticParams {
    /// Adds all parameters that a bake depends on.
    pub(crate) fn hash(&self, hasher: &mut KeyHasher) {
        hasher.numbers(
            "params",
            &[
                self.precision.bytes() as f64,
                self.max_boundary_nodes as f64,
                match self.generator {
                    Generator::Fem => 0.0,
                    Generator::BemLinear => 1.0,
                    Generator::BemConstant => 2.0,
                },
            ],
        );
        match (self.elements, self.loads) {
            (GreensElements::Linear, _) => {}
            (GreensElements::Quadratic, GreensLoads::Corners) => {
                hasher.bytes("elements", b"quadratic, loads on corners");
            }
            (GreensElements::Quadratic, GreensLoads::Faces) => {
                hasher.bytes("elements", b"quadratic, loads on faces");
            }
        }
        for part in &self.stiffness {
            match part {
                StiffnessPart::Region { selection, factor } => {
                    selection_key(selection, hasher);
                    hasher.numbers("factor", &[*factor]);
                }
                StiffnessPart::Skin(values) => hasher.numbers("factors on the skin", values),
                StiffnessPart::Tetrahedra(values) => {
                    hasher.numbers("factors of tetrahedra", values);
                }
            }
        }
        if let Some(fibres) = &self.fibres {
            let d = fibres.direction;
            // an empty list is the ratio of the material
            let poisson = fibres.poisson.map_or(vec![], |nu| vec![nu]);
            hasher.numbers("fibres", &[d.x, d.y, d.z, fibres.young, fibres.shear]);
            hasher.numbers("fibres across", &poisson);
        }
        for name in &self.releasable {
            hasher.bytes("releasable", name.as_bytes());
        }
        if let Some(error) = self.hierarchical {
            hasher.numbers("hierarchical matrix", &[error]);
        }
        for point in &self.inside {
            hasher.bytes("point inside", point.name.as_bytes());
            hasher.positions("its place", &[point.point]);
        }
    }
}
