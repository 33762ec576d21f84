//! The public interface: error texts, reproducible bits, forces with the right sign.

use pliant::{Body, Error, Method, Pose, Scene, SurfaceMesh, Tool, ToolShape, Vec3, World};

fn pad() -> Body {
    Body::cuboid([0.2, 0.1, 0.2], 0.04)
        .hold_lowest(0.01)
        .set("adaptive.target_edges", vec![0.08, 0.04])
}

fn scene() -> Scene {
    Scene::new("pad")
        .body(pad())
        .tool(Tool::sphere("ball", 0.08, [0.0, 0.14, 0.0]))
        .gravity([0.0; 3])
}

fn punch(radius: f64, half_length: f64) -> Tool {
    let shape = ToolShape::Cylinder {
        radius,
        half_length,
    };
    Tool::of_shape("punch", shape, [0.0, 0.05 + half_length, 0.0])
}

fn build_error(scene: &Scene) -> Error {
    scene.build(Method::Lattice).err().expect("it is refused")
}

fn press(world: &mut World, frames: std::ops::Range<u32>) -> Vec<[u32; 3]> {
    for frame in frames {
        let y = 0.13 - 0.0005 * f64::from(frame.min(20));
        world.move_tool("ball", [0.0, y, 0.0]).expect("a tool");
        world.step().expect("a frame");
    }
    let bits = |x: &[f32; 3]| x.map(f32::to_bits);
    world.positions().iter().map(bits).collect()
}

#[test]
fn what_is_wrong_is_named_with_its_place_and_a_remedy() {
    let tetrahedron = |wrong: u32| {
        let corners = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
        let triangles = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, wrong]];
        Body::from_surface("tip", SurfaceMesh::new(corners.to_vec(), triangles))
    };
    let nan = Body::from_triangles("hull", &[[f32::NAN; 3]; 3], &[[0, 1, 2]]);
    let one = |body: Body| Scene::new("x").body(body);
    let cases = [
        (Scene::new("x"), "MissingKey", "`body`"),
        (
            one(Body::from_file("no-such.stl")),
            "FileNotFound",
            "no-such.stl",
        ),
        (one(Body::procedural("pinguin")), "UnknownBody", "penguin"),
        (
            one(tetrahedron(9)),
            "NoSuchVertex",
            "body `tip`: triangle 3",
        ),
        (one(nan), "NotFinite", "body `hull`: vertex 0"),
        (
            one(pad().set("lattice.cel", 0.1)),
            "UnknownKey",
            "did you mean `cell`?",
        ),
        (one(pad().set("name.x", 1)), "Key", "`name` is no table"),
        (
            one(pad().set("material.poisson", 0.7)),
            "BadValue",
            "body[0].material.poisson",
        ),
        (
            one(pad().set("material.young", f64::NAN)),
            "BadValue",
            "material.young",
        ),
        (
            scene().tool(Tool::floor("ball", 0.0)),
            "DuplicateName",
            "`ball`",
        ),
        (
            scene().tool(Tool::sphere("pin", 0.001, [0.0; 3])),
            "ToolTooSharp",
            "`pin`",
        ),
        (
            scene().tool(Tool::floor("floor", f64::NAN)),
            "NotFinite",
            "tool `floor`",
        ),
        (
            scene().tool(Tool::sphere("hole", -0.1, [0.0; 3])),
            "BadValue",
            "tool[1]",
        ),
        (
            scene().tool(punch(0.08, -0.1)),
            "BadValue",
            "tool[1].shape.cylinder.half_length",
        ),
        (scene().frame_rate(0.0), "BadValue", "frame_rate"),
        (
            scene().set("gravty", 1.0),
            "UnknownKey",
            "did you mean `gravity`?",
        ),
    ];
    for (scene, code, words) in cases {
        let error = build_error(&scene);
        assert_eq!(error.code(), code, "{error}");
        assert!(error.to_string().contains(words), "{code}: {error}");
        assert_eq!(format!("{error:?}"), error.to_string());
    }
    let free = Scene::new("x").body(Body::cuboid([0.1; 3], 0.05));
    let error = free.build(Method::Quasistatic).err();
    assert_eq!(error.expect("no equilibrium").code(), "Unconstrained");
    assert!(Scene::load("no-such-scene").is_err() && Scene::parse("body = 3").is_err());
}

#[test]
fn a_running_world_refuses_by_name_and_goes_on() {
    let mut world = scene().build(Method::Lattice).expect("built");
    let far = f64::INFINITY;
    let unknown = world.move_tool("bal", [0.0; 3]);
    assert!(unknown.is_err_and(|e| e.to_string().contains("`ball`")));
    let pose = Pose::at(Vec3::repeat(far));
    assert!(world.pose_tool("ball", pose).is_err());
    let pushed = world.push(1_000_000, [0.0; 3]);
    assert!(pushed.is_err_and(|e| e.code() == "NoSuchVertex"));
    assert!(world.push(0, [far, 0.0, 0.0]).is_err() && world.advance(far).is_err());
    assert!(world.grab(&[0, 1_000_000], [0.0; 3]).is_err());
    let unknown = world.support_force("roof");
    assert!(unknown.is_err_and(|e| e.to_string().contains("`foot`")));
    let mut out = pliant::QuantityBuffer::default();
    assert!(world.quantity("mood", &mut out).is_err());
    world.step().expect("a frame");
    assert!(world.positions().iter().flatten().all(|x| x.is_finite()));
}

