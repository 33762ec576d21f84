//! Force feedback at 1 kHz (James and Pai, *Real time simulation of multizone elastokinematic models* and the haptics chapter of their
//! Green's function work, 2001 to 2003): a point contact is spread over a pressure mask, so that its stiffness does not vanish with the
//! mesh, and everything a servo tick needs is algebra with 3×3 matrices.
//!
//! ```text
//! GreensAsset + radius of the masks → HapticSurface (K at each vertex, constant)
//!                              │
//! QuasistaticModel, a frame → LocalModel (nodes under a tool, C⁻¹ n)
//!                              │
//! HapticDevice → tool → ToolLoop::tick: forces of all nodes → safety → force on the device
//!
//! HapticDevice → tip → ServoLoop::tick: proxy (stick, slip) → K(x) (tip − anchor) → tilt by detail → safety → force on the device
//! ```
//!
//! Nothing here knows threads, clocks or files: the caller gives the time. The example `haptics` of the crate `pliant` is a whole loop; `pliant-simulation` has one on a thread (`servo`).

mod contact_force;
pub mod detail;
pub mod device;
mod error;
pub mod geodesic_step;
pub mod local;
mod mask;
mod proxy;
pub mod response;
pub mod servo;
pub mod stiffness;
pub mod surface;

pub use contact_force::{ContactForce, ContactMode};
pub use detail::DetailReport;
pub use device::{DeviceSample, HapticDevice};
pub use error::HapticError;
pub use local::{LocalContact, LocalModel};
pub use mask::PressureMasks;
pub use proxy::{PointContact, PointFriction};
pub use servo::{
    ForceLoop, LocalModels, ServoLoop, ServoOutput, ServoParams, ServoState, ToolLoop, meter,
    safety,
};
pub use surface::{HapticParams, HapticSurface, StiffnessMode};
