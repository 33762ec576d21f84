//! A deviation in plain words, the same in window, report and on the command line.

use super::firm_force::FirmForce;

/// "4.2 % above the reference", or that the reference itself is no surer than that. `error` is relative.
pub fn deviation(error: f64, firm: &FirmForce) -> String {
    if is_within_uncertainty(error, firm) {
        format!("within the uncertainty of the reference ({})", side(error))
    } else {
        format!("{} the reference", side(error))
    }
}

/// "4.2 % above": a relative error by its size and side, without what it is compared with.
pub fn side(error: f64) -> String {
    let percent = error.abs() * 100.0;
    let digits = if percent < 9.95 { 1 } else { 0 };
    let side = if error > 0.0 { "above" } else { "below" };
    format!("{percent:.digits$} % {side}")
}

/// Whether the reference is no surer of its force than the method is off.
pub fn is_within_uncertainty(error: f64, firm: &FirmForce) -> bool {
    error.abs() * firm.force <= firm.uncertainty
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviations_say_side_and_doubt() {
        let firm = FirmForce {
            curve: 0,
            frames: vec![0],
            force: 2.0,
            uncertainty: 0.05,
        };
        assert_eq!(deviation(0.042, &firm), "4.2 % above the reference");
        assert_eq!(deviation(-0.42, &firm), "42 % below the reference");
        assert!(deviation(-0.02, &firm).starts_with("within the uncertainty"));
    }
}
