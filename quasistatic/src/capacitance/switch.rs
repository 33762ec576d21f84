//! Any change of a reference boundary value problem, component by component: free places are held, supports are released.
//!
//! At each scalar degree of freedom (slot) of the boundary either displacement or force is prescribed, and the other follows: `v = Ξ v̄ + B β`. Where the
//! prescribed kind is flipped at the slots `S`, with `C = −EᵀΞE` (James and Pai 1999, 2003):
//!
//! ```text
//! r = Σ_{j∉S} Ξ_Sj v̄_j + (Bβ)_S − v̄_S     y = C⁻¹ r     v_i = Σ_{j∉S} Ξ_ij v̄_j + Σ_{k∈S} Ξ_ik y_k + (Bβ)_i
//! ```
//!
//! `y` is what follows at the switched slots. The running model keeps its supports and needs the columns of free nodes only; this is the general
//! form, for moved supports and as the reference in tests.

use crate::capacitance::dense_lu::DenseLu;

/// What changes against the reference problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SwitchedProblem<'a> {
    /// Slots whose prescribed kind is flipped, in any order.
    pub switched: &'a [u32],
    /// What is prescribed at each slot, of the new kind: m or N.
    pub prescribed: &'a [f64],
    /// What gravity does to the reference problem, `Bβ`, at each slot: m or N.
    pub body: &'a [f64],
}

/// Why switches cannot be solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SwitchError {
    /// A slot appears twice.
    #[error("slot {slot} is switched twice\n  remedy: name each slot once")]
    SwitchedTwice {
        /// The slot.
        slot: u32,
    },
    /// A slot, or a list of values, does not fit the reference problem.
    #[error("slot {slot} is beyond the {slots} slots of the reference problem")]
    OutOfRange {
        /// The slot, or the length of the list.
        slot: u32,
        /// Slots of the problem.
        slots: usize,
    },
    /// The changed problem has no unique answer: what is left holds nothing, or a condition repeats others.
    #[error(
        "the capacitance matrix is singular at slot {slot}: nothing is left that holds the body there, or it is held twice\n  remedy: release fewer supports, or drop the repeated condition"
    )]
    Singular {
        /// The slot whose equation failed.
        slot: u32,
    },
}

/// What follows at each of `slots` slots: a displacement (m) where a force is prescribed, a force (N) where a displacement is.
///
/// `response(i, j)` is `Ξ_ij`. Rows and columns of `C` are scaled, because switches of both directions mix m/N with N/m. Cost `s³` and
/// `slots²` entries.
///
/// # Errors
/// [`SwitchError`].
pub fn solve_switched(
    slots: usize,
    response: impl Fn(usize, usize) -> f64,
    problem: &SwitchedProblem<'_>,
) -> Result<Vec<f64>, SwitchError> {
    let SwitchedProblem {
        switched,
        prescribed,
        body,
    } = *problem;
    for length in [prescribed.len(), body.len()] {
        if length != slots {
            let slot = length as u32;
            return Err(SwitchError::OutOfRange { slot, slots });
        }
    }
    let mut is_switched = vec![false; slots];
    for &slot in switched {
        match is_switched.get_mut(slot as usize) {
            None => return Err(SwitchError::OutOfRange { slot, slots }),
            Some(true) => return Err(SwitchError::SwitchedTwice { slot }),
            Some(mark) => *mark = true,
        }
    }
    let kept: Vec<usize> = (0..slots)
        .filter(|&j| !is_switched[j] && prescribed[j] != 0.0)
        .collect();
    // what the slots that keep their kind do at slot i
    let known = |i: usize| {
        let sum: f64 = kept.iter().map(|&j| response(i, j) * prescribed[j]).sum();
        sum + body[i]
    };
    let at = |k: usize| switched[k] as usize;
    let scales: Vec<f64> = (0..switched.len())
        .map(|k| {
            let own = response(at(k), at(k)).abs();
            if own > 0.0 { own.sqrt().recip() } else { 1.0 }
        })
        .collect();
    let mut values: Vec<f64> = (0..switched.len())
        .map(|k| (known(at(k)) - prescribed[at(k)]) * scales[k])
        .collect();
    let mut lu = DenseLu::default();
    lu.factor(switched.len(), |r, c| {
        -response(at(r), at(c)) * scales[r] * scales[c]
    })
    .map_err(|pivot| SwitchError::Singular {
        slot: switched[pivot.row],
    })?;
    lu.solve(&mut values);
    values.iter_mut().zip(&scales).for_each(|(y, s)| *y *= s);
    let mut unknown: Vec<f64> = (0..slots)
        .map(|i| {
            let pushed = (0..values.len()).map(|k| response(i, at(k)) * values[k]);
            known(i) + pushed.sum::<f64>()
        })
        .collect();
    for (&slot, &y) in switched.iter().zip(&values) {
        unknown[slot as usize] = y;
    }
    Ok(unknown)
}

/// The response matrix, column by column, of the problem in which `switched` slots have changed their kind for good: a moved support.
///
/// # Errors
/// [`SwitchError`].
pub fn rebased(
    slots: usize,
    response: impl Fn(usize, usize) -> f64,
    switched: &[u32],
) -> Result<Vec<f64>, SwitchError> {
    let body = vec![0.0; slots];
    let mut all = Vec::with_capacity(slots * slots);
    let mut prescribed = vec![0.0; slots];
    for column in 0..slots {
        prescribed[column] = 1.0;
        let problem = SwitchedProblem {
            switched,
            prescribed: &prescribed,
            body: &body,
        };
        all.extend(solve_switched(slots, &response, &problem)?);
        prescribed[column] = 0.0;
    }
    Ok(all)
}
