//! The same bits: twice, for any number of threads, and from a restored state.

use pliant_core::boundary::Friction;
use pliant_core::math::Vec3;

use super::trial::SIDES;
use super::{ModelFactory, Promises, Trial, Verdict};
use crate::on_threads;

/// Bits of the skin and of the reactions in each frame.
type FrameBits = Vec<(Vec<[u32; 3]>, Vec<[u64; 3]>)>;

/// Frames of the plate from `from` to `to`.
fn press(trial: &mut Trial, from: u32, to: u32) -> Result<FrameBits, String> {
    let friction = Friction::Coulomb {
        static_coefficient: 0.3,
        kinetic_coefficient: 0.2,
    };
    let mut frames = Vec::new();
    for k in from..to {
        let height = 0.5 * SIDES[1] - 3e-4 * f64::from(k);
        let boundary = trial.plate(height, Vec3::new(0.02, -0.018, 0.0), friction);
        trial.advance(&boundary)?;
        let forces = trial.model.reactions().iter();
        let bits = forces.map(|f| [f.x.to_bits(), f.y.to_bits(), f.z.to_bits()]);
        frames.push((trial.bits(), bits.collect()));
    }
    Ok(frames)
}

/// A restored snapshot continues to the same bits, in the same model and in another one. A snapshot that does not fit is refused.
///
/// # Errors
/// The first frame whose bits differ.
pub fn snapshots(make: &ModelFactory<'_>, _: &Promises) -> Verdict {
    let mut trial = Trial::new(make, true);
    press(&mut trial, 0, 12)?;
    let (snapshot, skin) = (trial.model.snapshot(), trial.bits());
    let expected = press(&mut trial, 12, 20)?;
    let mut other = Trial::new(make, true);
    for (who, trial) in [("the same", &mut trial), ("another", &mut other)] {
        let restored = trial.model.restore(&snapshot);
        restored.map_err(|e| format!("{who} model refuses its own snapshot: {e}"))?;
        let mut frame = pliant_core::mesh::SurfaceFrame::default();
        trial.model.write_surface(&mut frame);
        if crate::bits(&frame) != skin {
            return Err(format!(
                "{who} model shows another skin when it is restored"
            ));
        }
        trial.update_surface();
        if let Some(k) = first_difference(&expected, &press(trial, 12, 20)?) {
            return Err(format!(
                "{who} model goes on to other bits {k} frames after the snapshot"
            ));
        }
    }
    let mut shortened = snapshot.clone();
    shortened.values.pop();
    let mut renamed = snapshot;
    renamed.kind = "nothing";
    match other.model.restore(&shortened).is_err() && other.model.restore(&renamed).is_err() {
        true => Ok(()),
        false => Err("a snapshot of another model is taken".into()),
    }
}

/// New models give the same bits for the same requests, with one, two, eight and sixteen threads.
///
/// # Errors
/// The first frame whose bits differ.
pub fn same_bits(make: &ModelFactory<'_>, _: &Promises) -> Verdict {
    let run = |threads| on_threads(threads, || press(&mut Trial::new(make, true), 0, 16));
    let expected = run(1)?;
    for threads in [1, 2, 8, 16] {
        if let Some(k) = first_difference(&expected, &run(threads)?) {
            return Err(format!("frame {k} has other bits with {threads} threads"));
        }
    }
    Ok(())
}

fn first_difference(a: &FrameBits, b: &FrameBits) -> Option<usize> {
    a.iter().zip(b).position(|(a, b)| a != b)
}
