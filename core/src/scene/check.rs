//! Checks: conditions on figures of a run, which decide the exit code.

use crate::diagnostics::nearest_name;
use crate::scene::error::SceneError;
use crate::scene::method::{Method, read_method};
use crate::scene::text::Reader;

/// The name of the reference in checks, where it may stand in place of a method.
pub const REFERENCE: &str = "reference";

/// A condition on a figure of a run, which decides the exit code.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckDescription {
    /// Figure by name, for example `energy_balance` or `probe:tip`.
    pub metric: String,
    /// The method that is checked.
    pub of: Method,
    /// The result that it is compared with: a method's name, `reference`, or empty for none.
    pub against: String,
    /// Smallest value that passes, SI or a plain fraction; minus infinity where the scene gives none.
    pub min: f64,
    /// Largest value that passes; infinity where the scene gives none.
    pub max: f64,
    /// Shortest run (s) in which the figure is meaningful; `None` where the scene gives none.
    pub from: Option<f64>,
}

impl CheckDescription {
    /// Whether a measured value passes; NaN does not.
    pub fn passes(&self, value: f64) -> bool {
        self.min <= value && value <= self.max
    }

    /// Shortest run (s) of a scene of `duration` seconds in which the check can be judged.
    pub fn needs(&self, duration: f64) -> f64 {
        let of_figure = match FIGURES_OF_ANY_FRAME.contains(&self.metric.as_str()) {
            true => 0.0,
            false => duration,
        };
        self.from.unwrap_or(of_figure)
    }
}

/// The results that a figure can be compared with.
#[derive(Clone, Copy)]
enum Against {
    Nothing,
    MethodOrReference,
    Reference,
}

/// All figures but those of a probe or a tool.
static FIGURES: [(&str, Against); 13] = [
    ("energy_balance", Against::Nothing),
    ("volume_change", Against::Nothing),
    ("pieces", Against::Nothing),
    ("force_max_n", Against::Nothing),
    ("violation_max_m", Against::Nothing),
    ("pull_max_n", Against::Nothing),
    ("pop_max_m", Against::Nothing),
    ("frame_cost_p99_ms", Against::Nothing),
    ("surface_rms", Against::MethodOrReference),
    ("surface_max", Against::MethodOrReference),
    ("stiffness_error", Against::MethodOrReference),
    ("force_error", Against::MethodOrReference),
    ("force_rms", Against::Reference),
];

/// Figures that can be judged after a run of any length: their conditions have to hold in each frame.
const FIGURES_OF_ANY_FRAME: [&str; 2] = ["energy_balance", "frame_cost_p99_ms"];

/// What has figures of its own.
#[derive(Clone, Copy)]
enum Named {
    Probe,
    Tool,
}

/// Figures of a probe or a tool, whose name comes after a colon.
const NAMED_FIGURES: [(&str, Named); 6] = [
    ("probe", Named::Probe),
    ("probe_max", Named::Probe),
    ("probe_frequency_hz", Named::Probe),
    ("probe_damping_ratio", Named::Probe),
    ("hysteresis_j", Named::Tool),
    ("hysteresis_fraction", Named::Tool),
];

/// What a figure of a probe or a tool is of, and the name of that.
fn named(metric: &str) -> Option<(Named, &str)> {
    let (figure, name) = metric.split_once(':')?;
    let known = NAMED_FIGURES.iter().find(|(known, _)| *known == figure)?;
    Some((known.1, name))
}

/// The error of a metric that does not exist.
fn unknown_metric(check: &Reader<'_>, metric: &str) -> SceneError {
    let (figure, name) = metric.split_once(':').unwrap_or((metric, "NAME"));
    let plain = FIGURES.map(|(figure, _)| figure);
    let named = NAMED_FIGURES.map(|(figure, _)| figure);
    let remedy = match nearest_name(figure, plain.into_iter().chain(named)) {
        Some(nearest) if named.contains(&nearest) => format!("did you mean `{nearest}:{name}`?"),
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => {
            let named = named.map(|figure| format!("{figure}:NAME"));
            format!("use one of {}, {}", plain.join(", "), named.join(", "))
        }
    };
    let reason = format!("there is no metric \"{metric}\"\n  remedy: {remedy}");
    check.bad("metric", reason)
}

/// Reads a `[[check]]` table.
pub(crate) fn read_check(check: &Reader<'_>) -> Result<CheckDescription, SceneError> {
    let metric = check.required_text("metric")?;
    let known = FIGURES.iter().find(|(name, _)| *name == metric);
    let kind = known.map(|(_, kind)| *kind);
    if named(metric).is_none() && kind.is_none() {
        return Err(unknown_metric(check, metric));
    }
    let against = check.text("against")?.unwrap_or("");
    let is_known = against == REFERENCE || Method::from_name(against).is_some();
    if !against.is_empty() && !is_known {
        let instead = format!("use a method's name or \"{REFERENCE}\"");
        return Err(check.not_yet("against", against, instead));
    }
    check_against(check, kind, metric, against)?;
    let (min, max) = (check.number("min")?, check.number("max")?);
    if min.is_none() && max.is_none() {
        return Err(check.missing("max"));
    }
    let (min, max) = (
        min.unwrap_or(f64::NEG_INFINITY),
        max.unwrap_or(f64::INFINITY),
    );
    if min > max {
        return Err(check.bad(
            "min",
            format!("must not be above max, which is {max}\n  remedy: exchange them"),
        ));
    }
    Ok(CheckDescription {
        metric: metric.to_string(),
        of: read_method(check, "of", check.required_text("of")?)?,
        against: against.to_string(),
        min,
        max,
        from: check.number_in("from", (0.0, 3600.0), "s")?,
    })
}

