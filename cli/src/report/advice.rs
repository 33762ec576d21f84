//! The page of an advice.

use pliant_render::color::method_color;
use pliant_render::report::{CommandRow, ResultRow, ResultTable};
use pliant_render::{Mark, MarkShape, MarkStyle, Plot, Report, Series, html};
use pliant_simulation::advice::{Advice, Doubt, ErrorMeasure, Outcome, TriedCandidate};
use pliant_simulation::reference::side;
use pliant_simulation::setup::Setup;

use crate::failure::{Failure, one_line};
use crate::machine::machine_line;
use crate::output::OutFolder;
use crate::report::metrics::cache_suffix;
use crate::report::plots::GREY;

/// What the page shows.
pub struct AdvicePage<'a> {
    /// The advice.
    pub advice: &'a Advice,
    /// The scene.
    pub setup: &'a Setup,
    /// The command that repeats the advice.
    pub repeat: String,
    /// The command that runs the advised scene.
    pub run: String,
    /// The command that measures its cost and error again.
    pub compare: String,
    /// What further runs say about the advice, a sentence each; empty where none were made.
    pub confirmed: Vec<String>,
}

/// Writes `advice.html`.
pub fn write_advice(page: &AdvicePage<'_>, out: &OutFolder) -> Result<(), Failure> {
    let (advice, setup) = (page.advice, page.setup);
    let (main, remarks) = advice.reason.split_at(advice.reason.len().min(2));
    let remarks = remarks.iter().chain(&page.confirmed).cloned();
    let command = |about: &str, command: &str| CommandRow {
        about: about.into(),
        command: command.into(),
    };
    let report = Report {
        title: format!("{}: which method?", setup.description.name),
        subtitle: subtitle(advice, setup),
        summary: main.join(" "),
        remarks: remarks.collect(),
        commands: vec![
            command("Run it:", &page.run),
            command("Measure it again, with a report:", &page.compare),
        ],
        curves: vec![plot(advice)],
        tables: vec![table(advice)],
        notes: advice
            .reference
            .notes
            .iter()
            .map(String::as_str)
            .chain(setup.note_texts())
            .map(str::to_string)
            .collect(),
        reproduce: page.repeat.clone(),
        machine: machine_line(),
        footer: format!("Pliant {}", env!("CARGO_PKG_VERSION")),
        ..Report::default()
    };
    out.write("advice.html", html(&report).as_bytes())?;
    Ok(())
}

fn subtitle(advice: &Advice, setup: &Setup) -> String {
    let seconds = advice.frames as f64 * setup.frame_duration();
    let reference = &advice.reference;
    let mut text = format!(
        "{} skin vertices, {seconds:.1} s simulated; the reference has {} nodes of finite elements",
        setup.skin().vertex_count(),
        reference.fine.nodes
    );
    if let Some(reference_force) = &reference.force {
        text.push_str(&format!(
            " and a force of {:.3} N ± {:.1} %",
            reference_force.force,
            100.0 * reference_force.relative_uncertainty()
        ));
    }
    text
}

