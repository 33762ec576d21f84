//! Nine laws that every deformable model has to satisfy. Each law is a function that returns what is wrong.
//!
//! [`conformance!`](crate::conformance!) makes one test of each law for a model:
//!
//! ```
//! # use pliant_core::{asset::BodyGeometry, model::DeformableModel};
//! # fn my_model(_: &BodyGeometry) -> Box<dyn DeformableModel> { unimplemented!() }
//! pliant_tests::conformance!(my_method, my_model);
//! # fn main() {}
//! ```
//!
//! The suite depends on `pliant-core` alone, as solvers do. `my_model` gets the geometry of a small body with everything that any of the methods bakes from, and returns a model at
//! rest. A model states its abilities in its [`Capabilities`](pliant_core::inspect::Capabilities), and further properties in [`Promises`]. Laws depend on these flags, never on
//! the name of a method, and tolerances are the same for all.
//!
//! | law | says | asked of |
//! |---|---|---|
//! | [`non_penetration`] | a plate stays outside, remaining penetration is reported, contact never pulls | all |
//! | [`action_is_reaction`] | tool, support and weight are in balance; a free body takes exactly the momentum it is given | all; bodies that may be free |
//! | [`energy`] | a closed path gains no work; the energy balances; a body without loads only loses energy | all; models with inertia |
//! | [`reciprocity`] | the force at B for a displacement at A is that at A for the same displacement at B (Maxwell and Betti) | all |
//! | [`friction_cone`] | tangential forces stay in Coulomb's cone and reach it when a plate slides | all |
//! | [`adhesion`] | skin that sticks to a tool follows it; a tool that pulls too hard lets go and does not stick again | all |
//! | [`rigid_invariance`] | a moved body has the same response, and a rotation needs no energy | all; models of large rotations |
//! | [`snapshots`] | a restored state continues to the same bits, also in another model | all |
//! | [`same_bits`] | the same requests give the same bits, for any number of threads | all |

mod adhesion;
mod bits;
mod contact;
mod energy;
mod forces;
mod motion;
mod trial;

use pliant_core::asset::BodyGeometry;
use pliant_core::model::DeformableModel;

pub use adhesion::adhesion;
pub use bits::{same_bits, snapshots};
pub use contact::{friction_cone, non_penetration};
pub use energy::energy;
pub use forces::{action_is_reaction, reciprocity};
pub use motion::{poses, rigid_invariance};
pub use trial::{Trial, block};

/// Makes a model at rest.
pub type ModelFactory<'a> = dyn Fn(&BodyGeometry) -> Box<dyn DeformableModel> + Sync + 'a;

/// What is wrong, in a sentence with numbers.
pub type Verdict = Result<(), String>;

/// A law of the table of this module.
pub type Law = fn(&ModelFactory<'_>, &Promises) -> Verdict;

/// What a model promises beside its [`Capabilities`](pliant_core::inspect::Capabilities).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Promises {
    /// The response does not depend on the orientation of the body. Otherwise only rotations by 90 degrees are tested: voxels lie along the axes.
    pub any_orientation: bool,
    /// A body at another pose bakes to the same asset up to round-off. Otherwise round-off decides something in the bake of a regular mesh, and moved bodies are not compared.
    pub bakes_alike: bool,
}

impl Default for Promises {
    /// Everything.
    fn default() -> Self {
        Self {
            any_orientation: true,
            bakes_alike: true,
        }
    }
}

/// The laws by name.
pub const LAWS: [(&str, Law); 9] = [
    ("non_penetration", non_penetration),
    ("action_is_reaction", action_is_reaction),
    ("energy", energy),
    ("reciprocity", reciprocity),
    ("friction_cone", friction_cone),
    ("adhesion", adhesion),
    ("rigid_invariance", rigid_invariance),
    ("snapshots", snapshots),
    ("same_bits", same_bits),
];

/// One test of each law for a model: `conformance!(name, make_model)`, or `conformance!(name, make_model, promises)`.
///
/// `make_model` is a function or closure from [`BodyGeometry`](pliant_core::asset::BodyGeometry) to a boxed model; see [`conformance`](mod@crate::conformance).
#[macro_export]
macro_rules! conformance {
    ($name:ident, $make:expr) => {
        $crate::conformance!($name, $make, $crate::conformance::Promises::default());
    };
    ($name:ident, $make:expr, $promises:expr) => {
        // a function and a module may have the same name; outside of the module `$make` is resolved where the caller wrote it
        #[cfg(test)]
        fn $name(law: $crate::conformance::Law) {
            if let Err(wrong) = law(&$make, &$promises) {
                panic!("{wrong}");
            }
        }

        mod $name {
            $crate::conformance!(@law $name, non_penetration);
            $crate::conformance!(@law $name, action_is_reaction);
            $crate::conformance!(@law $name, energy);
            $crate::conformance!(@law $name, reciprocity);
            $crate::conformance!(@law $name, friction_cone);
            $crate::conformance!(@law $name, adhesion);
            $crate::conformance!(@law $name, rigid_invariance);
            $crate::conformance!(@law $name, snapshots);
            $crate::conformance!(@law $name, same_bits);
        }
    };
    (@law $name:ident, $law:ident) => {
        #[test]
        fn $law() {
            super::$name($crate::conformance::$law);
        }
    };
}