/// Refuses a comparison that a figure does not have.
fn check_against(
    check: &Reader<'_>,
    kind: Option<Against>,
    metric: &str,
    against: &str,
) -> Result<(), SceneError> {
    let bad = |reason: &str| Err(check.bad("against", reason));
    match kind {
        Some(Against::MethodOrReference) if against.is_empty() => Err(check.missing("against")),
        Some(Against::Reference) if against != REFERENCE => {
            bad("has to be `reference` for `force_rms`\n  remedy: write against = \"reference\"")
        }
        Some(Against::Nothing) if !against.is_empty() => bad(
            "does not apply to this metric, which is a value of one method\n  remedy: leave it out",
        ),
        None if !metric.starts_with("probe:") && !against.is_empty() => bad(
            "does not apply to this metric, which is a value of one method\n  remedy: leave it out, or use probe:NAME",
        ),
        _ => Ok(()),
    }
}

/// Refuses a check of a probe or a tool that the scene does not have.
pub(crate) fn check_names<'a>(
    checks: &[CheckDescription],
    probes: impl Iterator<Item = &'a str> + Clone,
    tools: impl Iterator<Item = &'a str> + Clone,
) -> Result<(), SceneError> {
    for (k, check) in checks.iter().enumerate() {
        let Some((kind, name)) = named(&check.metric) else {
            continue;
        };
        let (kind, known): (&str, Vec<&str>) = match kind {
            Named::Probe => ("probe", probes.clone().collect()),
            Named::Tool => ("tool", tools.clone().collect()),
        };
        if !known.contains(&name) {
            let path = format!("check[{k}].metric");
            return Err(SceneError::unknown_name(path, kind, name, known));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_metric(metric: &str, keys: &str) -> Result<CheckDescription, SceneError> {
        let table = format!("metric = '{metric}'\nof = 'lattice'\n{keys}");
        let table: toml::Table = table.parse().expect("TOML");
        read_check(&Reader::new(&table, "check[0]"))
    }

    fn read(keys: &str) -> Result<CheckDescription, SceneError> {
        read_metric("pieces", keys)
    }

    #[test]
    fn a_check_has_a_smallest_or_a_largest_value_that_passes_or_both() {
        let passed =
            |text: &str| [0.0, 1.0, 2.0, f64::NAN].map(|x| read(text).expect(text).passes(x));
        assert_eq!(passed("max = 1"), [true, true, false, false]);
        assert_eq!(passed("min = 1"), [false, true, true, false]);
        assert_eq!(passed("min = 1\nmax = 1"), [false, true, false, false]);
        for (metric, against) in [
            ("pieces", "against = 'reference'"),
            ("force_rms", "against = 'adaptive'"),
            ("surface_rms", ""),
            ("probe_max:tip", "against = 'reference'"),
            ("hysteresis_j:ball", "against = 'adaptive'"),
        ] {
            let error = read_metric(metric, &format!("max = 1\n{against}")).expect_err(metric);
            assert_eq!(error.place(), "check[0].against", "{error}");
        }
        let needs = |text: &str| read(text).expect(text).needs(4.0);
        assert_eq!(needs("max = 1"), 4.0);
        assert_eq!(needs("max = 1\nfrom = 2.5"), 2.5);
        let energy = read_metric("energy_balance", "max = 1").expect("a check");
        assert_eq!(energy.needs(4.0), 0.0);
        let refused = |keys: &str| read(keys).map_err(|error| (error.code(), error.place()));
        let expected = |code: &str, place: &str| Err((code.to_string(), place.to_string()));
        assert_eq!(refused(""), expected("MissingKey", "check[0].max"));
        let nothing_passes = refused("min = 2\nmax = 1");
        assert_eq!(nothing_passes, expected("BadValue", "check[0].min"));
    }

    #[test]
    fn an_unknown_metric_is_answered_with_the_nearest_one() {
        for (metric, remedy) in [
            ("volume_chang", "did you mean `volume_change`?"),
            ("violation_max", "did you mean `violation_max_m`?"),
            ("probe_maxx:tip", "did you mean `probe_max:tip`?"),
            ("hysteresis_j", "did you mean `hysteresis_j:NAME`?"),
            ("energy_balance:tip", "did you mean `energy_balance`?"),
            ("nope", "use one of energy_balance, "),
        ] {
            let error = read_metric(metric, "max = 1").expect_err(metric);
            assert_eq!(error.place(), "check[0].metric", "{error}");
            assert!(error.to_string().contains(remedy), "{error}");
        }
    }

    #[test]
    fn a_check_of_a_probe_or_a_tool_names_one_of_the_scene() {
        let checked = |metric: &str| {
            let check = read_metric(metric, "max = 1").expect(metric);
            let error = check_names(&[check], ["tip"].into_iter(), ["ball"].into_iter()).err();
            error.map(|error| error.to_string())
        };
        assert_eq!(checked("probe_frequency_hz:tip"), None);
        assert_eq!(checked("hysteresis_fraction:ball"), None);
        assert_eq!(checked("pieces"), None);
        let error = checked("hysteresis_j:bal").expect("no such tool");
        assert!(error.contains("tool `bal`"), "{error}");
        assert!(error.contains("did you mean `ball`?"), "{error}");
        assert!(checked("probe_damping_ratio:ball").is_some());
    }
}
