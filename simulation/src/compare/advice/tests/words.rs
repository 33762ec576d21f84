//! Made-up advice in words.

use super::super::reason::reason;
use super::*;
use crate::reference::{RecordedRun, Reference, ReferenceForce};

/// An advice on candidates of one family, for a reference of 1 N that is sure to 1 %.
fn advice(tried: Vec<TriedCandidate>, budget_ms: f64, error: f64) -> Advice {
    let goal = Goal::new(budget_ms, error).expect("a goal");
    let points: Vec<CostAndError> = tried
        .iter()
        .map(|one| one.figures().expect("measured").point(ErrorMeasure::Force))
        .collect();
    Advice {
        goal,
        error_measure: ErrorMeasure::Force,
        reference: Reference {
            coarse: Some(RecordedRun::default()),
            force: Some(ReferenceForce {
                curve: 0,
                frames: vec![0],
                force: 1.0,
                uncertainty: 0.01,
            }),
            ..Reference::default()
        },
        frames: 1,
        front: judged_front(&points, &goal),
        choice: choose(&points, &goal).expect("one"),
        tried,
        unsteadiness: 1.0,
        reason: Vec::new(),
        seconds: 0.0,
    }
}

fn three() -> Vec<TriedCandidate> {
    let cut = |budget, cost, error| measured(Family::Cut, budget, cost, error, 10);
    vec![
        cut(1.0, 0.5, 0.2),
        cut(4.0, 3.0, -0.041),
        cut(16.0, 12.5, 0.012),
    ]
}

#[test]
fn an_advice_that_meets_all_limits_says_what_it_costs_and_how_far_it_is_off() {
    assert_eq!(
        reason(&advice(three(), 4.0, 0.05)),
        [
            "Use adaptive as the scene says: a frame costs 3.00 ms (budget 4 ms), its force is 4.1 % below the reference (wanted: 5 %), and its skin is 0.00 % of the diagonal off (wanted: 1 %).",
            "No other candidate meets all limits.",
        ]
    );
}

#[test]
fn what_would_have_to_change_is_said_where_nothing_meets_all_limits() {
    let told = reason(&advice(three(), 4.0, 0.02));
    assert!(told[0].starts_with("No candidate meets all limits. Nearest within 4 ms: adaptive"));
    assert_eq!(
        told[1],
        "Either accept 4.1 %, or allow 12.5 ms for adaptive as the scene says, which is 1.2 % off."
    );
    let told = reason(&advice(three(), 4.0, 0.001));
    assert!(
        told[1].contains("the most accurate that was tried (1.2 % off)"),
        "{told:?}"
    );
    assert!(told[2].contains("accurate to 1.0 % only"), "{told:?}");
    let told = reason(&advice(three(), 0.1, 0.02));
    assert!(
        told[0].starts_with("No candidate fits into 0.1 ms. The cheapest is"),
        "{told:?}"
    );
}

fn with_skin(mut one: TriedCandidate, skin: f64) -> TriedCandidate {
    if let Outcome::Measured(figures) = &mut one.outcome {
        figures.skin = skin;
    }
    one
}

#[test]
fn a_skin_that_is_too_far_off_is_told() {
    let [coarse, middle, fine]: [TriedCandidate; 3] = three().try_into().expect("three");
    let cheap = measured(Family::Dense, 1.0, 0.3, 0.03, 10);
    let tried = vec![
        with_skin(cheap, 0.018),
        coarse,
        with_skin(middle, 0.003),
        with_skin(fine, 0.002),
    ];
    let told = reason(&advice(tried.clone(), 4.0, 0.07));
    assert_eq!(
        told,
        [
            "Use adaptive as the scene says: a frame costs 3.00 ms (budget 4 ms), its force is 4.1 % below the reference (wanted: 7 %), and its skin is 0.30 % of the diagonal off (wanted: 1 %).",
            "No other candidate meets all limits.",
            "Adaptive as the scene says is 3.0 % off for 0.30 ms, but its skin is 1.80 % of the diagonal off: it is not advised.",
        ]
    );
    let told = reason(&advice(tried[..1].to_vec(), 4.0, 0.02)).join(" ");
    assert!(
        told.contains("accept 3 % and a skin that is 1.8 % off"),
        "{told}"
    );
    assert!(!told.contains("is not advised"), "{told}");
    let told = reason(&advice(vec![tried[0].clone(), tried[3].clone()], 4.0, 0.07)).join(" ");
    assert!(
        told.contains("Either accept a skin that is 1.8 % off, or allow 12.5 ms"),
        "{told}"
    );
}

#[test]
fn doubts_about_reference_chance_and_clock_are_told() {
    let mut unsure = advice(three(), 20.0, 0.02);
    unsure.tried[2] = measured(Family::Cut, 16.0, 12.5, 0.006, 10);
    unsure.tried[0] = measured(Family::Dense, 1.0, 0.5, 0.005, 10);
    unsure.tried[0].chance = Some(1);
    unsure.unsteadiness = 1.6;
    let told = reason(&unsure).join(" ");
    assert!(
        told.contains("within the uncertainty of the reference, 1.0 %"),
        "{told}"
    );
    assert!(
        told.contains("it agrees by chance on this poke, and is not advised"),
        "{told}"
    );
    assert!(told.contains("differed by a factor of 1.6"), "{told}");
}
