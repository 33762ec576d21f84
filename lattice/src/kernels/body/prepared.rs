//! What kernels find out about a lattice once for all bodies made of it.

use std::sync::{Arc, OnceLock};

use crate::kernels::body::stiffness_weights::StiffnessWeights;
use crate::kernels::compact::program::Compact;
use crate::kernels::memory::layout::Layout;
use crate::kernels::vector::pack::{LINE, Numbers};
use crate::skin::kernel::SkinKernel;

/// Constants of a lattice in its layout, and how a small body is summed, for each length of vectors; how its skin is
/// written. A copy of a lattice finds them anew.
#[derive(Debug, Default)]
pub(crate) struct Prepared {
    pub(crate) lengths: [OnceLock<Shared>; LENGTHS],
    pub(crate) skin: OnceLock<Option<Arc<SkinKernel>>>,
}

/// Lengths of vectors: 1, 2, 4, 8 and 16 numbers.
pub(crate) const LENGTHS: usize = LINE.ilog2() as usize + 1;

/// What is shared.
#[derive(Debug, Clone)]
pub(crate) struct Shared {
    pub layout: Layout,
    pub constants: Arc<Numbers>,
    /// sums of a small body
    pub compact: Option<Arc<Compact>>,
    /// stiffness weights; none for a body of one stiffness
    pub stiffness_weights: Option<Arc<StiffnessWeights>>,
}

impl Clone for Prepared {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for Prepared {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
