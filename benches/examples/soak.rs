//! Long random use of all methods in one process: tools, hands, blades, going back, starting over. Prints memory and frame times by the minute.
//!
//! `cargo xtask soak --minutes 30`. It fails where more memory is in use at the end than five minutes after the start, by more than two percent. Sizes are bounded (eight snapshots a
//! world, bodies that are reset), so that memory that grows is memory that leaks.
//!
//! It also fails where frames become slower. Of each world the fastest minute of both halves counts, in units of a fixed computation that is timed beside the frames, so that other programs
//! on the machine do not.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use pliant::{Body, Method, Result, Scene, Snapshot, Tool, ToolShape, Vec3, World};

/// When memory is looked at first, minutes.
const SETTLED: usize = 5;
/// How much more it may be at the end.
const MARGIN: f64 = 1.02;
/// How much longer the median frame of the fastest minute may take in the second half.
const DRIFT: f64 = 1.15;
/// Snapshots that are kept of a world.
const KEPT: usize = 8;

/// The same numbers each time (Knuth's multiplier).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }

    /// In [-1, 1].
    fn unit(&mut self) -> f64 {
        self.below(2_000_001) as f64 * 1e-6 - 1.0
    }
}

/// A world in use.
struct Used {
    name: &'static str,
    world: World,
    kept: Vec<Snapshot>,
    /// wall times of the frames of this minute, ms
    costs: Vec<f64>,
    /// medians of the minutes, times of the fixed computation
    medians: Vec<f64>,
    failures: usize,
}

impl Used {
    fn new(name: &'static str, scene: &Scene, method: Method) -> Result<Self> {
        Ok(Self {
            name,
            world: scene.build(method)?,
            kept: Vec::new(),
            costs: Vec::new(),
            medians: Vec::new(),
            failures: 0,
        })
    }

    /// One thing that a user may do, and some frames.
    fn use_it(&mut self, random: &mut Random) -> Result<()> {
        let world = &mut self.world;
        match random.below(12) {
            0..6 => {
                let turn = |r: &mut Random| r.unit();
                let at = [
                    0.1 * turn(random),
                    0.09 + 0.04 * turn(random),
                    0.1 * turn(random),
                ];
                world.move_tool("tool", at)?;
            }
            6 | 7 => {
                let place = [
                    0.1 * random.unit(),
                    0.1 * random.unit(),
                    0.1 * random.unit(),
                ];
                let vertex = world.nearest_vertex(place);
                world.grab(
                    &[vertex],
                    [
                        0.02 * random.unit(),
                        0.02 * random.unit(),
                        0.02 * random.unit(),
                    ],
                )?;
            }
            8 => world.release(),
            9 => {
                let vertex = random.below(world.skin().vertex_count()) as u32;
                world.push(
                    vertex,
                    Vec3::new(random.unit(), random.unit(), random.unit()),
                )?;
            }
            10 => {
                if self.kept.len() == KEPT {
                    self.kept.remove(random.below(KEPT));
                }
                self.kept.push(world.snapshot());
            }
            _ if random.below(8) == 0 => world.reset(),
            _ if !self.kept.is_empty() => {
                world.restore(&self.kept[random.below(self.kept.len())])?
            }
            _ => {}
        }
        for _ in 0..1 + random.below(6) {
            let started = Instant::now();
            if self.world.step().is_err() {
                // a user starts over then
                self.failures += 1;
                self.world.reset();
                self.kept.clear();
            }
            self.costs.push(started.elapsed().as_secs_f64() * 1e3);
        }
        Ok(())
    }

    /// Number of frames of the minute, their median and the worst, ms; begins the next one. `pace` is the time of the fixed computation, ms.
    fn minute(&mut self, pace: f64) -> (usize, f64, f64) {
        self.costs.sort_by(f64::total_cmp);
        let frames = self.costs.len();
        let median = self.costs.get(frames / 2).copied().unwrap_or_default();
        let worst = self.costs.last().copied().unwrap_or_default();
        self.costs.clear();
        self.medians.push(median / pace);
        (frames, median, worst)
    }

    /// How many times longer the fastest minute of the second half took than that of the first, both after the start.
    fn drift(&self) -> f64 {
        let after = self.medians.get(SETTLED - 1..).unwrap_or_default();
        let (first, second) = after.split_at(after.len() / 2);
        let fastest = |minutes: &[f64]| minutes.iter().copied().fold(f64::INFINITY, f64::min);
        fastest(second) / fastest(first)
    }
}

/// Wall time of a fixed computation, ms: what the machine leaves to this process now.
fn fixed_computation() -> f64 {
    let started = Instant::now();
    let mut x = 0.5_f64;
    for _ in 0..200_000 {
        // the logistic map never settles, and no compiler shortens it
        x = 3.99 * x * (1.0 - x);
    }
    std::hint::black_box(x);
    started.elapsed().as_secs_f64() * 1e3
}

