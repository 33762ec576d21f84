//! Laws of contact and scenes that hold for all three methods alike, each on bodies as small as it allows.
//!
//! | law | file |
//! |---|---|
//! | the same tool on the same path touches the same vertices in each method | `same_candidates.rs` |
//! | reactions and wrenches cancel, also about another point | `wrenches.rs` |
//! | a held poke is in balance, with its weight | `held_poke.rs` |
//! | a body that is let go comes back, and nothing touches it | `released.rs` |
//! | the forces of a grab are those of the capacitance matrix | `capacitance_formula.rs` |
//! | a resting tool adds no energy in ten minutes | `rest_adds_no_energy.rs` |
//! | every bundled scene is replayed to the same bits | `replays.rs` |
//! | half the frame step, the same stiffness | `frame_step.rs` |
//! | a moved body answers with moved forces | `moved_body.rs` |
//! | a skin twice as fine, the same force | `skin_resolution.rs` |
//! | a tool feels the faces that a blade has laid open | `laid_open.rs` |
//! | a body that falls on another one is carried and gains no energy | `dropped_on_cushion.rs` |
//! | a tool to which the body sticks leads it along, and lets go at its limit | `sticky.rs` |
//!
//! That contact never pulls, and that a report owns up to the deepest violation, are laws of `conformance!`. Checks of scenes are judged by the program: `cli/tests/bundled_checks.rs`.

mod capacitance_formula;
mod dropped_on_cushion;
mod frame_step;
mod held_poke;
mod laid_open;
mod moved_body;
mod pad;
mod released;
mod replays;
mod rest_adds_no_energy;
mod same_candidates;
mod skin_resolution;
mod sticky;
mod wrenches;
