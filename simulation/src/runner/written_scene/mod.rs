//! The scene that runs, as text: with the motion of the hand, so that every run repeats what was done in the window.

use super::simulation::Simulation;
use crate::compare::advice::SceneText;
use crate::scenes::load;
use crate::setup::hand::HandMotion;

impl Simulation {
    /// The text of the scene that runs, with its present material and with what the hand did, as far as the timeline knows it.
    ///
    /// # Errors
    /// In a line, why there is none.
    pub(super) fn written_scene(&self) -> Result<String, String> {
        let (Some((source, import)), Some(setup)) = (&self.source, &self.setup) else {
            return Err("no scene is open".into());
        };
        let text = load(source, import).and_then(|loaded| {
            let text = SceneText::of(&loaded)?;
            let (now, then) = (&setup.description.body, &loaded.description.body);
            Ok(match now.material == then.material {
                true => text,
                false => text.with_material(&now.material),
            })
        });
        let text = text.map_err(|e| e.to_string().replace("\n  remedy:", ";"))?;
        let hand = HandMotion::recorded(
            setup.hand.as_deref(),
            setup.description.frame_rate,
            self.timeline.interactions(),
        );
        let heading = [
            format!(
                "Saved by the window of pliant {}.",
                env!("CARGO_PKG_VERSION")
            ),
            "`pliant view`, `run`, `compare` and `advise` take this file.".into(),
        ];
        let text = match hand.is_idle() {
            true => text,
            false => text.with_hand(&hand),
        };
        Ok(text.with(&[], &heading))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use pliant_core::asset::Progress;
    use pliant_core::material::{Damping, DampingParameters};
    use pliant_core::math::Vec3;
    use pliant_core::scene::Method;

    use super::Simulation;
    use crate::build::build_method;
    use crate::cache::AssetCache;
    use crate::runner::command::Command;
    use crate::scenes::{ImportOptions, LoadedScene, load};
    use crate::setup::{Setup, prepare};
    use crate::world::{Interaction, World};

    const SCENE: &str = r#"# a pad
schema = 1
name = "pad"
gravity = [0.0, 0.0, 0.0]
[[body]]
name = "pad"
mesh = { procedural = "box", size = [0.2, 0.1, 0.2], edge = 0.05 }
material = { young = 2.0e4, poisson = 0.3, density = 1000.0, zeta = 0.1 } # soft
support = [ { name = "base", select = { lowest = 0.01 } } ]
adaptive = { target_edges = [0.05, 0.03] }
lattice = { cell = 0.05, half_width = 1 }
[[tool]]
name = "ball"
shape = { sphere = { radius = 0.09 } }
motion = { device = "pointer", script = "$POKE" }
"#;

    fn setup_of(scene: &LoadedScene) -> Arc<Setup> {
        Arc::new(prepare(scene, &Progress::new()).expect("concrete"))
    }

    /// A simulation without a thread, of a scene in a file.
    fn simulation(path: &Path, methods: &[Method]) -> Simulation {
        let import = ImportOptions::default();
        let setup = setup_of(&load(path, &import).expect("valid"));
        Simulation::of_scene(&setup, methods, Some((path.into(), import)), None)
    }

    /// What a hand does before a frame.
    fn act(simulation: &mut Simulation, frame: u64) {
        let skin = Arc::clone(simulation.setup.as_ref().expect("a scene").skin());
        let top = (0..skin.vertex_count()).filter(|v| skin.positions[*v].y > 0.049);
        let vertices: Vec<u32> = top.take(3).map(|v| v as u32).collect();
        let mut tell = |command| simulation.carry_out(command);
        let third = frame as f64 / 3.0;
        match frame {
            3..12 => tell(Command::MoveTool(Some(Vec3::new(
                0.001 * third,
                0.142 - 0.002 * third,
                0.0,
            )))),
            12 => {
                tell(Command::MoveTool(None));
                tell(Command::SetGravity(true));
            }
            15 | 24 => tell(Command::Grab {
                vertices,
                displacement: Vec3::new(0.0, 1e-4 * third, 0.0),
            }),
            16..20 | 25..28 => tell(Command::MoveGrab(Vec3::new(1e-3, 1e-3 * third, 0.0))),
            20 => tell(Command::Release),
            21 => {
                tell(Command::SetGravity(false));
                tell(Command::Pull { vertices });
            }
            22 => tell(Command::MovePull(Vec3::new(0.3, 0.2, 0.0))),
            23 => tell(Command::Release),
            _ => {}
        }
    }

    fn positions(world: &World) -> Vec<[f32; 3]> {
        world.frame().positions.clone()
    }

    #[test]
    fn a_scene_that_was_written_repeats_the_hand_to_the_bit() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("scene.toml");
        std::fs::write(&path, SCENE).expect("written");
        let mut simulation = simulation(&path, &Method::ALL);
        let mut then = Vec::new();
        for frame in 0..30 {
            act(&mut simulation, frame);
            simulation.take_frame();
            let worlds = simulation.panes.iter().filter_map(|p| p.world.as_ref());
            then.push(worlds.map(positions).collect::<Vec<_>>());
        }
        simulation.carry_out(Command::WriteScene);
        let written = simulation.written.clone().expect("an answer");
        let text = written.as_ref().as_ref().expect("a text");
        assert!(
            text.contains("# a pad") && text.contains("# soft"),
            "{text}"
        );
        let copy = folder.path().join("hand.toml");
        std::fs::write(&copy, text).expect("written");
        let scene = load(&copy, &ImportOptions::default()).expect("valid");
        assert!((scene.description.duration - 0.5).abs() < 1e-12);
        let setup = setup_of(&scene);
        let names: Vec<&str> = setup.grabs.iter().map(|g| g.name.as_str()).collect();
        assert_eq!(names, ["hand 1", "hand 2"]);
        for (k, method) in Method::ALL.into_iter().enumerate() {
            let cache = AssetCache::disabled();
            let built = build_method(&setup, method, &cache, &Progress::new()).expect("built");
            let mut world = World::new(method, built.model, Arc::clone(&setup));
            let mut moved = false;
            for (frame, then) in then.iter().enumerate() {
                world.step_frame(&Interaction::default()).expect("steps");
                let now = positions(&world);
                moved |= world.output().grab_forces.iter().any(|f| f.norm() > 0.0);
                assert_eq!(now, then[k], "{} in frame {frame}", method.name());
            }
            assert!(moved, "{}: the hand did nothing", method.name());
        }
    }