/// Cost against error, with the front and the limits.
fn plot(advice: &Advice) -> Plot {
    let y = match advice.error_measure {
        ErrorMeasure::Force => "error of the force",
        ErrorMeasure::Skin => "distance of the skin over the diagonal",
    };
    let mut plot = Plot::new("Cost against error", ("median of a frame", "ms"), (y, "%"));
    plot.x_is_logarithmic = true;
    (plot.width, plot.height) = (680.0, 380.0);
    let points: Vec<Option<[f64; 2]>> = advice
        .tried
        .iter()
        .map(|one| {
            let point = one.figures()?.point(advice.error_measure);
            Some([point.cost_ms, point.error * 100.0])
        })
        .collect();
    let (budget, max_error) = (advice.goal.budget_ms(), advice.error_limit() * 100.0);
    let measured = points.iter().flatten();
    let top = measured.fold(max_error, |top, p| top.max(p[1])) * 1.05;
    let mut add = |name: &str, color: [f32; 3], dashed: bool, points: Vec<[f64; 2]>| {
        plot.series.push(Series {
            name: name.into(),
            color,
            dashed,
            points,
        });
    };
    let limits = vec![[budget, 0.0], [budget, max_error], [0.0, max_error]];
    add("budget and wanted error", GREY, true, limits);
    let sound = advice.front.iter().filter(|k| advice.doubt(**k).is_none());
    let front = sound.filter_map(|&k| points[k]);
    add("Pareto front", GREY, false, front.collect());
    for method in pliant_core::scene::Method::ALL {
        let runs = |k: usize| advice.tried[k].candidate.method == method && points[k].is_some();
        if (0..points.len()).any(runs) {
            // its name and colour for the legend
            let name = method.name();
            add(name, method_color(name), false, Vec::new());
        }
    }
    for (k, at) in points.iter().enumerate() {
        let Some(at) = at else { continue };
        let kind = advice.tried[k].candidate.method.name();
        let doubt = advice.doubt(k);
        plot.marks.push(Mark {
            at: *at,
            style: mark_style(doubt, kind, advice.front.contains(&k)),
            stands_out: k == advice.choice.index(),
            name: advice.summary(k).unwrap_or_default(),
        });
    }
    for doubt in [Doubt::ByChance, Doubt::SkinTooFarOff] {
        if (0..advice.tried.len()).any(|k| advice.doubt(k) == Some(doubt)) {
            let style = mark_style(Some(doubt), "", false);
            plot.mark_legend.push((style, doubt.words().into()));
        }
    }
    plot.y_range = Some((0.0, top));
    plot
}

/// A candidate in the plot: in the colour of its method, or grey where its error says less than it seems to.
fn mark_style(doubt: Option<Doubt>, method: &str, is_full: bool) -> MarkStyle {
    MarkStyle {
        shape: match doubt {
            None => MarkShape::Circle,
            Some(Doubt::ByChance) => MarkShape::Cross,
            Some(Doubt::SkinTooFarOff) => MarkShape::Square,
        },
        color: match doubt {
            None => method_color(method),
            Some(_) => GREY,
        },
        is_full,
    }
}

/// The cell of the column "front": whether a candidate is on it, and what its error leaves in doubt.
fn front_cell(advice: &Advice, k: usize) -> String {
    let doubt = advice
        .doubt(k)
        .map(|doubt| doubt.words().replace(' ', "\u{a0}"));
    let yes = advice.front.contains(&k).then(|| "yes".to_string());
    let parts: Vec<String> = yes.into_iter().chain(doubt).collect();
    parts.join(", ")
}

/// Outcome of a candidate in a line.
pub fn outcome_text(tried: &TriedCandidate) -> String {
    match &tried.outcome {
        Outcome::Measured(figures) => {
            let off = match figures.force_error {
                Some(error) => format!("force {}, skin {:.2} %", side(error), figures.skin * 100.0),
                None => format!("skin {:.2} % of the diagonal off", figures.skin * 100.0),
            };
            format!(
                "{:.2} ms, {off}, bake {:.1} s{}",
                figures.median_ms,
                figures.bake_s,
                cache_suffix(figures.from_cache)
            )
        }
        Outcome::Refused(fault) => format!("not applicable: {}", one_line(&fault.reason)),
        Outcome::Skipped { reason } => format!("left out: {reason}"),
    }
}

