//! How a recorded point oscillates: its first frequency and its damping ratio.

use pliant_core::math::Vec3;

/// Smallest swing that counts, as a share of the range of the curve.
const SMALLEST_SHARE: f64 = 0.02;

/// Smallest swing that counts, m; below is the single precision of skins.
const SMALLEST_SWING: f64 = 1e-6;

/// By how much a half period may differ from the first one, as a share of it.
const IRREGULARITY: f64 = 0.3;

/// By how much a swing may exceed the first one, which modes that add up and the times of frames can do.
const GROWTH: f64 = 1.1;

/// Frames of the shortest half period that can be told.
const FEWEST_FRAMES: f64 = 3.0;

/// How a curve oscillates about its end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Oscillation {
    /// Frequency, Hz: that which is seen, with the damping.
    pub frequency: f64,
    /// Damping over the critical one; 0 where the curve does not decay.
    pub damping_ratio: f64,
}

/// Oscillation of a curve (m), one value for each of the equally spaced `times` (s). `None` where it turns fewer than three times at regular intervals after its largest swing.
///
/// The curve is seen along the line from its end to the place that is farthest from it. With the turning points after the largest swing, which may be driven, the frequency is one over twice
/// their mean distance T. The swings between them shrink by exp(−δ) each, where δ is the slope of a line through their logarithms, and the damping ratio is δ / √(π² + δ²). A swing has both of its ends
/// from the curve, so that the place of rest does not enter.
pub(super) fn oscillation(times: &[f64], curve: &[Vec3]) -> Option<Oscillation> {
    let end = curve.last()?;
    let farthest = curve
        .iter()
        .map(|x| x - end)
        .max_by(|a, b| a.norm_squared().total_cmp(&b.norm_squared()))?;
    let line = farthest.try_normalize(0.0)?;
    let heights: Vec<f64> = curve.iter().map(|x| (x - end).dot(&line)).collect();
    let turns: Vec<[f64; 2]> = turning_frames(&heights)
        .iter()
        .map(|&k| peak(times, &heights, k))
        .collect();
    let swings: Vec<f64> = turns
        .windows(2)
        .map(|pair| (pair[1][1] - pair[0][1]).abs())
        .collect();
    let largest = swings.iter().copied().fold(0.0, f64::max);
    // where nothing damps, several swings are about as large
    let starts = (0..swings.len()).filter(|&k| GROWTH * swings[k] >= largest);
    let runs = starts.map(|k| {
        let (turns, swings) = (&turns[k + 1..], &swings[k + 1..]);
        (turns, &swings[..regular(turns, swings)])
    });
    let (turns, swings) = runs.max_by_key(|(_, swings)| swings.len())?;
    let count = swings.len();
    if count < 2 {
        return None;
    }
    let half_period = (turns[count][0] - turns[0][0]) / count as f64;
    let frame = times[1] - times[0];
    if half_period < FEWEST_FRAMES * frame {
        return None;
    }
    let decrement = -slope(swings.iter().map(|swing| swing.ln()));
    let damping_ratio = decrement / decrement.hypot(std::f64::consts::PI);
    Some(Oscillation {
        frequency: 0.5 / half_period,
        damping_ratio: damping_ratio.max(0.0),
    })
}

/// How many of the first swings last about as long as the first one, and are not larger.
fn regular(turns: &[[f64; 2]], swings: &[f64]) -> usize {
    let gap = |k: usize| turns[k + 1][0] - turns[k][0];
    let is_regular = |k: &usize| {
        let has_its_time = (gap(*k) - gap(0)).abs() <= IRREGULARITY * gap(0);
        has_its_time && swings[*k] <= GROWTH * swings[0]
    };
    (0..swings.len()).take_while(is_regular).count()
}

/// Frames in which the heights turn; wiggles that are smaller than the smallest swing are passed over.
fn turning_frames(heights: &[f64]) -> Vec<usize> {
    let (mut low, mut high) = (0, 0);
    let range = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max)
        - heights.iter().copied().fold(f64::INFINITY, f64::min);
    let smallest = SMALLEST_SWING.max(SMALLEST_SHARE * range);
    let mut turns = Vec::new();
    // unknown at first
    let mut is_rising = None;
    for (k, height) in heights.iter().enumerate() {
        if *height > heights[high] {
            high = k;
        }
        if *height < heights[low] {
            low = k;
        }
        if is_rising != Some(false) && *height < heights[high] - smallest {
            turns.push(high);
            (low, is_rising) = (k, Some(false));
        } else if is_rising != Some(true) && *height > heights[low] + smallest {
            turns.push(low);
            (high, is_rising) = (k, Some(true));
        }
    }
    turns
}

