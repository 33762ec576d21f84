//! Parameters of the explicit tetrahedral method.

mod adaptive_params;
mod element_model;
mod force_kernel;
mod levels;
mod time_integration;
mod work_units;

pub use adaptive_params::AdaptiveParams;
pub use element_model::ElementModel;
pub use force_kernel::{ForceKernel, Precision};
pub use levels::{Calibration, Interface, LevelChoice, Resolution};
pub use time_integration::{DampingRule, FilterRule, Scheme, StepRule};
pub use work_units::{NANOSECONDS_PER_TET, units_for, units_in, units_of_milliseconds};
pub(crate) use work_units::{milliseconds_of_unit, units_of_level};
