//! The additional state of a body that can break.

use std::sync::Arc;

use pliant_core::boundary::DisplacementConstraint;
use pliant_core::mesh::SkinEmbedding;

use crate::asset::LatticeAsset;
use crate::fracture::blades::Blades;
use crate::fracture::limits::Fracture;
use crate::fracture::piece_contact::PieceContact;
use crate::fracture::pieces::Pieces;
use crate::fracture::skin::CutSkin;
use crate::fracture::sleep::sleep_state::SleepState;
use crate::fracture::strain::{Links, StrainedLink};
use crate::fracture::topology::{Topology, with_own_regions};

/// The constraints of a frame, with targets for the particles that they move.
#[derive(Debug, Clone, Default)]
pub(crate) struct MappedConstraints {
    /// constraint `k` acts on vertex `k`
    pub constraints: Vec<DisplacementConstraint>,
    /// particles and weights of these vertices
    pub rows: SkinEmbedding,
}

/// The additional state of a body that can break.
#[derive(Debug, Clone)]
pub(crate) struct FractureState {
    pub limits: Fracture,
    /// the lattice before anything broke, each particle with a region of its own
    pub whole: Arc<LatticeAsset>,
    pub topology: Topology,
    pub links: Links,
    pub pieces: Pieces,
    pub piece_contact: PieceContact,
    /// which pieces sleep
    pub sleep: SleepState,
    /// absent for a body without a skin
    pub skin: Option<CutSkin>,
    pub blades: Blades,
    pub mapped_constraints: MappedConstraints,
    /// links that were overstrained after the last step but one
    pub overstrained: Vec<StrainedLink>,
    /// ends of the links that have broken, in order
    pub broken: Vec<[u32; 2]>,
    /// the fraction of its length at which a blade cut each of them, if one did
    pub cut_fractions: Vec<Option<f64>>,
    /// changes whenever links break or the body is made whole again
    pub surface_revision: u64,
}

impl FractureState {
    pub fn new(asset: &LatticeAsset, limits: Fracture) -> Self {
        let whole = Arc::new(with_own_regions(asset));
        let topology = Topology::new(&whole);
        Self {
            limits,
            links: Links::new(&whole, topology.sites()),
            pieces: Pieces::default(),
            piece_contact: PieceContact::default(),
            sleep: SleepState::default(),
            skin: CutSkin::new(&whole, topology.sites()),
            blades: Blades::default(),
            mapped_constraints: MappedConstraints::default(),
            overstrained: Vec::new(),
            broken: Vec::new(),
            cut_fractions: Vec::new(),
            surface_revision: 0,
            topology,
            whole,
        }
    }

    /// A copy of the whole lattice, to be broken.
    pub fn clone_whole(&self) -> Arc<LatticeAsset> {
        Arc::new((*self.whole).clone())
    }
}