/// Time and height of the vertex of the parabola through a turning point and its neighbours.
fn peak(times: &[f64], heights: &[f64], k: usize) -> [f64; 2] {
    let neighbours = k
        .checked_sub(1)
        .and_then(|before| heights.get(before..k + 2));
    if let Some(&[a, b, c]) = neighbours {
        let curvature = a - 2.0 * b + c;
        if curvature != 0.0 {
            let offset = 0.5 * (a - c) / curvature;
            let time = times[k] + offset * (times[k] - times[k - 1]);
            return [time, b - 0.25 * (a - c) * offset];
        }
    }
    [times[k], heights[k]]
}

/// Slope of the line through the values at 0, 1, 2, … with the least squares.
fn slope(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let middle = 0.5 * (values.len() as f64 - 1.0);
    let (mut product, mut square) = (0.0, 0.0);
    for (k, value) in values.enumerate() {
        let distance = k as f64 - middle;
        product += distance * value;
        square += distance * distance;
    }
    product / square
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;

    /// Three seconds at 60 Hz of a curve of time.
    fn recorded(curve: impl Fn(f64) -> Vec3) -> Option<Oscillation> {
        let times: Vec<f64> = (1..=180).map(|k| f64::from(k) / 60.0).collect();
        let curve: Vec<Vec3> = times.iter().map(|t| curve(*t)).collect();
        oscillation(&times, &curve)
    }

    /// A damped cosine of 4 mm, from this phase on, about a place beside the origin.
    fn damped(frequency: f64, ratio: f64, phase: f64) -> impl Fn(f64) -> Vec3 {
        let omega = TAU * frequency;
        let decay = omega * ratio / (1.0 - ratio * ratio).sqrt();
        let line = Vec3::new(0.6, 0.0, 0.8);
        move |t| {
            let swing = (-decay * t).exp() * (omega * t + phase).cos();
            Vec3::new(0.02, 0.01, 0.0) + line * (4e-3 * swing)
        }
    }

    #[test]
    fn a_damped_cosine_has_its_frequency_and_its_damping_ratio() {
        for (frequency, ratio) in [(3.0, 0.05), (2.0, 0.3), (3.3, 0.0), (9.0, 0.005)] {
            let found = recorded(damped(frequency, ratio, 0.4)).expect("it oscillates");
            let error = (found.frequency / frequency - 1.0).abs();
            assert!(error < 1e-3, "{found:?} at {frequency} Hz");
            let error = (found.damping_ratio - ratio).abs();
            assert!(error < 1e-3, "{found:?} at {ratio}");
        }
    }

    #[test]
    fn a_press_before_the_oscillation_does_not_enter() {
        let free = damped(3.0, 0.05, 0.0);
        let [held, rest] = [free(0.0), Vec3::new(0.02, 0.01, 0.0)];
        let found = recorded(|t| match t < 1.0 {
            true => rest + (held - rest) * (2.0 * t).min(1.0),
            false => free(t - 1.0),
        });
        let found = found.expect("it oscillates");
        assert!((found.frequency - 3.0).abs() < 0.01, "{found:?}");
        assert!((found.damping_ratio - 0.05).abs() < 0.003, "{found:?}");
    }

    #[test]
    fn what_creeps_rests_or_turns_too_seldom_does_not_oscillate() {
        let creeps = |t: f64| Vec3::x() * (1.0 - (-2.0 * t).exp());
        let presses = |t: f64| Vec3::x() * (1e-2 * (TAU * t / 3.0).sin().max(0.0));
        let round_off = |t: f64| Vec3::x() * (1e-8 * (TAU * 5.0 * t).sin());
        assert_eq!(recorded(creeps), None);
        assert_eq!(recorded(presses), None);
        assert_eq!(recorded(round_off), None);
        assert_eq!(recorded(|_| Vec3::zeros()), None);
        // over before a third turn
        assert_eq!(recorded(damped(3.0, 0.8, 0.4)), None);
        assert_eq!(oscillation(&[], &[]), None);
        assert_eq!(oscillation(&[0.1], &[Vec3::x()]), None);
    }
}
