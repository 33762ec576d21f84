//! The same bits: twice, for any number of threads, and from a restored state.

use pliant_core::boundary::Friction;
use pliant_core::math::Vec3;

use super::trial::SIDES;
use super::{Make, Promises, Trial, Verdict};
use crate::on_threads;

/// The skin's and the reactions' bits of each frame.
type Seen = Vec<(Vec<[u32; 3]>, Vec<[u64; 3]>)>;

/// Frames of the plate from `from` to `to`.
fn pressed(trial: &mut Trial, from: u32, to: u32) -> Result<Seen, String> {
    let friction = Friction::Coulomb {
        static_coefficient: 0.3,
        kinetic_coefficient: 0.2,
    };
    let mut seen = Vec::new();
    for k in from..to {
        let height = 0.5 * SIDES[1] - 3e-4 * f64::from(k);
        let boundary = trial.plate(height, Vec3::new(0.02, -0.018, 0.0), friction);
        trial.advance(&boundary)?;
        let forces = trial.model.reactions().iter();
        let bits = forces.map(|f| [f.x.to_bits(), f.y.to_bits(), f.z.to_bits()]);
        seen.push((trial.bits(), bits.collect()));
    }
    Ok(seen)
}

/// A state that is taken, left and restored continues to the same bits, in the same model and in another; one that does not fit is refused.
///
/// # Errors
/// Where the bits part.
pub fn snapshots(make: &Make<'_>, _: &Promises) -> Verdict {
    let mut trial = Trial::new(make, true);
    pressed(&mut trial, 0, 12)?;
    let (kept, skin) = (trial.model.snapshot(), trial.bits());
    let once = pressed(&mut trial, 12, 20)?;
    let mut other = Trial::new(make, true);
    for (who, trial) in [("the same", &mut trial), ("another", &mut other)] {
        let restored = trial.model.restore(&kept);
        restored.map_err(|e| format!("{who} model refuses its own snapshot: {e}"))?;
        let mut frame = pliant_core::mesh::SurfaceFrame::default();
        trial.model.write_surface(&mut frame);
        if crate::bits(&frame) != skin {
            return Err(format!(
                "{who} model shows another skin when it is restored"
            ));
        }
        trial.see();
        if let Some(k) = first_difference(&once, &pressed(trial, 12, 20)?) {
            return Err(format!(
                "{who} model goes on to other bits {k} frames after the snapshot"
            ));
        }
    }
    let mut foreign = kept.clone();
    foreign.values.pop();
    let mut renamed = kept;
    renamed.kind = "nothing";
    match other.model.restore(&foreign).is_err() && other.model.restore(&renamed).is_err() {
        true => Ok(()),
        false => Err("a snapshot of another model is taken".into()),
    }
}

/// Models that are made anew give the same bits for the same requests, with one, two, eight and sixteen threads.
///
/// # Errors
/// Where the bits part.
pub fn same_bits(make: &Make<'_>, _: &Promises) -> Verdict {
    let run = |threads| on_threads(threads, || pressed(&mut Trial::new(make, true), 0, 16));
    let once = run(1)?;
    for threads in [1, 2, 8, 16] {
        if let Some(k) = first_difference(&once, &run(threads)?) {
            return Err(format!("frame {k} has other bits with {threads} threads"));
        }
    }
    Ok(())
}

fn first_difference(a: &Seen, b: &Seen) -> Option<usize> {
    a.iter().zip(b).position(|(a, b)| a != b)
}