#[test]
fn a_snapshot_of_the_world_goes_on_to_the_same_bits() {
    for method in Method::ALL {
        let mut world = scene().build(method).expect("built");
        press(&mut world, 0..10);
        let snapshot = world.snapshot();
        let once = press(&mut world, 10..25);
        let force = world.tool_force("ball").expect("a tool");
        world.restore(&snapshot).expect("its own");
        assert!(once == press(&mut world, 10..25), "{method:?}");
        let again = world.tool_force("ball").expect("a tool");
        assert_eq!(force, again, "{method:?}");
        let mut again = scene().build(method).expect("built");
        assert!(once == press(&mut again, 0..25), "{method:?}: anew");
    }
}

#[test]
fn the_tool_is_pushed_out_and_the_support_carries_it() {
    for method in Method::ALL {
        let mut world = scene().build(method).expect("built");
        press(&mut world, 0..200);
        let tool = world.tool_force("ball").expect("a tool");
        let foot = world.support_force("foot").expect("a support");
        assert!(tool.y > 1.0, "{method:?}: {tool:?}");
        // force on the tool and force on the body at its foot are both upwards and equal
        assert!(
            (tool - foot).norm() < 0.02 * tool.norm(),
            "{method:?}: {tool:?} {foot:?}"
        );
    }
}

#[test]
fn the_flat_end_of_a_cylinder_presses_the_skin_flat() {
    for method in Method::ALL {
        let scene = Scene::new("punched").body(pad()).tool(punch(0.08, 0.07));
        let mut world = scene.gravity([0.0; 3]).build(method).expect("built");
        for frame in 0..120 {
            let sunk = 0.0001 * f64::from(frame.min(50));
            let at = [0.0, 0.05 + 0.07 - sunk, 0.0];
            world.move_tool("punch", at).expect("a tool");
            world.step().expect("a frame");
        }
        let under = |x: &&[f32; 3]| x[1] > 0.03 && x[0].hypot(x[2]) < 0.07;
        let heights = world.positions().iter().filter(under).map(|x| x[1]);
        let (low, high) = heights.fold((1.0_f32, -1.0_f32), |(l, h), y| (l.min(y), h.max(y)));
        // 5 mm below the top, to a tenth of that
        assert!(low > 0.0445 && high < 0.0455, "{method:?}: {low} {high}");
        let force = world.tool_force("punch").expect("a tool");
        assert!(force.y > 1.0, "{method:?}");
    }
}

#[test]
fn grabs_and_pushes_move_the_body_where_they_point() {
    for method in Method::ALL {
        let mut world = scene().build(method).expect("built");
        let top = world.nearest_vertex([0.0, 0.05, 0.0]);
        let aside = Vec3::new(0.004, 0.0, 0.0);
        for frame in 0..40 {
            world
                .grab(&[top], aside * (f64::from(frame) / 30.0).min(1.0))
                .expect("a vertex");
            world.step().expect("a frame");
        }
        let moved = world.displacement(top).expect("a vertex");
        assert!((moved - aside).norm() < 1e-5, "{method:?}: {moved:?}");
        let force = world.grab_force();
        assert!(force.x > 0.0, "{method:?}: {force:?}");
        world.release();
        world.reset();
        for _ in 0..60 {
            world.push(top, [0.0, -0.5, 0.0]).expect("a vertex");
            world.step().expect("a frame");
        }
        let moved = world.displacement(top).expect("a vertex");
        assert!(moved.y < -1e-4, "{method:?}");
    }
}

#[test]
fn a_fallen_body_does_not_bounce_higher_than_it_fell() {
    let ball = Body::procedural("sphere")
        .longest(0.2)
        .edge(0.02)
        .set("adaptive.nodes", vec![60, 200]);
    let scene = Scene::new("fall")
        .body(ball)
        .tool(Tool::floor("floor", -0.4));
    for method in [Method::Lattice, Method::Adaptive] {
        let mut world = scene.build(method).expect("built");
        let height = |w: &World| w.positions().iter().map(|x| f64::from(x[1])).sum::<f64>();
        let (start, mut fallen, mut highest) = (height(&world), false, f64::MIN);
        for _ in 0..120 {
            world.step().expect("a frame");
            fallen |= world.tool_force("floor").expect("a tool").y < 0.0;
            if fallen {
                highest = highest.max(height(&world));
            }
        }
        assert!(
            fallen && highest < start,
            "{method:?}: {highest} from {start}"
        );
    }
}

