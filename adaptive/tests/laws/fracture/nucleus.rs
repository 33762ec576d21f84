//! Crack initiation in a body without a notch.

use pliant_adaptive::AdaptiveModel;
use pliant_core::boundary::BoundaryConditions;
use pliant_core::material::FractureLimits;

use super::griffith::{bar, cut_places, pull};
use crate::blades::{frames, pieces};

/// Pa
const STRENGTH: f64 = 50.0;

fn with_toughness(toughness: Option<f64>) -> AdaptiveModel {
    let limits = FractureLimits {
        strength: Some(STRENGTH),
        toughness,
    };
    bar(8, 2, limits)
}

fn strong() -> AdaptiveModel {
    with_toughness(None)
}

/// Computes frames until a crack starts, at most `max_frames`.
fn pull_until_crack(body: &mut AdaptiveModel, load: &BoundaryConditions, max_frames: u32) {
    for _ in 0..max_frames {
        frames(body, load, 1);
        if !body.cut_edges().is_empty() {
            break;
        }
    }
}

#[test]
fn a_bar_begins_to_crack_at_its_strength() {
    let mut body = strong();
    for k in 1..=20 {
        let load = pull(&body, 0.95 * STRENGTH * f64::from(k) / 20.0);
        frames(&mut body, &load, 1);
    }
    frames(&mut body, &pull(&strong(), 0.95 * STRENGTH), 10);
    assert_eq!(body.cut_edges().len(), 0, "it bears the load");
    let load = pull(&body, 1.06 * STRENGTH);
    frames(&mut body, &load, 20);
    assert!(!body.cut_edges().is_empty());
}

#[test]
fn a_new_crack_lies_across_the_largest_tension_and_goes_on() {
    let mut body = strong();
    let load = pull(&body, 1.06 * STRENGTH);
    pull_until_crack(&mut body, &load, 20);
    // the cut edges cross one plane across the bar
    let places: Vec<f64> = cut_places(&body).iter().map(|x| x.x).collect();
    let first = places.len();
    assert!(first > 0);
    let mean = places.iter().sum::<f64>() / first as f64;
    assert!(places.iter().all(|x| (x - mean).abs() < 1e-3), "{places:?}");
    frames(&mut body, &load, 5);
    assert!(body.cut_edges().len() > 2 * first);
}

#[test]
fn a_new_crack_is_large_enough_to_grow() {
    // the smallest crack that can grow is 45 mm deep; the elements around a node span 25 mm
    let depth = 0.045;
    let toughness = 1.26 * std::f64::consts::PI * STRENGTH.powi(2) * depth / 1e6;
    let mut body = with_toughness(Some(toughness));
    let load = pull(&body, 1.06 * STRENGTH);
    pull_until_crack(&mut body, &load, 40);
    let heights: Vec<f64> = cut_places(&body).iter().map(|x| x.y).collect();
    let [least, most] = [f64::min, f64::max].map(|f| heights.iter().copied().reduce(f));
    let wide = most.expect("cuts") - least.expect("cuts");
    assert!(wide > 0.035, "{wide}");
    for _ in 0..40 {
        if pieces(&body) == 1 {
            frames(&mut body, &load, 1);
        }
    }
    assert_eq!(pieces(&body), 2);
}
