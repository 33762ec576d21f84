//! Draws figure 4 of Rivers and James (2007), cost against half-width, and prints table 1 and its shares of time with our figures beside theirs.
//!
//! `cargo run --release -p pliant-lattice --example cost_figures -- FOLDER [quick]`, or `cargo xtask figures lattice`. One thread; the least of some runs. With `quick` half-widths end at 4.

mod shares;

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use pliant_core::bench::Run;
use pliant_lattice::benchmark::{SteppedBody, block, pace, shell, wave};
use pliant_render::{Plot, Series};

use crate::shares::case;

/// Half-widths of the curves. Sums particle by particle, and baking, grow with the cube.
const WIDTHS: [usize; 8] = [1, 2, 3, 4, 5, 6, 8, 10];
const NAIVE_TO: usize = 6;

/// A model of the paper's table 1 on a Pentium 4 of 3.4 GHz: name, particles, half-width, ms a step.
const PAPER: [(&str, f64, usize, f64); 4] = [
    ("penguin", 150.0, 2, 0.28),
    ("buddha, solid, damped", 57_626.0, 1, 167.83),
    ("buddha, shell, damped", 19_959.0, 1, 48.47),
    ("infant", 2_570.0, 2, 4.99),
];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_string());
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let quick = std::env::args().any(|a| a == "quick");
    let of_all = || Ok::<_, String>((curves(quick)?, table()?, shares::table()?));
    let (curves, table, shares) = pool.install(of_all)?;
    let mut csv = String::from("way,half_width,ns_per_particle\n");
    for (name, points) in &curves {
        for [w, ns] in points {
            writeln!(csv, "{name},{w},{ns:.2}")?;
        }
    }
    std::fs::write(folder.join("figure-4.csv"), &csv)?;
    std::fs::write(folder.join("figure-4.svg"), plot(&curves))?;
    std::fs::write(folder.join("table-1.csv"), &table)?;
    std::fs::write(folder.join("table-1-shares.csv"), &shares)?;
    print!("{csv}\n{table}\n{shares}");
    let (name, points) = &curves[3];
    println!("{name}: {}", flatness(points, &curves[0].1));
    Ok(())
}

/// Least seconds of a run within about a second.
fn least(mut run: impl FnMut()) -> f64 {
    let (begin, mut best) = (Instant::now(), f64::INFINITY);
    run();
    for _ in 0..200 {
        let start = Instant::now();
        run();
        best = best.min(start.elapsed().as_secs_f64());
        if begin.elapsed().as_secs_f64() > 1.0 {
            break;
        }
    }
    best
}

/// Nanoseconds a particle.
fn cost(items: f64, mut run: Run) -> f64 {
    least(&mut run) * 1e9 / items
}

type Curve = (&'static str, Vec<[f64; 2]>);

fn curves(quick: bool) -> Result<Vec<Curve>, String> {
    let mut curves: Vec<Curve> = vec![
        ("naive sums", Vec::new()),
        ("bar-plate-cube sums", Vec::new()),
        ("running sums", Vec::new()),
        ("whole step in single precision", Vec::new()),
    ];
    for w in WIDTHS.into_iter().filter(|&w| !quick || w <= 4) {
        let at = |ns| [w as f64, ns];
        let sums = case("region-sum", w)?;
        curves[2].1.push(at(cost(sums.items, sums.run)));
        if let Some((items, naive)) = sums.reference.filter(|_| w <= NAIVE_TO) {
            curves[0].1.push(at(cost(items, naive)));
        }
        let shared = case("region-sum-shared", w)?;
        curves[1].1.push(at(cost(shared.items, shared.run)));
        // a kernel that fails its own check has no place in the figure, and the reader is told
        match case("lattice-width", w) {
            Ok(step) => curves[3].1.push(at(cost(step.items, step.run))),
            Err(reason) => println!("the step at half-width {w} left out: {reason}"),
        }
    }
    Ok(curves)
}

/// How much a curve rises, and how many times slower sums particle by particle alone are at half-width 5.
fn flatness(points: &[[f64; 2]], naive: &[[f64; 2]]) -> String {
    let of = points.iter().map(|p| p[1]);
    let (least, most) = (
        of.clone().fold(f64::INFINITY, f64::min),
        of.fold(0.0, f64::max),
    );
    let at_five = |points: &[[f64; 2]]| points.iter().find(|p| p[0] == 5.0).map(|p| p[1]);
    let mut text = format!(
        "{least:.1} to {most:.1} ns, the slowest half-width {:.0} % above the fastest",
        100.0 * (most / least - 1.0)
    );
    if let (Some(ours), Some(theirs)) = (at_five(points), at_five(naive)) {
        let times = theirs / ours;
        text.push_str(&format!("; naive sums alone {times:.0} times at w = 5"));
    }
    text
}

/// Colours of the curves.
const COLORS: [[f32; 3]; 4] = [
    [0.75, 0.25, 0.2],
    [0.85, 0.55, 0.1],
    [0.15, 0.45, 0.75],
    [0.1, 0.6, 0.45],
];

fn plot(curves: &[Curve]) -> String {
    let title = "Cost of a particle by half-width";
    let mut plot = Plot::new(title, ("half-width", ""), ("time", "ns"));
    // naive sums take a hundred times as long
    plot.y_is_logarithmic = true;
    for ((name, points), color) in curves.iter().zip(COLORS) {
        plot.series.push(Series {
            name: (*name).to_string(),
            color,
            dashed: false,
            points: points.clone(),
        });
    }
    plot.svg()
}

fn table() -> Result<String, String> {
    let text = |e: pliant_lattice::LatticeError| e.to_string();
    let assets = [
        block([5, 5, 6], 2).map_err(text)?,
        block([38, 38, 40], 1).map_err(text)?,
        shell(51, 1).map_err(text)?,
        block([13, 14, 14], 2).map_err(text)?,
    ];
    let mut out = String::from(
        "model,particles_paper,half_width,ms_paper,us_per_particle_paper,particles_ours,ms_ours,us_per_particle_ours,times_faster\n",
    );
    for ((name, particles, w, ms), asset) in PAPER.into_iter().zip(assets) {
        let gain = if name.contains("damped") { 0.05 } else { 0.0 };
        let mut body = SteppedBody::new(asset, pace(gain)).map_err(text)?;
        body.deform(wave);
        let own = body.particle_count() as f64;
        let ours = least(|| body.step().expect("the body stays whole")) * 1e3;
        let each = [1e3 * ms / particles, 1e3 * ours / own];
        let line = format!(
            "{name},{particles},{w},{ms},{:.3},{own},{ours:.4},{:.5},{:.0}",
            each[0],
            each[1],
            each[0] / each[1]
        );
        out.push_str(&line);
        out.push('\n');
    }
    let rotations = case("polar", 4096)?;
    let ns = cost(rotations.items, rotations.run);
    out.push_str(&format!(
        "rotation of a region,,,,2.5 cold and 0.45 warm,,,{:.5},\n",
        ns * 1e-3
    ));
    Ok(out)
}
