//! Staging of a pane's skin: as vertices or as control points, whole or cut open.

use std::sync::Arc;

use pliant_core::mesh::surface_frame::CutSurface;
use pliant_core::mesh::{SkinBinding, SurfaceFrame, SurfaceMesh};
use pliant_render::numbers::grouped;
use pliant_render::surface::{CreasedSurface, SHARP_ANGLE};
use pliant_simulation::snapshot::PaneSnapshot;

use super::vertices::{Color, code_values, vertices};
use crate::gl::pane::Staged;
use crate::scene::SkinOcclusion;
use crate::skin::batches;
use crate::skin::{PointUpload, PreparedSkin, SkinChoice};

/// A pane's skin as it was staged last.
#[derive(Debug, Clone, Default)]
pub struct PaneSkin {
    /// a broken body, identified by the address of its surface. The reference keeps the address from being reused
    cut: Option<(Arc<SurfaceMesh>, CreasedSurface)>,
    prepared: Option<PreparedFor>,
    /// the skin that the device computes
    on_device: Option<Arc<PreparedSkin>>,
    colors: Vec<[u8; 4]>,
    upload: PointUpload,
}

/// A skin that was prepared from a binding.
#[derive(Debug, Clone)]
struct PreparedFor {
    binding: Arc<SkinBinding>,
    batched: bool,
    /// `None` when it cannot be prepared
    skin: Option<Arc<PreparedSkin>>,
    /// for each vertex to draw whether a sharp edge goes through it
    split: Vec<bool>,
}

/// The skin of a scene, which all panes show.
#[derive(Debug, Clone, Copy)]
pub struct WholeSkin<'a> {
    /// At rest.
    pub surface: &'a SurfaceMesh,
    /// The same for drawing.
    pub creased: &'a CreasedSurface,
    /// How much of the ambient light reaches it.
    pub occlusion: &'a SkinOcclusion,
}

impl PaneSkin {
    /// Stages what has changed.
    pub fn stage(
        &mut self,
        pane: &PaneSnapshot,
        whole: WholeSkin<'_>,
        choice: SkinChoice,
        color: Color<'_>,
        out: &mut Staged,
    ) {
        if let Some(cut) = &pane.frame.cut {
            self.stage_cut(cut, whole.occlusion, color, out);
            return;
        }
        if self.cut.take().is_some() {
            out.triangles = Some(None);
        }
        let creased = whole.creased;
        let skin = self.prepared(pane, (whole.surface, creased), choice);
        let moved = skin.filter(|s| s.upload(&pane.control_points, &mut self.upload).is_some());
        match moved {
            Some(skin) if choice != SkinChoice::Processor => {
                self.stage_skinned(&skin, whole, choice, color, out);
            }
            found => {
                self.show_uploaded(out);
                let normals = self.normals(&pane.frame, creased, found.as_deref());
                let vertex_color = |k: usize, v: usize| {
                    code_values(color(Some(v)), whole.occlusion.drawn_share(k))
                };
                out.vertices = Some(vertices(&pane.frame, creased, &normals, vertex_color));
            }
        }
    }

    /// Description of the skin on the device, for the user; `None` where the processor computes it.
    pub fn summary(&self) -> Option<String> {
        let skin = self.on_device.as_ref()?;
        let points = grouped(skin.control_count());
        Some(match skin.batches() {
            None => format!("skin from a texture of {points} particles"),
            Some(all) => {
                let (count, most) = (all.batches.len(), grouped(all.max_points()));
                let plural = if count == 1 { "" } else { "es" };
                format!(
                    "skin in {} batch{plural} of at most {most} particles",
                    grouped(count)
                )
            }
        })
    }

    fn prepared(
        &mut self,
        pane: &PaneSnapshot,
        (scene, creased): (&SurfaceMesh, &CreasedSurface),
        choice: SkinChoice,
    ) -> Option<Arc<PreparedSkin>> {
        let binding = pane.binding.as_ref()?;
        if pane.control_points.offsets.is_empty() {
            return None;
        }
        let batched = choice.is_batched();
        let is_current = self
            .prepared
            .as_ref()
            .is_some_and(|h| Arc::ptr_eq(&h.binding, binding) && h.batched == batched);
        if !is_current {
            let mut copies = vec![0_u32; scene.vertex_count()];
            for &v in &creased.source {
                copies[v as usize] += 1;
            }
            self.prepared = Some(PreparedFor {
                skin: PreparedSkin::new(scene, creased, binding, choice).map(Arc::new),
                split: creased
                    .source
                    .iter()
                    .map(|&v| copies[v as usize] > 1)
                    .collect(),
                binding: Arc::clone(binding),
                batched,
            });
        }
        self.prepared.as_ref()?.skin.clone()
    }

