//! Long random use of all methods in one process: tools, hands, blades, restored states and resets. Prints memory and frame times once a minute.
//!
//! `cargo xtask soak --minutes 30`. It fails if the memory in use at the end is more than two percent larger than five minutes after the start. Sizes are bounded (eight snapshots a
//! world, bodies that are reset), so that growing memory is a leak.
//!
//! It also fails if frames become slower. For each world it compares the fastest minutes of the two halves. Times are relative to a fixed computation that is timed beside the frames, so that
//! the load of the machine does not matter.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use pliant::core::math::quantile;
use pliant::core::math::random::SplitMix64;
use pliant::{Body, Method, Result, Scene, Snapshot, Tool, ToolShape, Vec3, World};

/// Time before the first measurement that counts, minutes.
const WARM_UP_MINUTES: usize = 5;
/// Largest ratio of the memory at the end to that after the warm-up.
const MAX_MEMORY_GROWTH: f64 = 1.02;
/// Largest ratio of the fastest minute's median frame time in the second half to that in the first half.
const MAX_SLOWDOWN: f64 = 1.15;
/// Most snapshots of a world.
const MAX_SNAPSHOTS: usize = 8;

/// A world, its snapshots and its frame times.
struct UsedWorld {
    name: &'static str,
    world: World,
    snapshots: Vec<Snapshot>,
    /// wall times of the frames of this minute, ms
    frame_times: Vec<f64>,
    /// medians of the minutes, times of the fixed computation
    medians: Vec<f64>,
    failures: usize,
}

impl UsedWorld {
    fn new(name: &'static str, scene: &Scene, method: Method) -> Result<Self> {
        Ok(Self {
            name,
            world: scene.build(method)?,
            snapshots: Vec::new(),
            frame_times: Vec::new(),
            medians: Vec::new(),
            failures: 0,
        })
    }

    /// Performs a random action of a user, and then some frames.
    fn act_and_step(&mut self, random: &mut SplitMix64) -> Result<()> {
        let world = &mut self.world;
        match random.below(12) {
            0..6 => {
                let offset = random.vector().component_mul(&Vec3::new(0.1, 0.04, 0.1));
                world.move_tool("tool", offset + Vec3::y() * 0.09)?;
            }
            6 | 7 => {
                let vertex = world.nearest_vertex(random.vector() * 0.1);
                world.grab(&[vertex], random.vector() * 0.02)?;
            }
            8 => world.release(),
            9 => {
                let vertex = random.below(world.skin().vertex_count()) as u32;
                world.push(vertex, random.vector())?;
            }
            10 => {
                if self.snapshots.len() == MAX_SNAPSHOTS {
                    self.snapshots.remove(random.below(MAX_SNAPSHOTS));
                }
                self.snapshots.push(world.snapshot());
            }
            _ if random.below(8) == 0 => world.reset(),
            _ if !self.snapshots.is_empty() => {
                world.restore(&self.snapshots[random.below(self.snapshots.len())])?
            }
            _ => {}
        }
        for _ in 0..1 + random.below(6) {
            let started = Instant::now();
            if self.world.step().is_err() {
                // after a failed frame a user resets the world
                self.failures += 1;
                self.world.reset();
                self.snapshots.clear();
            }
            self.frame_times.push(started.elapsed().as_secs_f64() * 1e3);
        }
        Ok(())
    }

    /// Number of frames of the minute, their median and longest time, ms. Starts the next minute. `reference_time` is the time of the fixed computation, ms.
    fn finish_minute(&mut self, reference_time: f64) -> (usize, f64, f64) {
        self.frame_times.sort_by(f64::total_cmp);
        let frames = self.frame_times.len();
        let median = quantile(&self.frame_times, 0.5).unwrap_or_default();
        let worst = self.frame_times.last().copied().unwrap_or_default();
        self.frame_times.clear();
        self.medians.push(median / reference_time);
        (frames, median, worst)
    }

    /// Ratio of the fastest minute of the second half to that of the first half, after the warm-up.
    fn slowdown(&self) -> f64 {
        let after = self.medians.get(WARM_UP_MINUTES - 1..).unwrap_or_default();
        let (first, second) = after.split_at(after.len() / 2);
        let fastest = |minutes: &[f64]| minutes.iter().copied().fold(f64::INFINITY, f64::min);
        fastest(second) / fastest(first)
    }
}

/// Wall time of a fixed computation, ms: a measure of the current speed of the machine.
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

fn worlds() -> Result<Vec<UsedWorld>> {
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
        UsedWorld::new("adaptive", &held, Method::Adaptive)?,
        UsedWorld::new("quasistatic", &held, Method::Quasistatic)?,
        UsedWorld::new("lattice", &held, Method::Lattice)?,
        UsedWorld::new("adaptive, blade", &cut, Method::Adaptive)?,
        UsedWorld::new("lattice, blade", &cut, Method::Lattice)?,
        UsedWorld::new("adaptive, free", &fallen, Method::Adaptive)?,
        UsedWorld::new("lattice, free", &fallen, Method::Lattice)?,
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
    let mut random = SplitMix64(2026);
    let mut memory = Vec::new();
    println!("minute  memory MB  ms of the fixed computation  frames, median and worst ms of each");
    let started = Instant::now();
    for minute in 1..=minutes {
        let end = Duration::from_secs(60 * minute as u64);
        let mut reference_times = Vec::new();
        while started.elapsed() < end {
            if random.below(50) == 0 {
                reference_times.push(fixed_computation());
            }
            let k = random.below(worlds.len());
            worlds[k].act_and_step(&mut random)?;
        }
        let resident = resident_megabytes();
        let memory_text = resident.map_or("?".into(), |mb| format!("{mb:.1}"));
        reference_times.sort_by(f64::total_cmp);
        let reference_time = quantile(&reference_times, 0.5).unwrap_or(1.0);
        print!("{minute:6}  {memory_text:>9}  pace {reference_time:.2}");
        for used in &mut worlds {
            let (frames, median, worst) = used.finish_minute(reference_time);
            print!("  {}: {frames}, {median:.2}, {worst:.1}", used.name);
        }
        println!();
        memory.extend(resident);
    }
    let failures: usize = worlds.iter().map(|used| used.failures).sum();
    println!("{failures} frames could not be computed; their worlds started over");
    let mut complaints = Vec::new();
    if minutes <= WARM_UP_MINUTES {
        println!("nothing is judged: that takes more than {WARM_UP_MINUTES} minutes");
        return Ok(complaints);
    }
    match (memory.get(WARM_UP_MINUTES - 1), memory.last()) {
        (Some(first), Some(last)) => {
            println!(
                "memory: {first:.1} MB after {WARM_UP_MINUTES} minutes, {last:.1} MB at the end"
            );
            if *last > MAX_MEMORY_GROWTH * first {
                complaints.push("memory grows".into());
            }
        }
        _ => println!("memory is not judged: this system does not tell it"),
    }
    for used in &worlds {
        let slowdown = used.slowdown();
        println!(
            "{}: a frame of the fastest minute of the second half took {slowdown:.2} times as long as one of the first half",
            used.name
        );
        if slowdown > MAX_SLOWDOWN {
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
