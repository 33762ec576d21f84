//! Inspection of models by viewers and reports: parameters and quantities by name, points inside, probes on the skin, and picking.

mod element;
mod model;
mod parameter;
mod pick;
mod point;
mod probe;
mod quantity;

pub use element::ElementShapes;
pub use model::{Capabilities, Inspect, ModelStats};
pub use parameter::{ParameterEffect, ParameterError, ParameterInfo, ParameterValue};
pub use pick::pick;
pub use point::{PointReading, PointState};
pub use probe::{Probe, ProbeQuantity};
pub use quantity::{QuantityBuffer, QuantityInfo, QuantityShape, UnknownQuantity};