fn table(advice: &Advice) -> ResultTable {
    let rows = advice.tried.iter().enumerate().map(|(k, one)| {
        let label = one.candidate.label();
        let cells = match &one.outcome {
            Outcome::Measured(f) => {
                let percent = |x: f64| format!("{:+.1}\u{a0}%", x * 100.0);
                vec![
                    label,
                    format!("{:.2}", f.median_ms),
                    format!("{:.2}", f.p99_ms),
                    f.force_error.map_or("—".into(), percent),
                    format!("{:.2}\u{a0}%", f.skin * 100.0),
                    format!("{:.1}{}", f.bake_s, cache_suffix(f.from_cache)),
                    format!("{:.1}", f.bytes as f64 * 1e-6),
                    front_cell(advice, k),
                ]
            }
            _ => vec![label, outcome_text(one)],
        };
        ResultRow {
            kind: one.candidate.method.name().into(),
            cells,
            stands_out: k == advice.choice.index(),
        }
    });
    let columns = [
        "settings",
        "median ms",
        "p99 ms",
        "force",
        "skin",
        "bake s",
        "memory MB",
        "front",
    ];
    ResultTable {
        title: "Candidates".into(),
        about: "Force: mean while the tool presses firmly, against the reference. Skin: largest root mean square distance from that of the reference, over the diagonal of the body. Front: no other candidate is cheaper and nearer to the reference; a skin error of twice its limit counts like twice the wanted error. By chance: a finer candidate of the same kind has a larger error, so that errors cancel on this poke, but may not on another."
            .into(),
        columns: columns.map(String::from).to_vec(),
        rows: rows.collect(),
    }
}

#[cfg(test)]
mod tests {
    use pliant_core::scene::Method;
    use pliant_simulation::advice::{Candidate, CandidateFigures, Choice, Family, Goal};
    use pliant_simulation::reference::Reference;

    use super::*;

    fn tried(cost_ms: f64, error: f64, skin: f64, chance: Option<usize>) -> TriedCandidate {
        TriedCandidate {
            candidate: Candidate {
                method: Method::Adaptive,
                family: Family::Level,
                settings: Vec::new(),
                resolution: cost_ms,
            },
            outcome: Outcome::Measured(CandidateFigures {
                median_ms: cost_ms,
                force_error: Some(error),
                skin,
                ..CandidateFigures::default()
            }),
            chance,
        }
    }

    #[test]
    fn what_is_right_by_chance_or_with_a_wrong_skin_looks_so_in_plot_and_table() {
        let advice = Advice {
            goal: Goal::new(4.0, 0.05).expect("a goal"),
            error_measure: ErrorMeasure::Force,
            reference: Reference::default(),
            frames: 1,
            tried: vec![
                tried(0.25, 0.001, 0.0, Some(3)),
                tried(0.5, 0.01, 0.02, None),
                tried(2.0, 0.03125, 0.0, None),
                tried(3.0, 0.2, 0.0, None),
            ],
            front: vec![1, 2],
            choice: Choice::MeetsAll(2),
            unsteadiness: 1.0,
            reason: Vec::new(),
            seconds: 0.0,
        };
        let plot = plot(&advice);
        let look = |mark: &Mark| {
            let style = &mark.style;
            (style.shape, style.color == GREY, style.is_full)
        };
        let looks: Vec<_> = plot.marks.iter().map(look).collect();
        assert_eq!(
            looks,
            [
                (MarkShape::Cross, true, false),
                (MarkShape::Square, true, true),
                (MarkShape::Circle, false, true),
                (MarkShape::Circle, false, false),
            ]
        );
        let told = &plot.marks[0].name;
        assert!(told.ends_with(", by chance"), "{told}");
        // the line leads through those that are as good as they look
        let front = plot.series.iter().find(|s| s.name == "Pareto front");
        assert_eq!(front.expect("a front").points, [[2.0, 3.125]]);
        let legend = plot.mark_legend.iter().map(|(_, name)| name.as_str());
        assert_eq!(
            legend.collect::<Vec<_>>(),
            ["by chance", "skin too far off"]
        );
        let table = table(&advice);
        let cells = table
            .rows
            .iter()
            .map(|row| row.cells[7].replace('\u{a0}', " "));
        assert_eq!(
            cells.collect::<Vec<_>>(),
            ["by chance", "yes, skin too far off", "yes", ""]
        );
    }
}