    fn stage_skinned(
        &mut self,
        skin: &Arc<PreparedSkin>,
        whole: WholeSkin<'_>,
        choice: SkinChoice,
        color: Color<'_>,
        out: &mut Staged,
    ) {
        if !self
            .on_device
            .as_ref()
            .is_some_and(|s| Arc::ptr_eq(s, skin))
        {
            self.on_device = Some(Arc::clone(skin));
            self.colors.clear();
            out.skinned = Some(Some(Arc::clone(skin)));
        }
        out.points = Some(std::mem::take(&mut self.upload));
        let colors: Vec<[u8; 4]> = match skin.batches() {
            Some(all) if choice == SkinChoice::ColoredBatches => all
                .batches
                .iter()
                .enumerate()
                .flat_map(|(k, b)| {
                    std::iter::repeat_n(
                        code_values(batches::color(k), u8::MAX),
                        b.vertices[1] - b.vertices[0],
                    )
                })
                .collect(),
            _ => {
                let skin_vertex = |k: usize| whole.creased.source.get(k).map(|&v| v as usize);
                let all = skin.source().iter().map(|&k| k as usize);
                all.map(|k| code_values(color(skin_vertex(k)), whole.occlusion.drawn_share(k)))
                    .collect()
            }
        };
        // colours rarely change
        if colors != self.colors {
            out.colors = Some(colors.clone());
            self.colors = colors;
        }
    }

    /// Vertices along a cut have the occlusion of the vertices that they copy. The former inside of the body has none.
    fn stage_cut(
        &mut self,
        cut: &CutSurface,
        occlusion: &SkinOcclusion,
        color: Color<'_>,
        out: &mut Staged,
    ) {
        let is_current = self
            .cut
            .as_ref()
            .is_some_and(|(surface, _)| Arc::ptr_eq(surface, &cut.surface));
        if !is_current {
            let creased = CreasedSurface::new(&cut.surface, SHARP_ANGLE);
            out.triangles = Some(Some(creased.triangles.clone()));
            self.cut = Some((Arc::clone(&cut.surface), creased));
        }
        self.show_uploaded(out);
        if let Some((_, creased)) = &self.cut {
            let normals = creased.normals(&creased.positions(&cut.frame.positions));
            let vertex_color = |_, v: usize| {
                let vertex = cut.skin_vertex(v);
                code_values(color(vertex), occlusion.skin_share(vertex))
            };
            out.vertices = Some(vertices(&cut.frame, creased, &normals, vertex_color));
        }
    }

    fn show_uploaded(&mut self, out: &mut Staged) {
        if self.on_device.take().is_some() {
            out.skinned = Some(None);
        }
    }

