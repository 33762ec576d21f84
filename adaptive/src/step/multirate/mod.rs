//! Each element has its own step, the frame over a power of two. Elements kick their nodes by impulses, and nodes drift in between.
//!
//! The scheme is the synchronised form of asynchronous variational integrators (Lew, Marsden, Ortiz, West 2003): each element kicks its nodes at its own
//! rate, and all nodes drift between kicks. Momentum is kept to round-off whatever the rates; energy stays within a per cent with half the stable step
//! and rates that do not change from frame to frame. The literal loop of Debunne et al. 2001 (section 3.3), in which nodes jump by their own step,
//! diverges.
//!
//! Kicks at several rates leave a saw-tooth in the velocities of a loaded body, even at rest: rare kicks of slow elements against many kicks of fast ones. If damping
//! acted on the saw-tooth, it would take energy for ever and shift the balance of forces. So viscous forces use the mean velocity over an element's own step, less the
//! ripple of slower elements. They vanish at rest. Elements around a node that a tool holds have the same rate, since the tool undoes each kick at
//! once and leaves no ripple.
//!
//! Kicks are halved where frames meet, so that between frames positions, velocities and all rates belong to one time.
//!
//! | module | is for |
//! |---|---|
//! | `rates` | how often each element fires ([`ElementSteps`]), and what that costs |
//! | `groups` | elements of one rate with all that they need ([`Group`]) |
//! | `events` | what happens in a frame, tick by tick |
//! | `nodes` | what changes at nodes between frames |
//!
//! [`CutDynamics`] is the state that all of them work on.

mod cut_dynamics;
mod energies;
mod events;
mod frame_start;
mod groups;
mod nodes;
mod prepared_cut;
mod rates;

pub use cut_dynamics::CutDynamics;
pub use events::frame_constraints::FrameConstraints;
pub use events::frame_totals::FrameTotals;
pub(crate) use events::substep_schedule::SubstepSchedule;
pub use groups::group::Group;
pub(crate) use groups::group_state::GroupState;
pub(crate) use prepared_cut::PreparedCut;
pub use rates::element_steps::ElementSteps;
pub(crate) use rates::energy_monitor::EnergyMonitor;
pub(crate) use rates::forecast::Forecast;
pub(crate) use rates::prices::FRAME_UNITS;
pub use rates::step_level::DEEPEST;
