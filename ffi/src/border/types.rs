//! Numbers, structures and the callback of C.

use std::ffi::{c_char, c_void};

use pliant::Method;

use super::memory::Choice;
use crate::failure::{Failure, Outcome};

/// Version of this interface. A program that was compiled with another one may not work: compare it with pliant_abi_version.
pub const PLIANT_ABI_VERSION: u32 = 1;

/// A method.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PliantMethod {
    /// Explicit tetrahedral finite elements over levels of detail: large deformation, swinging.
    Adaptive = 0,
    /// Precomputed Green's functions: forces of a held body that does not swing.
    Quasistatic = 1,
    /// Shape matching of a voxel lattice: any mesh, many bodies, fracture.
    Lattice = 2,
}

/// Whose names pliant_world_name gives.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PliantName {
    /// Tools.
    Tool = 0,
    /// Supports.
    Support = 1,
    /// Probes.
    Probe = 2,
    /// Parameters of the model.
    Parameter = 3,
    /// Quantities of the model.
    Quantity = 4,
    /// What was repaired or assumed while the world was built: sentences, not names.
    Note = 5,
}

/// Energies of a world after a frame, J.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PliantEnergy {
    /// Kinetic energy.
    pub kinetic: f64,
    /// Strain energy, zero at rest.
    pub elastic: f64,
    /// Potential energy of gravity, zero at rest.
    pub potential: f64,
    /// Lost to damping and contact so far.
    pub dissipated: f64,
    /// Put in by tools, grabs and loads so far.
    pub work: f64,
    /// kinetic + elastic + potential + dissipated - work: zero where nothing is lost or made.
    pub balance: f64,
}

/// What a frame did.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PliantFrameReport {
    /// Work units spent.
    pub work_units: u64,
    /// Deepest penetration or largest distance from a held target at the end of the frame, m.
    pub max_violation: f64,
    /// Wall time of the model and its contact, ms.
    pub cost_ms: f64,
    /// Steps taken inside the frame.
    pub substeps: u32,
    /// 1 where quality was given up to stay in the budget, 0 else.
    pub is_degraded: i32,
}

/// Is told about long work, on the thread that called: what is done now and the finished share of that, 0 to 1; at first "begin" and 0, at last "done" and 1. Gives 0 to go on, anything else to cancel. The
/// text is valid during the call. It must not throw; it may call functions of this interface.
pub type PliantProgress = Option<
    extern "C-unwind" fn(user_data: *mut c_void, stage: *const c_char, fraction: f64) -> i32,
>;

impl From<PliantMethod> for Choice<PliantMethod> {
    fn from(method: PliantMethod) -> Self {
        Self::new(method as i32)
    }
}

impl From<PliantName> for Choice<PliantName> {
    fn from(name: PliantName) -> Self {
        Self::new(name as i32)
    }
}

/// The method that a number stands for.
pub(super) fn method(choice: Choice<PliantMethod>) -> Outcome<Method> {
    match choice.number() {
        0 => Ok(Method::Adaptive),
        1 => Ok(Method::Quasistatic),
        2 => Ok(Method::Lattice),
        other => Err(Failure::argument(format!(
            "`method` is {other}\n  remedy: use 0 (adaptive), 1 (quasistatic) or 2 (lattice)"
        ))),
    }
}

/// The kind of names that a number stands for.
pub(super) fn name_kind(choice: Choice<PliantName>) -> Outcome<PliantName> {
    use PliantName::{Note, Parameter, Probe, Quantity, Support, Tool};
    let number = choice.number();
    let mut kinds = [Tool, Support, Probe, Parameter, Quantity, Note].into_iter();
    kinds.find(|kind| *kind as i32 == number).ok_or_else(|| {
        Failure::argument(format!(
            "`kind` is {number}\n  remedy: use a PLIANT_NAME_... value"
        ))
    })
}
