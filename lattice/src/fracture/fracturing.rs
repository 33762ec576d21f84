//! What a body that can break has in addition.

use std::sync::Arc;

use pliant_core::boundary::DisplacementConstraint;
use pliant_core::mesh::SkinEmbedding;

use crate::asset::LatticeAsset;
use crate::fracture::blades::Blades;
use crate::fracture::limits::Fracture;
use crate::fracture::piece_contact::PieceContact;
use crate::fracture::pieces::Pieces;
use crate::fracture::skin::CutSkin;
use crate::fracture::sleep::sleepers::Sleepers;
use crate::fracture::strain::{Links, Strained};
use crate::fracture::topology::{Topology, with_own_regions};

/// The constraints of a frame, with targets for the particles that they hold.
#[derive(Debug, Clone, Default)]
pub(crate) struct Touch {
    /// each on the vertex of its own number
    pub constraints: Vec<DisplacementConstraint>,
    /// particles and weights of these vertices
    pub rows: SkinEmbedding,
}

/// What a body that can break has in addition.
#[derive(Debug, Clone)]
pub(crate) struct Fracturing {
    pub limits: Fracture,
    /// the lattice before anything broke, each particle with a region of its own
    pub whole: Arc<LatticeAsset>,
    pub topology: Topology,
    pub links: Links,
    pub pieces: Pieces,
    pub piece_contact: PieceContact,
    /// which pieces sleep
    pub sleepers: Sleepers,
    /// absent for a body without a skin
    pub skin: Option<CutSkin>,
    /// what cuts links in this frame
    pub blades: Blades,
    pub touch: Touch,
    /// links that were strained too much after the last step but one
    pub noted: Vec<Strained>,
    /// ends of the links that have broken, in order
    pub broken: Vec<[u32; 2]>,
    /// the share of each at which a blade cut it, if one did
    pub shares: Vec<Option<f64>>,
    /// times that links broke, or that the body became whole again
    pub partings: u64,
}

impl Fracturing {
    pub fn new(asset: &LatticeAsset, limits: Fracture) -> Self {
        let whole = Arc::new(with_own_regions(asset));
        let topology = Topology::new(&whole);
        Self {
            limits,
            links: Links::new(&whole, topology.sites()),
            pieces: Pieces::default(),
            piece_contact: PieceContact::default(),
            sleepers: Sleepers::default(),
            skin: CutSkin::new(&whole, topology.sites()),
            blades: Blades::default(),
            touch: Touch::default(),
            noted: Vec::new(),
            broken: Vec::new(),
            shares: Vec::new(),
            partings: 0,
            topology,
            whole,
        }
    }

    /// A lattice of its own to break.
    pub fn lattice(&self) -> Arc<LatticeAsset> {
        Arc::new((*self.whole).clone())
    }
}
