//! Laws of contact and scenes that hold for all three methods alike, each on bodies as small as it allows.
//!
//! | law | file |
//! |---|---|
//! | the same tool on the same path touches the same vertices in each method | `same_candidates.rs` |
//! | reactions and wrenches cancel, also about another point | `wrenches.rs` |
//! | a held poke is in balance, with its weight | `held_poke.rs` |
//! | a released body returns to rest without contact | `released.rs` |
//! | the forces of a grab are those of the capacitance matrix | `capacitance_formula.rs` |
//! | a resting tool adds no energy in ten minutes | `rest_adds_no_energy.rs` |
//! | every bundled scene is replayed to the same bits | `replays.rs` |
//! | half the frame step, the same stiffness | `frame_step.rs` |
//! | a moved body has the same forces, moved with it | `moved_body.rs` |
//! | a skin twice as fine, the same force | `skin_resolution.rs` |
//! | a tool touches the faces of a cut | `cut_faces.rs` |
//! | no body sleeps that moves, and what moves wakes what it touches | `bodies_at_rest.rs` |
//! | a body that falls on another one is carried and gains no energy | `dropped_on_cushion.rs` |
//! | a free body that is crushed keeps its budget | `dropped_within_budget.rs` |
//! | a stiff lattice is as stiff as its modulus | `stiff_lattice.rs` |
//! | a body that sticks to a tool follows it up to the limit of the pull, of all vertices or of each | `sticky.rs` |
//! | carried tools have the forces of tools that move by themselves, and close as a hand | `carried_tools.rs` |
//! | a block on a slope sticks up to the angle of friction and slides beyond it | `tilted_floor.rs` |
//! | a grip with friction keeps its force while nothing moves | `grip.rs` |
//!
//! `conformance!` tests that contact never pulls, and that a report contains the deepest violation. `cli/tests/bundled_checks.rs` tests the checks of scenes.

mod bodies_at_rest;
mod capacitance_formula;
mod carried_tools;
mod cut_faces;
mod dropped_on_cushion;
mod dropped_within_budget;
mod frame_step;
mod grip;
mod held_poke;
mod moved_body;
mod pad;
mod released;
mod replays;
mod rest_adds_no_energy;
mod same_candidates;
mod skin_resolution;
mod sticky;
mod stiff_lattice;
mod tilted_floor;
mod wrenches;
