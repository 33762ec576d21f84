//! Figures of the papers with the results of Pliant, which examples write to a folder.

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::builder::PossibleValuesParser;

use crate::step::{Outcome, cargo, example, expect_file, fresh_folder, program, step};
use crate::tools;

/// A method with figures in its papers.
struct Method {
    name: &'static str,
    /// The packages and examples that draw them.
    examples: &'static [[&'static str; 2]],
    /// Figures that show a bundled scene: file, scene, and time, s. A multiple of a quarter: `pliant compare` draws four pictures a second.
    scenes: &'static [(&'static str, &'static str, f64)],
    /// Figures that show the window: file, and scene with options.
    windows: &'static [[&'static str; 2]],
}

const METHODS: [Method; 4] = [
    Method {
        name: "adaptive",
        examples: &[["pliant-simulation", "adaptive_figures"]],
        scenes: &[],
        windows: &[],
    },
    Method {
        name: "lattice",
        examples: &[
            ["pliant-lattice", "cost_figures"],
            ["pliant-simulation", "lattice_figures"],
        ],
        // the penguins are among the pins
        scenes: &[
            ("figure-1.png", "penguins", 1.0),
            ("inset-fracture.png", "shatter", 1.0),
        ],
        windows: &[["inset-batches.png", "buddha --skin batch-colors"]],
    },
    Method {
        name: "quasistatic",
        examples: &[["pliant-quasistatic", "quasistatic_figures"]],
        // all five fingers hold the body
        scenes: &[("figure-1.4.png", "grasp", 2.0)],
        windows: &[],
    },
    Method {
        name: "wavelets",
        examples: &[["pliant-quasistatic", "wavelet_figures"]],
        scenes: &[],
        windows: &[],
    },
];

/// Words that choose figures: a method, or a quick look at all.
pub fn words() -> PossibleValuesParser {
    let methods = METHODS.iter().map(|method| method.name);
    methods.chain(["quick"]).collect::<Vec<_>>().into()
}

/// Makes the figures of one method or of all methods. `quick` takes smaller bodies and shorter timings, as does the word "quick" in place of a method.
pub fn run(word: Option<&str>, quick: bool) -> Outcome {
    let quick = quick || word == Some("quick");
    let name = word.filter(|word| *word != "quick");
    let mut folders = Vec::new();
    for method in METHODS.iter().filter(|m| name.is_none_or(|n| n == m.name)) {
        let folder = draw_examples(method.name, quick)?;
        draw_scenes_and_windows(method, &folder)?;
        folders.push(folder);
    }
    for folder in folders {
        println!("{}", folder.display());
    }
    Ok(())
}

/// Makes the figures that examples draw for a method, in a folder below the target folder.
pub fn draw_examples(name: &str, quick: bool) -> Result<PathBuf, String> {
    let folder = fresh_folder(&format!("figures-{name}"))?;
    let examples = (METHODS.iter()).filter(|k| k.name == name);
    for [package, title] in examples.flat_map(|k| k.examples) {
        let mut command = example(package, title);
        command.arg(&folder).args(quick.then_some("quick"));
        step(title, &mut command)?;
    }
    Ok(folder)
}

/// Makes the figures that the program draws for a method: scenes and the window.
fn draw_scenes_and_windows(method: &Method, folder: &Path) -> Outcome {
    if method.scenes.is_empty() && method.windows.is_empty() {
        return Ok(());
    }
    step("build", &mut cargo("build --release -p pliant-cli"))?;
    for &(file, scene, second) in method.scenes {
        draw_scene(method.name, (scene, second), &folder.join(file))?;
    }
    for [file, scene] in method.windows {
        let picture = folder.join(file);
        if tools::find_for(file, "xvfb-run").is_none() {
            continue;
        }
        let arguments = format!("{scene} --play --exit-after 15 --size 1280x800");
        let mut command = tools::on_virtual_display(&program(), &arguments, &picture);
        step(file, &mut command)?;
        expect_file(file, &picture)?;
    }
    Ok(())
}

/// Draws a scene at its point in time. The program prints the numbers of its report.
fn draw_scene(method: &str, (name, second): (&str, f64), file: &Path) -> Outcome {
    let report = fresh_folder(&format!("figures-scene-{name}"))?;
    let mut compare = Command::new(program());
    compare.args(["compare", name, "--quiet", "--all-pictures"]);
    compare.args(["--methods", method]);
    // a little longer, so that the picture is drawn
    compare.args(["--duration", &(second + 0.1).to_string(), "--out"]);
    step(name, compare.arg(&report))?;
    let frame = report.join(format!("frames/{method}-{second:05.2}s.png"));
    let copied = std::fs::copy(&frame, file);
    copied.map_err(|e| format!("{name}: {}: {e}", frame.display()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenes_of_figures_are_bundled_have_the_method_and_last_long_enough() {
        for method in &METHODS {
            let windows = method
                .windows
                .iter()
                .filter_map(|[_, arguments]| arguments.split(' ').next());
            let windows = windows.map(|name| (name, 0.0));
            let scenes = method
                .scenes
                .iter()
                .map(|&(_, name, second)| (name, second));
            for (name, second) in scenes.chain(windows) {
                let file = crate::step::root().join(format!("scenes/{name}.toml"));
                let text = std::fs::read_to_string(&file).expect(name);
                let value = |key: &str| {
                    let line = text.lines().find(|line| line.starts_with(key));
                    line.and_then(|line| line.split_once(" = ")).expect(key).1
                };
                let duration: f64 = value("duration").parse().expect("seconds");
                assert!(second < duration, "{name} is over before {second} s");
                assert!(value("methods").contains(method.name), "{name}");
                assert_eq!(
                    (4.0 * second).fract(),
                    0.0,
                    "{name} has no picture at {second} s"
                );
            }
        }
    }
}
