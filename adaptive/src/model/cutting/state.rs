//! The additional state of a body that may be cut or break.

use std::sync::Arc;

use pliant_core::boundary::DisplacementConstraint;
use pliant_core::contact::cutting::BladeSweep;
use pliant_core::material::FractureLimits;
use pliant_core::math::Vec3;
use pliant_core::mesh::{SkinEmbedding, SurfaceMesh};
use pliant_core::model::rest::PieceSleep;

use super::copies::Copies;
use super::cut_edges::{CutEdges, KeptSides};
use super::cut_level::cut_level;
use super::fracture::state::FractureState;
use super::geometry::WholeGeometry;
use super::piece_contact::{ContactFrame, ContactSurface, PieceContact};
use super::sides::Sides;
use super::skin::{CutSkin, draw};
use crate::hierarchy::Level;

/// The additional state of a body that may be cut or break.
#[derive(Debug, Clone)]
pub(crate) struct Cutting {
    pub(super) geometry: Arc<WholeGeometry>,
    pub edges: CutEdges,
    /// sweeps of the blades in the next frame
    pub sweeps: Vec<BladeSweep>,
    /// absent where the material does not break
    pub fracture: Option<Box<FractureState>>,
    /// absent while all tetrahedra are whole
    pub cut: Option<CutMesh>,
    /// changes whenever `cut` does; 0 for a body that was never cut
    pub surface_revision: u64,
}

/// The nodes and elements from which those of a newly cut body come.
pub(crate) struct Origins {
    /// for each virtual node the node that it copies
    pub nodes: Vec<u32>,
    /// for each element the one that it is a part of
    pub elements: Vec<u32>,
}

/// A body with cuts.
#[derive(Debug, Clone)]
pub(crate) struct CutMesh {
    pub(super) copies: Copies,
    pub level: Arc<Level>,
    pub skin: CutSkin,
    /// connected piece of each node
    pub pieces: Vec<u32>,
    pub contact: PieceContact,
    pub sleep: PieceSleep,
}

impl CutMesh {
    /// Finds the pairs of the body that may touch in a frame, from positions (m) and velocities (m/s) of the nodes. Returns the nodes on which these may act, and those `constraints` of the frame that are
    /// on awake pieces.
    pub fn begin_frame<'a>(
        &'a mut self,
        state: (&[Vec3], &[Vec3]),
        frame: ContactFrame,
        constraints: &'a [DisplacementConstraint],
    ) -> (&'a [u32], &'a [DisplacementConstraint]) {
        let (pieces, sleep) = (&self.pieces, &self.sleep);
        let sleeps = |n: u32| sleep.is_asleep(pieces[n as usize]);
        self.contact.begin_frame(state, frame, sleeps);
        (
            self.contact.nodes(),
            self.sleep.awake_constraints(constraints),
        )
    }

    /// Whether element `t` belongs to a piece that sleeps.
    pub fn is_asleep(&self, t: usize) -> bool {
        let [node, ..] = self.level.mesh.tets[t];
        self.sleep.is_asleep(self.pieces[node as usize])
    }
}

impl Cutting {
    /// For a whole level.
    pub fn new(level: &Level, skin: &SurfaceMesh, limits: FractureLimits) -> Self {
        let fracture = || Box::new(FractureState::new(limits, &level.mesh));
        Self {
            fracture: limits.breaks().then(fracture),
            geometry: Arc::new(WholeGeometry::new(&level.mesh, skin)),
            edges: CutEdges::new(&level.mesh),
            sweeps: Vec::new(),
            cut: None,
            surface_revision: 0,
        }
    }

    /// The cut level; `None` while all tetrahedra are whole.
    pub fn level(&self) -> Option<&Arc<Level>> {
        self.cut.as_ref().map(|cut| &cut.level)
    }

    /// Rows of the vertices that tools may touch, in a body that is cut.
    pub fn touchable_rows(&self) -> Option<Arc<SkinEmbedding>> {
        self.cut.as_ref().map(|cut| Arc::clone(&cut.skin.rows))
    }

    /// The cut mesh, if one of its pieces sleeps.
    pub fn with_sleeping_pieces(&self) -> Option<&CutMesh> {
        self.cut.as_ref().filter(|cut| cut.sleep.asleep() > 0)
    }

    /// Expands forces (N) of the constraints on awake pieces to one for each constraint of the frame.
    pub fn merge_forces(&self, forces: &mut Vec<Vec3>) {
        if let Some(cut) = &self.cut {
            cut.sleep.merge_forces(forces);
        }
    }

    /// Cuts the edges that blades cross in a frame in which nodes went from `from` to `to` (m); the sweeps are cleared. Returns whether there were any.
    pub fn cut_crossed(&mut self, from: &[Vec3], to: &[Vec3]) -> bool {
        let crossed = self.edges.cut_crossed(&self.sweeps, from, to);
        self.sweeps.clear();
        crossed
    }

    /// Splits tetrahedra along the cut edges. Returns the origins of nodes and elements; `None` where nothing has changed.
    pub fn split(&mut self, whole: &Level, skin: &SurfaceMesh) -> Option<Origins> {
        self.split_with_shares(whole, skin, None)
    }

