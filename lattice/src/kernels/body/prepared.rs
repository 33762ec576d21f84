//! Data for kernels that is prepared once for all bodies of a lattice.

use std::sync::{Arc, OnceLock};

use crate::kernels::body::stiffness_weights::StiffnessWeights;
use crate::kernels::compact::program::Compact;
use crate::kernels::memory::layout::Layout;
use crate::kernels::vector::pack::Numbers;
use crate::skin::kernel::SkinKernel;

/// Constants of a lattice in its layout and the program of a small body, for the vectors of this process, and the kernel of its
/// skin. A copy of a lattice prepares them again.
#[derive(Debug, Default)]
pub(crate) struct Prepared {
    pub(crate) data: OnceLock<SharedData>,
    pub(crate) skin: OnceLock<Option<Arc<SkinKernel>>>,
}

/// Data that depend on the layout.
#[derive(Debug, Clone)]
pub(crate) struct SharedData {
    pub layout: Layout,
    pub constants: Arc<Numbers>,
    /// sums of a small body
    pub compact: Option<Arc<Compact>>,
    /// none for a body of uniform stiffness
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