    #[test]
    fn a_hand_that_takes_hold_of_a_repeated_one_is_written_over_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("scene.toml");
        std::fs::write(&path, SCENE).expect("written");
        let mut first = simulation(&path, &[Method::Lattice]);
        for frame in 0..14 {
            act(&mut first, frame);
            first.take_frame();
        }
        let copy = folder.path().join("hand.toml");
        std::fs::write(&copy, first.written_scene().expect("a text")).expect("written");
        let mut second = simulation(&copy, &[Method::Lattice]);
        for frame in 0..10 {
            if frame == 8 {
                second.carry_out(Command::MoveTool(Some(Vec3::new(0.0, 0.2, 0.0))));
            }
            second.take_frame();
        }
        std::fs::write(&copy, second.written_scene().expect("a text")).expect("written");
        let scene = load(&copy, &ImportOptions::default()).expect("valid");
        let hand = scene.hand.expect("a hand");
        assert_eq!((hand.frames, hand.gravity.first()), (14, Some(&(12..14))));
        let at = |frame: u64| {
            hand.tool
                .iter()
                .find(|(f, _)| *f == frame)
                .map(|(_, at)| at.y)
        };
        assert_eq!((at(8), at(9), at(2)), (Some(0.2), Some(0.2), None));
        assert_eq!(at(11), Some(0.142 - 0.002 * 11.0 / 3.0));
    }

    #[test]
    fn the_material_of_the_window_is_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("scene.toml");
        std::fs::write(&path, SCENE).expect("written");
        let mut simulation = simulation(&path, &[Method::Lattice]);
        let mut setup = Setup::clone(simulation.setup.as_ref().expect("a scene"));
        let material = &mut setup.description.body.material;
        material.elastic.young = 3.5e4;
        material.damping = Damping::Parameters(DampingParameters { phi: 1.0, psi: 2.0 });
        let material = *material;
        simulation.setup = Some(Arc::new(setup));
        let text = simulation.written_scene().expect("a text");
        assert!(!text.contains("[hand]"), "{text}");
        let scene = LoadedScene::of_text("written", text).expect("valid");
        assert_eq!(scene.description.body.material, material);
    }
}