    fn split_with_shares(
        &mut self,
        whole: &Level,
        skin: &SurfaceMesh,
        shares: Option<&[f64]>,
    ) -> Option<Origins> {
        let before = self.cut.as_ref().map(|cut| &cut.copies);
        let (mesh, geometry) = (&whole.mesh, &self.geometry);
        let mut copies = Copies::new(mesh, &geometry.neighbours, &self.edges, before)?;
        if let Some(shares) = shares
            && !copies.set_shares(shares)
        {
            return None;
        }
        let origins = Origins {
            nodes: match before {
                Some(before) => copies.sources(before).collect(),
                None => copies.originals(mesh).collect(),
            },
            elements: copies.origins(before),
        };
        let sides = Sides {
            mesh,
            geometry,
            edges: &self.edges,
            copies: &copies,
        };
        let whole_skin = skin.vertex_count();
        let (pieces, piece_count) = copies.pieces();
        let (embedding, skin) = draw(sides, skin, &pieces, whole.spacing);
        let level = cut_level(whole, &copies, embedding);
        let surface = ContactSurface::new(&skin, whole_skin, (&pieces, piece_count), whole.spacing);
        let mut sleep = PieceSleep::new(&pieces, piece_count, &level.held_flags());
        if let Some(before) = &self.cut {
            let origin = |n: u32| match (n as usize).checked_sub(mesh.nodes.len()) {
                Some(copy) => origins.nodes[copy],
                None => n,
            };
            sleep.inherit(&before.sleep, |n| before.pieces[origin(n) as usize]);
        }
        self.cut = Some(CutMesh {
            copies,
            level: Arc::new(level),
            skin,
            pieces,
            contact: PieceContact::new(surface),
            sleep,
        });
        self.surface_revision += 1;
        Some(origins)
    }

    /// Writes the cuts as numbers: which pieces sleep, edges with their shares (negative where a second cut was ignored), shares of copies, how many there are of both, sides that nodes keep, and when cracks may grow and begin. Shares of copies depend on the order of cuts.
    pub fn save(&self, values: &mut Vec<f64>) {
        match &self.cut {
            Some(cut) => cut.sleep.save(values),
            None => PieceSleep::save_none(values),
        }
        let (edges, before) = (self.edges.cut(), values.len());
        let count = edges.len();
        let signed = |(edge, share): (u32, f64)| match self.edges.ignores_cut(edge) {
            true => [f64::from(edge), -share],
            false => [f64::from(edge), share],
        };
        values.extend(edges.flat_map(signed));
        values.extend(self.cut.iter().flat_map(|cut| cut.copies.shares()));
        let shares = values.len() - before - 2 * count;
        values.extend([shares as f64, count as f64]);
        self.edges.sides.save(values);
        values.extend(self.fracture.iter().flat_map(|f| f.earliest_times()));
    }

    /// A body with the cuts at the end of these numbers, and the remaining numbers; `None` where they do not belong to this body.
    pub fn restored<'a>(
        &self,
        values: &'a [f64],
        whole: &Level,
        skin: &SurfaceMesh,
    ) -> Option<(Self, &'a [f64])> {
        let (times, values) = match &self.fracture {
            None => ([0.0; 2], values),
            Some(_) => {
                let [values @ .., grows, begins] = values else {
                    return None;
                };
                ([*grows, *begins], values)
            }
        };
        let (sides, values) = KeptSides::restored(values)?;
        let [rest @ .., shares, count] = values else {
            return None;
        };
        let at = rest.len().checked_sub(*shares as usize)?;
        let (rest, shares) = rest.split_at(at);
        let at = rest.len().checked_sub((*count as usize).checked_mul(2)?)?;
        let (rest, edges) = rest.split_at(at);
        let (rest, sleep) = PieceSleep::split(rest)?;
        let edges = edges.chunks_exact(2);
        let edges = edges.map(|cut| (cut[0] as u32, cut[1].abs(), cut[1] < 0.0));
        let edges: Vec<(u32, f64, bool)> = edges.collect();
        let mut restored = self.clone();
        restored.cut = None;
        restored.surface_revision += 1;
        restored.edges.sides = sides;
        if let Some(fracture) = &mut restored.fracture {
            fracture.restore_times(times);
        }
        if !restored.edges.set(&edges) {
            return None;
        }
        restored.split_with_shares(whole, skin, Some(shares));
        let made = restored
            .cut
            .as_ref()
            .map_or(0, |cut| cut.copies.shares().count());
        let sleeps = match &mut restored.cut {
            Some(cut) => cut.sleep.restore(&sleep, cut.skin.undeformed.inside.end),
            None => sleep.is_none(),
        };
        (sleeps && made == shares.len()).then_some((restored, rest))
    }

    /// Whether another body has the same cuts.
    pub fn has_cuts_of(&self, other: &Self) -> bool {
        let shares =
            |of: &Self| -> Vec<f64> { of.cut.iter().flat_map(|cut| cut.copies.shares()).collect() };
        self.edges.cut().eq(other.edges.cut()) && shares(self) == shares(other)
    }

    /// Removes all cuts. Returns whether there were any.
    pub fn remove_cuts(&mut self) -> bool {
        self.edges.set(&[]);
        self.edges.sides.clear();
        self.sweeps.clear();
        if let Some(fracture) = &mut self.fracture {
            fracture.clear();
        }
        let was_cut = self.cut.take().is_some();
        self.surface_revision += u64::from(was_cut);
        was_cut
    }
}