    /// Normals of the drawn vertices. They are exact where control points define the skin, otherwise means over the adjacent triangles.
    fn normals(
        &self,
        frame: &SurfaceFrame,
        creased: &CreasedSurface,
        exact: Option<&PreparedSkin>,
    ) -> Vec<[f32; 3]> {
        let layout = self.prepared.as_ref().filter(|h| !h.batched);
        match exact.zip(layout) {
            Some((skin, skinned)) => creased
                .source
                .iter()
                .zip(&skinned.split)
                .enumerate()
                .map(|(k, (&v, split))| match split {
                    true => skin.skinned(&self.upload, k).normal,
                    false => frame.normals.get(v as usize).copied().unwrap_or_default(),
                })
                .collect(),
            None => creased.normals(&creased.positions(&frame.positions)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::math::Vec3;
    use pliant_core::mesh::ControlPoints;

    use crate::gl::mesh::DrawVertex;

    /// The snapshot's box bound to the corners of one cell around it.
    fn skinned_pane() -> (PaneSnapshot, SurfaceMesh, CreasedSurface) {
        let snapshot = crate::testing::snapshot();
        let scene = SurfaceMesh::clone(snapshot.setup.as_ref().expect("a scene").skin());
        let bounds = scene.bounds();
        let corner = |b: usize| {
            let part = Vec3::new((b & 1) as f64, (b >> 1 & 1) as f64, (b >> 2) as f64);
            bounds.min + part.component_mul(&bounds.size())
        };
        let binding = SkinBinding {
            corners: vec![[0, 1, 2, 3, 4, 5, 6, 7]; scene.vertex_count()],
            cell_coordinates: scene
                .positions
                .iter()
                .map(|x| {
                    let t = (x - bounds.min).component_div(&bounds.size());
                    t.cast::<f32>().into()
                })
                .collect(),
            rest: (0..8).map(corner).collect(),
        };
        let mut pane = snapshot.panes[0].clone();
        let mut points = ControlPoints::default();
        points.begin(&bounds.center());
        points.extend(&binding.rest);
        pane.control_points = points;
        pane.binding = Some(Arc::new(binding));
        let creased = CreasedSurface::new(&scene, SHARP_ANGLE);
        (pane, scene, creased)
    }

    #[test]
    fn only_control_points_are_uploaded_again() {
        let (pane, scene, creased) = skinned_pane();
        let mut skin = PaneSkin::default();
        let mut stage = |choice| {
            let mut out = Staged::default();
            let whole = WholeSkin {
                surface: &scene,
                creased: &creased,
                occlusion: &SkinOcclusion::default(),
            };
            skin.stage(&pane, whole, choice, &|_| [0.5; 3], &mut out);
            (out, skin.summary())
        };
        let (first, summary) = stage(SkinChoice::Texture);
        assert!(matches!(first.skinned, Some(Some(_))) && first.colors.is_some());
        assert_eq!(
            summary.as_deref(),
            Some("skin from a texture of 8 particles")
        );
        let (again, _) = stage(SkinChoice::Texture);
        assert!(again.skinned.is_none() && again.colors.is_none() && again.vertices.is_none());
        assert_eq!(again.points, first.points);
        let (batched, summary) = stage(SkinChoice::ColoredBatches);
        assert!(matches!(batched.skinned, Some(Some(_))));
        assert_eq!(
            summary.as_deref(),
            Some("skin in 1 batch of at most 8 particles")
        );
        let (back, summary) = stage(SkinChoice::Processor);
        assert!(matches!(back.skinned, Some(None)) && summary.is_none());
        let drawn = back.vertices.expect("all vertices");
        // a box keeps the normals of its faces, edges included
        for v in &drawn {
            let largest = v.normal.iter().fold(0.0_f32, |m, c| m.max(c.abs()));
            assert!((largest - 1.0).abs() < 1e-4, "{v:?}");
        }
        assert_eq!(drawn.len(), creased.source.len());
    }

    #[test]
    fn a_cut_skin_has_triangles_of_its_own_until_the_body_is_whole_again() {
        let (mut pane, scene, creased) = skinned_pane();
        let mut skin = PaneSkin::default();
        let shares: Vec<f32> = vec![0.2; creased.source.len()];
        let occlusion = SkinOcclusion::new(&shares, &creased.source, scene.vertex_count());
        let mut stage = |pane: &PaneSnapshot| {
            let mut out = Staged::default();
            let color = |v: Option<usize>| v.map_or([1.0, 0.0, 0.0], |_| [0.0; 3]);
            let choice = SkinChoice::Texture;
            let whole = WholeSkin {
                surface: &scene,
                creased: &creased,
                occlusion: &occlusion,
            };
            skin.stage(pane, whole, choice, &color, &mut out);
            out
        };
        let first = stage(&pane);
        let colors = first.colors.expect("colours");
        assert!(first.points.is_some() && colors.iter().all(|c| c[3] == 51));
        let mut open = scene.clone();
        let first = open.positions.len() as u32;
        open.positions.extend([Vec3::zeros(), Vec3::x(), Vec3::y()]);
        open.triangles.push([first, first + 1, first + 2]);
        pane.frame.cut = Some(Box::new(CutSurface {
            inside: 0..0,
            frame: SurfaceFrame::at_rest(&open),
            surface: Arc::new(open),
            copied: Arc::new(vec![CutSurface::CAP; 3]),
            sharp: Arc::default(),
        }));
        let broken = stage(&pane);
        let triangles = broken.triangles.flatten().expect("its own triangles");
        assert_eq!(triangles.len(), scene.triangles.len() + 1);
        assert!(matches!(broken.skinned, Some(None)));
        let red = |v: &&DrawVertex| v.color[0] == 255;
        let drawn = broken.vertices.expect("all vertices");
        assert_eq!(drawn.iter().filter(red).count(), 3, "the cap");
        for v in &drawn {
            assert_eq!(v.color[3], if red(&v) { 255 } else { 51 }, "{v:?}");
        }
        assert!(stage(&pane).triangles.is_none(), "the same cut");
        pane.frame.cut = None;
        let whole = stage(&pane);
        assert!(matches!(whole.triangles, Some(None)) && matches!(whole.skinned, Some(Some(_))));
    }
}
