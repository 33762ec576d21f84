//! The pictures of the documents, made by the program itself.

use std::process::Command;

use crate::image::Image;
use crate::step::{Outcome, cargo, expect_file, fresh_folder, program, root, step};
use crate::tools;

/// Panes from left to right.
const METHODS: [&str; 3] = ["adaptive", "quasistatic", "lattice"];
/// Scenes and the second at which they are shown: each while its tool is held deepest.
const SCENES: [(&str, &str); 2] = [("welcome", "02.00"), ("poke", "03.00")];
/// Largest file, bytes.
const LIMIT: usize = 290_000;

/// Makes `docs/pictures/*.png`.
pub fn run() -> Outcome {
    let docs = root().join("docs/pictures");
    std::fs::create_dir_all(&docs).map_err(|e| format!("{}: {e}", docs.display()))?;
    step("build", &mut cargo("build --release -p pliant-cli"))?;
    for (scene, second) in SCENES {
        let folder = fresh_folder(scene)?;
        let mut pliant = Command::new(program());
        pliant
            .args(["compare", scene, "--quiet", "--out"])
            .arg(&folder);
        step(scene, &mut pliant)?;
        let panes = METHODS
            .iter()
            .map(|method| Image::read(&folder.join(format!("frames/{method}-{second}s.png"))))
            .collect::<Result<Vec<_>, _>>()?;
        let file = docs.join(format!("{scene}.png"));
        let bytes = Image::side_by_side(&panes).write_below(&file, LIMIT)?;
        println!("{}: {} kB", file.display(), bytes / 1000);
    }
    if tools::find("xvfb-run").is_none() {
        println!("\n== left out: docs/pictures/viewer.png (no `xvfb-run` on the search path)");
        return Ok(());
    }
    // the first opening only fills the cache, so that the second shows all panes at the same moment of the poke
    let shot = fresh_folder("viewer")?.join("viewer.png");
    let mut bake = Command::new(program());
    bake.args(["bake", "welcome", "--quiet"]);
    step("bake", &mut bake)?;
    let view = [
        "welcome",
        "--play",
        "--exit-after",
        "10",
        "--size",
        "1280x720",
    ];
    step("window", &mut tools::on_virtual_display(&view, &shot))?;
    expect_file("window", &shot)?;
    let bytes = Image::read(&shot)?.write_below(&docs.join("viewer.png"), LIMIT)?;
    println!("{}: {} kB", docs.join("viewer.png").display(), bytes / 1000);
    Ok(())
}