#[test]
fn a_game_clock_is_followed_and_a_slow_one_slows_the_body() {
    let mut world = scene().build(Method::Lattice).expect("built");
    let frames = (0..60).map(|_| world.advance(1.0 / 60.0).expect("time"));
    assert_eq!(frames.sum::<usize>(), 60);
    assert_eq!(world.advance(1.0).expect("time"), 4);
    assert_eq!(world.advance(0.001).expect("time"), 0, "nothing is owed");
    assert_eq!(world.advance(-1.0).expect("time"), 0);
}

#[test]
fn bundled_scenes_and_mesh_files_are_loaded_and_take_more_tools() {
    let more = || Tool::sphere("more", 0.1, [0.0, 1.0, 0.0]);
    let poke = Scene::load("poke").expect("bundled").tool(more());
    let description = poke.gravity([0.0, -1.0, 0.0]).description().expect("valid");
    assert_eq!((description.tools.len(), description.gravity.y), (2, -1.0));
    let prepared = scene().prepare().expect("a skin");
    let file = std::env::temp_dir().join(format!("pliant-front-door-{}.obj", std::process::id()));
    pliant::meshing::io::write_obj(&file, prepared.skin()).expect("written");
    let dropped = Scene::load(&file).expect("a mesh").tool(more()).prepare();
    std::fs::remove_file(&file).expect("removed");
    let longest = dropped.expect("a skin").skin().bounds().size().max();
    assert!((longest - 0.3).abs() < 1e-9, "{longest}");
}

#[test]
fn a_blade_cuts_a_body_that_nothing_holds() {
    let bar = Body::cuboid([0.1, 0.1, 0.2], 0.05).set("adaptive.target_edges", vec![0.05]);
    let knife = ToolShape::Blade {
        length: 0.2,
        height: 0.1,
        thickness: 0.001,
    };
    let scene = Scene::new("bar")
        .body(bar)
        .tool(Tool::of_shape("knife", knife, [0.0, 0.1, 0.003]))
        .gravity([0.0; 3]);
    for method in [Method::Adaptive, Method::Lattice] {
        let mut world = scene.build(method).expect("can be cut");
        for frame in 1..=40 {
            let height = 0.1 - 0.2 * f64::from(frame) / 30.0;
            let edge = [0.0, height.max(-0.1), 0.003];
            world.move_tool("knife", edge).expect("a tool");
            world.step().expect("a frame");
        }
        let pieces = world.stats().counter("components");
        assert_eq!(pieces, Some(2.0), "{method:?}");
    }
}

#[test]
fn a_recording_refuses_what_only_the_program_knows() {
    let import = pliant::simulation::scenes::ImportOptions::default();
    let recorded = |scene: &Scene| {
        let loaded = scene.loaded().expect("valid");
        pliant::simulation::recording::recorded_scene(&loaded, &import, None, None)
    };
    let refused = recorded(&scene()).expect_err("its place is not in the text");
    let words = refused.to_string();
    assert!(
        words.contains("`ball`") && words.contains("remedy"),
        "{words}"
    );
    // in a text it is
    let text = "name = 'pad'\n[[body]]\nname = 'pad'\nmesh = { procedural = 'box', size = [0.2, 0.1, 0.2], edge = 0.04 }\n[[tool]]\nname = 'ball'\nshape = { sphere = { radius = 0.08 } }\n";
    recorded(&Scene::parse(text).expect("a scene")).expect("it can be recorded");
}

#[test]
fn a_scene_as_it_was_loaded_keeps_its_text_and_probes_say_what_the_skin_does() {
    let text = "# pressed\nschema = 1\nname = 'pad'\ngravity = [0.0, 0.0, 0.0]\n[[body]]\nname = 'pad'\nmesh = { procedural = 'box', size = [0.2, 0.1, 0.2], edge = 0.04 }\nsupport = [{ name = 'foot', select = { lowest = 0.01 } }]\n[[tool]]\nname = 'ball'\nshape = { sphere = { radius = 0.08 } }\n[[probe]]\nname = 'top'\nat = { nearest_surface_point = [0.02, 0.05, 0.02] }\n";
    let scene = Scene::parse(text).expect("a scene");
    assert_eq!(scene.loaded().expect("valid").text, text);
    let mut world = scene.build(Method::Lattice).expect("built");
    assert_eq!(world.probe("top").expect("a probe"), Vec3::zeros());
    press(&mut world, 0..20);
    let vertex = world.nearest_vertex([0.02, 0.05, 0.02]);
    let (probe, skin) = (world.probe("top"), world.displacement(vertex));
    let (probe, skin) = (probe.expect("a probe"), skin.expect("a vertex"));
    assert!(
        skin.y < -1e-3 && (probe - skin).norm() < 1e-6,
        "{probe:?} {skin:?}"
    );
    assert_eq!(world.output().probes, [probe]);
    let unknown = world.probe("side");
    assert!(unknown.is_err_and(|e| e.to_string().contains("`top`")));
    let progress = pliant::Progress::new();
    progress.cancel();
    let cancelled = scene
        .prepare_with(&progress)
        .and_then(|p| p.build_with(Method::Lattice, &progress));
    assert_eq!(cancelled.err().map(|e| e.code()), Some("Cancelled".into()));
}