fn worlds() -> Result<Vec<Used>> {
    let pad = || {
        Body::cuboid([0.2, 0.1, 0.2], 0.02)
            .hold_lowest(0.05)
            .set("adaptive.target_edges", vec![0.05, 0.025])
            .set("quasistatic.boundary", 250)
            .set("lattice.cell", 0.02)
    };
    let ball = || Tool::sphere("tool", 0.04, [0.0, 0.2, 0.0]).friction(0.3);
    let held = Scene::new("held").body(pad()).tool(ball());
    let shape = ToolShape::Blade {
        length: 0.3,
        height: 0.1,
        thickness: 0.001,
    };
    let blade = Tool::of_shape("tool", shape, [0.0, 0.2, 0.0]);
    let cut = Scene::new("cut")
        .body(pad().set("adaptive.target_edges", vec![0.03]))
        .tool(blade);
    let free = |name: &str, x: f64| {
        Body::cuboid([0.08; 3], 0.02)
            .rename(name)
            .set("lattice.cell", 0.02)
            .set("layout.grid", vec![1, 1, 1])
            .set("layout.origin", vec![x, 0.1, 0.0])
            .set("adaptive.target_edges", vec![0.04])
    };
    let fallen = Scene::new("free")
        .body(free("left", -0.06))
        .body(free("right", 0.06))
        .tool(ball())
        .tool(Tool::floor("floor", 0.0));
    Ok(vec![
        Used::new("adaptive", &held, Method::Adaptive)?,
        Used::new("quasistatic", &held, Method::Quasistatic)?,
        Used::new("lattice", &held, Method::Lattice)?,
        Used::new("adaptive, blade", &cut, Method::Adaptive)?,
        Used::new("lattice, blade", &cut, Method::Lattice)?,
        Used::new("adaptive, free", &fallen, Method::Adaptive)?,
        Used::new("lattice, free", &fallen, Method::Lattice)?,
    ])
}

/// Resident memory of this process, MB (10^6 bytes); `None` where the system does not tell.
fn resident_megabytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"))?;
    let kilobytes: f64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes * 1024.0 / 1e6)
}

fn run(minutes: usize) -> Result<Vec<String>> {
    let mut worlds = worlds()?;
    let mut random = Random(2026);
    let mut memory = Vec::new();
    println!("minute  memory MB  ms of the fixed computation  frames, median and worst ms of each");
    let started = Instant::now();
    for minute in 1..=minutes {
        let end = Duration::from_secs(60 * minute as u64);
        let mut paces = Vec::new();
        while started.elapsed() < end {
            if random.below(50) == 0 {
                paces.push(fixed_computation());
            }
            let k = random.below(worlds.len());
            worlds[k].use_it(&mut random)?;
        }
        let resident = resident_megabytes();
        let told = resident.map_or("?".into(), |mb| format!("{mb:.1}"));
        paces.sort_by(f64::total_cmp);
        let pace = paces.get(paces.len() / 2).copied().unwrap_or(1.0);
        print!("{minute:6}  {told:>9}  pace {pace:.2}");
        for used in &mut worlds {
            let (frames, median, worst) = used.minute(pace);
            print!("  {}: {frames}, {median:.2}, {worst:.1}", used.name);
        }
        println!();
        memory.extend(resident);
    }
    let failures: usize = worlds.iter().map(|used| used.failures).sum();
    println!("{failures} frames could not be computed; their worlds started over");
    let mut complaints = Vec::new();
    if minutes <= SETTLED {
        println!("nothing is judged: that takes more than {SETTLED} minutes");
        return Ok(complaints);
    }
    match (memory.get(SETTLED - 1), memory.last()) {
        (Some(first), Some(last)) => {
            println!("memory: {first:.1} MB after {SETTLED} minutes, {last:.1} MB at the end");
            if *last > MARGIN * first {
                complaints.push("memory grows".into());
            }
        }
        _ => println!("memory is not judged: this system does not tell it"),
    }
    for used in &worlds {
        let drift = used.drift();
        println!(
            "{}: a frame of the fastest minute of the second half took {drift:.2} times as long as one of the first half",
            used.name
        );
        if drift > DRIFT {
            complaints.push(format!("frames of `{}` become slower", used.name));
        }
    }
    Ok(complaints)
}

fn main() -> ExitCode {
    let minutes = std::env::args().nth(1).and_then(|word| word.parse().ok());
    match run(minutes.unwrap_or(30)) {
        Ok(complaints) if complaints.is_empty() => ExitCode::SUCCESS,
        Ok(complaints) => {
            eprintln!("{}", complaints.join("; "));
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
