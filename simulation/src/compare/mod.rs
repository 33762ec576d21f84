//! Several methods on one scene, frame by frame, without a window.
//!
//! Nothing here depends on wall time but the cost figures, which are kept apart.

pub mod advice;
mod alone;
mod comparison;
mod method_run;
mod moments;
mod observer;
mod oscillation;
mod press;
mod recorder;
pub mod recording;
mod run;

pub use comparison::{Comparison, MethodResult, PairResult};
pub use method_run::{CarrierWrench, FIGURES, Figure, MethodRun, PointCurve};
pub use moments::{Moment, MomentKind};
pub use oscillation::Oscillation;
pub use press::Press;
pub use run::{CompareOptions, compare};
