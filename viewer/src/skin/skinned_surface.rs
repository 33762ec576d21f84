//! A surface whose vertices follow control points, prepared for drawing.

use nalgebra::Vector3;
use pliant_core::math::Vec3;
use pliant_core::mesh::{SkinBinding, SurfaceMesh};
use pliant_render::surface::CreasedSurface;

/// Vertices to draw, each in a cell of control points, and their triangles.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SkinnedSurface {
    /// Control points that some vertex needs, ascending; those of `corners` are numbers in this list.
    pub used: Vec<u32>,
    /// Eight control points of each vertex to draw.
    pub corners: Vec<[u32; 8]>,
    /// Place in the cell, edges of a cell.
    pub places: Vec<[f32; 3]>,
    /// Unit normal at rest in coordinates of the cell.
    pub normals: Vec<[f32; 3]>,
    /// Triples of vertices.
    pub triangles: Vec<[u32; 3]>,
}

impl SkinnedSurface {
    /// Binds the vertices of a creased skin to control points. `None` when the binding is not that of `surface`.
    pub fn new(
        surface: &SurfaceMesh,
        creased: &CreasedSurface,
        binding: &SkinBinding,
    ) -> Option<Self> {
        let rest: Vec<[f32; 3]> = surface
            .positions
            .iter()
            .map(|x| x.cast::<f32>().into())
            .collect();
        let normals = creased.normals(&creased.positions(&rest));
        let world = normals.into_iter().map(|n| Vector3::from(n).cast());
        Self::with_normals(surface, creased, binding, world)
    }

    /// The vertices of the skin itself with one normal each, as the models write them.
    pub fn uncreased(surface: &SurfaceMesh, binding: &SkinBinding) -> Option<Self> {
        let whole = CreasedSurface {
            source: (0..surface.vertex_count() as u32).collect(),
            triangles: surface.triangles.clone(),
        };
        Self::with_normals(surface, &whole, binding, surface.vertex_normals())
    }

    fn with_normals(
        surface: &SurfaceMesh,
        creased: &CreasedSurface,
        binding: &SkinBinding,
        world: impl IntoIterator<Item = Vec3>,
    ) -> Option<Self> {
        if binding.vertex_count() != surface.vertex_count() {
            return None;
        }
        let mut used: Vec<u32> = binding.corners.as_flattened().to_vec();
        used.sort_unstable();
        used.dedup();
        let fits = used
            .last()
            .is_none_or(|&p| (p as usize) < binding.control_count());
        if !fits {
            return None;
        }
        let mut number = vec![0; binding.control_count()];
        for (k, &p) in used.iter().enumerate() {
            number[p as usize] = k as u32;
        }
        let mut skin = Self {
            used,
            triangles: creased.triangles.clone(),
            ..Self::default()
        };
        for (&v, normal) in creased.source.iter().zip(world) {
            let v = v as usize;
            let corners = binding.corners.get(v)?;
            skin.corners.push(corners.map(|p| number[p as usize]));
            skin.places.push(*binding.cell_coordinates.get(v)?);
            let normal = binding.cell_normal(v, &normal);
            skin.normals.push(normal.cast::<f32>().into());
        }
        Some(skin)
    }

    /// Number of vertices to draw.
    pub fn vertex_count(&self) -> usize {
        self.corners.len()
    }
}
