//! The servo thread: force feedback once a millisecond, beside a slower thread that computes the body.
//!
//! The servo thread allocates nothing and never waits for the other: what crosses over is swapped under a lock that is only tried.

mod body_frames;
mod pace;
mod pointer;
mod report;
mod run;
mod script;
mod thread;
mod tick;
mod tool_body;
mod udp;

pub use pace::Pace;
pub use pointer::ForceFeedback;
pub(crate) use pointer::{PointerPlace, PointerServo};
pub use report::{ServoRecord, ServoReport, ServoRun};
pub use run::{run_servo, run_tool};
pub use script::{PathDevice, scripted_slide};
pub use tool_body::ToolBody;
pub use udp::UdpDevice;

#[cfg(test)]
mod tests;
