//! Shares of a step's time, which table 1 of Rivers and James prints beside its times, for the solid block with damping.
//!
//! The readable code sums, matches and damps one after the other: what its sums take alone is what they take in it. The fast step does all of it in one pass over memory. There a
//! share is that of the same work alone, or the difference that damping makes.

use std::fmt::Write as _;

use pliant_core::bench::BenchCase;
use pliant_lattice::benchmark::cases::KERNELS;

use crate::cost;

/// Particles of the block.
const PARTICLES: usize = 57_760;

/// The paper's solid buddha: part of the step, ms, and percent as printed; the rest is overhead.
const PAPER: [(&str, f64, u32); 4] = [
    ("fast sums", 31.62, 18),
    ("shape matching", 29.36, 17),
    ("polar decomposition", 31.66, 18),
    (DAMPING, 51.29, 30),
];
const DAMPING: &str = "damping";
/// All of it, and the paper's particles.
const PAPER_STEP: (f64, f64) = (167.83, 57_626.0);

/// The case of a kernel of the crate.
pub fn case(name: &str, size: usize) -> Result<BenchCase, String> {
    let kernel = KERNELS.iter().find(|k| k.name == name);
    let kernel = kernel.ok_or_else(|| format!("there is no kernel {name}"))?;
    (kernel.prepare)(size)
}

/// Nanoseconds a particle of the fast step.
fn step(name: &str) -> Result<f64, String> {
    let case = case(name, PARTICLES)?;
    Ok(cost(case.items, case.run))
}

/// The table as CSV: percent of a damped step, in the paper and of the fast one, and of a step without damping, in the paper and of the readable one. A part that cannot be told
/// from others is empty.
pub fn table() -> Result<String, String> {
    let plain = step("lattice-step")?;
    let damped = step("lattice-step-damped")?;
    // the readable step has no damping
    let (items, readable) = case("lattice-step", PARTICLES)?
        .reference
        .ok_or("a step without a readable one")?;
    let readable = cost(items, readable);
    let sums = case("region-sum", 1)?;
    // moments of particles over regions, and motions of regions over particles
    let sums = 2.0 * cost(sums.items, sums.run);
    let rotations = case("polar", 4096)?;
    // each particle has a region
    let rotations = cost(rotations.items, rotations.run);
    let percent = |share: f64| format!("{:.0}", 100.0 * share);
    let mut out = String::from(
        "part,percent_paper,percent_fast_step,percent_paper_without_damping,percent_readable_step_without_damping\n",
    );
    let without = PAPER_STEP.0 - PAPER[3].1;
    for (part, ms, printed) in PAPER {
        let fast = match part {
            "polar decomposition" => percent(rotations / damped),
            DAMPING => percent(1.0 - plain / damped),
            _ => String::new(),
        };
        let plainly = match part {
            "fast sums" => percent(sums / readable),
            _ => String::new(),
        };
        let paper = match part {
            DAMPING => String::new(),
            _ => percent(ms / without),
        };
        // writing to a string cannot fail
        let _ = writeln!(out, "{part},{printed},{fast},{paper},{plainly}");
    }
    let ns = |ms: f64| 1e6 * ms / PAPER_STEP.1;
    let _ = writeln!(
        out,
        "ns a particle,{:.0},{damped:.1},{:.0},{readable:.1}",
        ns(PAPER_STEP.0),
        ns(without)
    );
    Ok(out)
}
