//! Laws of the levels of degradation.

use super::*;

/// Cost of the frames of a body that take `work` on level 0: in proportion to rate and time, and a fifth less without damping.
fn body(work: f64) -> impl Fn(&DegradationLevel) -> u64 {
    move |level| {
        let damping = if level.is_damped { 1.0 } else { 0.8 };
        (work * level.rate * damping * level.time_scale) as u64
    }
}

/// Steps a frame as a model does; returns the level on which it was stepped.
fn frame(levels: &mut DegradationLevels, work: f64, budget: f64) -> DegradationLevel {
    let cost = body(work);
    levels.lower(budget, &cost);
    loop {
        let now = cost(&levels.present());
        if now as f64 <= budget || !levels.raise(now, budget, true, &cost) {
            break;
        }
    }
    levels.count(true);
    levels.present()
}

#[test]
fn steps_go_first_then_damping_and_time_last_of_all() {
    let mut before = DegradationLevel::FULL;
    for level in 1..=MAX_LEVEL {
        let now = DegradationLevel::of(level);
        assert!(now.rate <= before.rate && now.time_scale <= before.time_scale);
        assert!(now.is_damped || now.rate == 1.0 / 32.0);
        assert!(now.time_scale == 1.0 || !now.is_damped);
        assert_ne!(now, before);
        before = now;
    }
    assert_eq!(before.time_scale, 0.125);
    // no more than necessary is given up
    let works = [99.0, 101.0, 399.0, 3199.0, 3900.0, 4900.0, 7900.0];
    for (work, level) in works.into_iter().zip([0, 1, 2, 5, 6, 6, 7]) {
        let mut levels = DegradationLevels::default();
        frame(&mut levels, work, 100.0);
        assert_eq!(levels.level(), level, "{work}");
        assert_eq!(levels.note(true).is_some(), level > 0);
    }
    let mut levels = DegradationLevels::default();
    let lowest = frame(&mut levels, 20_000.0, 100.0);
    assert_eq!(lowest, DegradationLevel::of(MAX_LEVEL));
    let note = levels.note(true).expect("told");
    assert!(note.contains("8 times as slowly"), "{note}");
    assert!(note.contains("viscous"), "{note}");
    assert!(!levels.note(false).expect("told").contains("viscous"));
    assert_eq!(levels.frames(), [1, 1, 1, 1]);
    // time and damping wait for the coarsest cut
    let mut levels = DegradationLevels::default();
    assert!(levels.raise(1_000_000, 100.0, false, body(1e6)));
    assert_eq!(levels.present(), DegradationLevel::of(MAX_RATE_LEVEL));
    assert!(!levels.raise(31_250, 100.0, false, body(1e6)));
    assert!(levels.raise(31_250, 100.0, true, body(1e6)));
    // no time is enough
    assert_eq!(levels.present(), DegradationLevel::of(UNDAMPED_LEVEL));
}

#[test]
fn time_is_given_up_where_a_quarter_more_than_the_budget_is_expected_and_taken_back_below_it() {
    // nothing but time saves anything
    let only_time = |work: f64| move |level: &DegradationLevel| (work * level.time_scale) as u64;
    for work in [101_u32, 110, 124, 127, 190] {
        let is_slow = work > 125;
        let mut levels = DegradationLevels::default();
        let raised = levels.raise(work.into(), 100.0, true, only_time(work.into()));
        assert_eq!(raised, is_slow, "{work}");
        assert_eq!(levels.present().time_scale < 1.0, is_slow, "{work}");
    }
    // slow motion ends where frames cost a little less than that; damping stays off
    for (work, is_slow) in [(99, false), (103, true)] {
        let mut levels = DegradationLevels::default();
        assert!(levels.raise(150, 100.0, true, only_time(150.0)));
        for _ in 0..MIN_WAIT {
            levels.lower(100.0, only_time(f64::from(work)));
        }
        assert_eq!(levels.present().time_scale < 1.0, is_slow, "{work}");
    }
}

#[test]
fn nothing_is_given_up_that_saves_nothing() {
    let mut levels = DegradationLevels::default();
    assert!(!levels.raise(200, 100.0, true, |_| 200));
    assert_eq!(levels.level(), 0);
    // no level is enough: the lowest of those that save most
    let floor = |level: &DegradationLevel| if level.rate < 0.3 { 150 } else { 200 };
    assert!(levels.raise(200, 100.0, true, floor));
    assert_eq!(levels.level(), 2);
    assert!(!levels.raise(150, 100.0, true, floor));
}

#[test]
fn a_level_is_lowered_soon_where_frames_fit_again() {
    let mut levels = DegradationLevels::default();
    frame(&mut levels, 3000.0, 100.0);
    assert_eq!(levels.level(), 5);
    // one of the frames needed the second level, to which the level is lowered
    for k in 1..=MIN_WAIT {
        assert_eq!(levels.level(), 5);
        frame(&mut levels, if k == 2 { 300.0 } else { 70.0 }, 100.0);
    }
    assert_eq!(levels.level(), 2);
    for _ in 0..MIN_WAIT {
        frame(&mut levels, 70.0, 100.0);
    }
    assert_eq!(levels.level(), 0);
    // frames that would nearly fill the budget on the lower level keep the present one
    frame(&mut levels, 150.0, 100.0);
    for _ in 0..200 {
        frame(&mut levels, 90.0, 100.0);
    }
    assert_eq!(levels.level(), 1);
}

#[test]
fn work_that_comes_and_goes_does_not_make_the_level_oscillate() {
    let mut levels = DegradationLevels::default();
    for (period, most) in [(6, 2), (20, 4)] {
        levels = DegradationLevels::default();
        for k in 0..1200 {
            let work = if k % period == 0 { 150.0 } else { 70.0 };
            frame(&mut levels, work, 100.0);
        }
        let [degraded, .., raises] = levels.frames();
        assert!(raises <= most, "{raises} every {period} frames");
        assert!(degraded > 1000);
    }
    for _ in 0..u32::from(MAX_WAIT) + u32::from(WAIT_RESET_FRAMES) {
        frame(&mut levels, 70.0, 100.0);
    }
    assert_eq!((levels.level(), levels.frames_to_wait), (0, MIN_WAIT));
    frame(&mut levels, 300.0, 100.0);
    frame(&mut levels, 70.0, 100.0);
    let mut other = DegradationLevels::default();
    other.restore(levels.saved());
    other.counts = levels.counts;
    assert_eq!(other, levels);
}
