//! The boundary of compressed Green's functions: a surface with subdivision connectivity.

use pliant_core::mesh::SurfaceMesh;
use pliant_core::scene::BoundaryChoice;
use pliant_meshing::remesh::{RemeshSpec, remesh};
use pliant_quasistatic::compression::CompressionError;
use pliant_quasistatic::compression::subdivision::{Refinement, SubdivisionHierarchy, detect};

use crate::build::job::Job;
use crate::error::BuildError;

/// Target number of base triangles of a remesh: the mapping of surfaces with ears and legs needs about so many.
const BASE_TRIANGLES: f64 = 80.0;

/// Distance of the boundary from the skin, over the diagonal, that is near enough: forces are good beyond it, too.
const BOUNDARY_DISTANCE: f64 = 0.015;

/// Vertices of a remesh where the scene leaves the choice.
const DEFAULT_VERTICES: usize = 2500;

/// Most vertices of a skin with subdivision connectivity that is its own boundary, where the scene leaves the choice: columns of so many nodes take a minute.
const MAX_SKIN_VERTICES: usize = 3000;

/// Ratio of triangles to the target number above which fewer levels are tried.
const MAX_TRIANGLE_RATIO: f64 = 1.6;

/// A boundary with levels.
pub(super) struct SubdividedSurface {
    pub surface: SurfaceMesh,
    pub hierarchy: SubdivisionHierarchy,
    /// How it was made, for the user.
    pub note: String,
}

impl SubdividedSurface {
    /// The skin of a job where it has levels, as it was before triangles were halved for tools; else a remesh of it.
    pub fn new(job: &Job<'_>) -> Result<Self, BuildError> {
        let setup = job.setup;
        let refined = &setup.geometry.skin;
        let skin = setup.unrefined_skin.as_ref().unwrap_or(refined);
        let choice = setup.description.body.quasistatic.boundary;
        let (vertices, max_own_vertices) = match choice {
            BoundaryChoice::Nodes(nodes) => (nodes, nodes),
            BoundaryChoice::Skin => (skin.vertex_count(), skin.vertex_count()),
            BoundaryChoice::Auto => (DEFAULT_VERTICES, MAX_SKIN_VERTICES),
        };
        if skin.vertex_count() > max_own_vertices {
            return Self::remeshed(job, vertices);
        }
        match detect(skin.vertex_count(), &skin.triangles) {
            Ok(found) => {
                let positions = found.vertex.iter().map(|&v| skin.positions[v as usize]);
                let levels = found.hierarchy.finest();
                let triangles = found.hierarchy.triangles(levels).to_vec();
                Ok(Self {
                    surface: SurfaceMesh::new(positions.collect(), triangles),
                    note: format!("the skin has {levels} levels of subdivision"),
                    hierarchy: found.hierarchy,
                })
            }
            Err(error) => {
                let mut remeshed = Self::remeshed(job, vertices)?;
                if let (BoundaryChoice::Skin, CompressionError::NotSemiRegular { reason }) =
                    (choice, error)
                {
                    remeshed.note += &format!("; the skin has no levels of subdivision: {reason}");
                }
                Ok(remeshed)
            }
        }
    }

    /// A remesh with about so many vertices: as many levels as leave a base that can be mapped.
    fn remeshed(job: &Job<'_>, vertices: usize) -> Result<Self, BuildError> {
        let skin = &job.setup.geometry.skin;
        let triangles = 2.0 * vertices as f64;
        let mut levels = (triangles / BASE_TRIANGLES).log(4.0).round().max(1.0) as usize;
        let remeshed = loop {
            let base_faces = (triangles / 4.0_f64.powi(levels as i32)).round() as usize;
            let spec = RemeshSpec {
                levels,
                base_faces: Some(base_faces),
                distance: BOUNDARY_DISTANCE,
            };
            let remeshed = remesh(skin, &spec, job.progress).map_err(|e| job.refused(&e))?;
            let found = remeshed.levels[levels].triangles.len() as f64;
            if levels == 1 || found < MAX_TRIANGLE_RATIO * triangles {
                break remeshed;
            }
            // so small a base was not possible
            levels -= 1;
        };
        let refinements = (0..levels).map(|level| Refinement {
            parents: remeshed.edges[level].ends.clone(),
            triangles: remeshed.levels[level + 1].triangles.clone(),
        });
        let base = remeshed.base();
        let hierarchy = SubdivisionHierarchy::new(
            base.vertex_count(),
            base.triangles.clone(),
            refinements.collect(),
        );
        let hierarchy = hierarchy.map_err(|e: CompressionError| job.refused(&e))?;
        let finest = &remeshed.levels[levels];
        Ok(Self {
            note: format!(
                "the boundary is a remesh: {} triangles subdivided {levels} times, {:.2} % of the diagonal from the skin{}",
                base.triangles.len(),
                100.0 * remeshed.distance_rel,
                match remeshed.folded_triangles + remeshed.self_intersections {
                    0 => String::new(),
                    count => format!("; {count} triangles are folded or cross others"),
                }
            ),
            surface: SurfaceMesh::new(finest.positions.clone(), finest.triangles.clone()),
            hierarchy,
        })
    }
}
