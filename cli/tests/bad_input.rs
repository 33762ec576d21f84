//! The program itself on bad usage and bad input: exit code, one line on standard error, a JSON error with a place and a hint.

mod answer;
mod json_command;
mod program;
mod small;

use std::path::Path;
use std::process::Output;

use json_command::{done, json};
use program::{Place, program};
use serde_json::Value;
use small::SCENE;

/// A folder with `small.toml`, and `free.toml`, in which nothing holds the body.
fn folder() -> Place {
    let at = small::folder();
    let free = SCENE.replace(
        "support = [ { name = \"base\", select = { lowest = 0.01 } } ]",
        "",
    );
    assert_ne!(free, SCENE);
    std::fs::write(at.join("free.toml"), free).expect("written");
    at
}

/// Runs a command whose words stand between spaces.
fn pliant(folder: &Path, words: &str) -> Output {
    let output = program(folder).args(words.split_whitespace()).output();
    output.expect("the program starts")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("it ends by itself")
}

/// Runs a command that must be refused, as text and as JSON; the error object.
#[track_caller]
fn refused(folder: &Path, words: &str, expected: &str) -> Value {
    // on a busy machine long work says how far it is
    let told = pliant(folder, &format!("--quiet {words}"));
    let text = String::from_utf8_lossy(&told.stderr).into_owned();
    assert_eq!(code(&told), 2, "{words}: {text}");
    let lines: Vec<&str> = text.lines().collect();
    let [line] = lines[..] else {
        panic!("{words} wrote {} lines: {text}", lines.len());
    };
    assert!(
        line.starts_with("pliant: ") && line.ends_with(&format!(" [{expected}]")),
        "{words}: {line}"
    );
    assert!(told.stdout.is_empty(), "{words} wrote a result");
    let (exit, result) = json(folder, words);
    assert_eq!(exit, 2, "--json {words}");
    assert_eq!(result["ok"], false, "{words}");
    let error = result["error"].clone();
    assert_eq!(error["code"], expected, "{words}: {error}");
    for key in ["message", "hint"] {
        let text = error[key].as_str().unwrap_or_default();
        assert!(!text.is_empty(), "{words}: no {key} in {error}");
        assert!(!text.contains('\n'), "{words}: {key} has two lines");
    }
    assert!(error.get("where").is_some(), "{words}: {error}");
    error
}

/// The same for an error whose place names `part`.
#[track_caller]
fn refused_at(folder: &Path, words: &str, expected: &str, part: &str) {
    let error = refused(folder, words, expected);
    let place = error["where"].as_str().unwrap_or_default();
    assert!(place.contains(part), "`{part}` is not in {error}");
}

/// The cells of a row of a table.
fn cells<const N: usize>(row: &str) -> [&str; N] {
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    cells.try_into().unwrap_or_else(|_| panic!("{row}"))
}

/// Commands that must be refused, each in a line with its code and a part of the text `key` of the error.
#[track_caller]
fn all_refused(folder: &Path, key: &str, rows: &str) {
    for row in rows.lines() {
        let [words, code, part] = cells(row);
        let error = refused(folder, words, code);
        let text = error[key].as_str().unwrap_or_default();
        assert!(text.contains(part), "{words}: `{part}` is not in {error}");
    }
}

#[test]
fn goals_that_cannot_be_meant_are_refused() {
    let rows = "\
        advise small.toml --error 200% | BadError |
        advise small.toml --budget-ms inf | BadBudget |
        advise small.toml --skin-error thin | BadSkinError |
        advise small.toml --methods magic | UnknownMethod |
        advise missing.stl | FileNotFound | missing.stl
        advise small.toml --duration 0 | BadDuration |";
    all_refused(&folder(), "where", rows);
}

#[test]
fn bad_meshes_are_refused() {
    let at = &folder();
    let write = |name: &str, bytes: &[u8]| std::fs::write(at.join(name), bytes).expect("written");
    write("empty.stl", b"");
    write("letter.stl", b"Dear mesh, how are you? I am fine.\n");
    write(
        "nan.off",
        b"OFF\n4 4 0\n0 0 0\n1 0 0\nnan 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n",
    );
    write(
        "hole.obj",
        b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n",
    );
    write(
        "sheet.obj",
        b"v 0 0 0\nv 1 0 0\nv 1 1 0.1\nv 0 1 0\nf 1 2 3\nf 1 3 4\n",
    );
    write("points.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    let rows = "\
        compare missing.stl | FileNotFound | missing.stl
        compare empty.stl | EmptyFile | empty.stl
        compare letter.stl | UnknownFormat | letter.stl
        compare nan.off | NonFinite | line 5
        compare sheet.obj | SkinOpen | sheet.obj
        compare points.obj | NoTriangles | points.obj
        compare hole.obj --repair off | SkinOpen | hole.obj
        check empty.stl | EmptyFile | empty.stl
        view missing.stl | FileNotFound | missing.stl
        missing.stl | FileNotFound | missing.stl
        view small.toml --check-skin | NoDisplay |
        view small.toml --check-skin --play | Usage |";
    all_refused(at, "where", rows);
    // a mesh with problems is a result of `check`
    assert_eq!(done(at, "check hole.obj")["closed"], false);
}

#[test]
fn a_hole_is_closed_and_told() {
    let at = &folder();
    // a cube without a half of its lid
    std::fs::write(
        at.join("hole.obj"),
        b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
          f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 1 5 8 4\nf 4 8 7\n",
    )
    .expect("written");
    let result = done(at, "mesh hole.obj --out levels");
    assert_eq!(result["levels"].as_array().map(Vec::len), Some(3));
    let told = result["repaired"].to_string();
    assert!(told.contains("a hole of 3 edges"), "{told}");
    let error = refused(at, "mesh hole.obj --repair off --out none", "SkinOpen");
    assert!(!at.join("none").exists());
    assert!(
        error["message"]
            .as_str()
            .is_some_and(|m| m.contains("1 hole "))
    );
}

#[cfg(unix)]
#[test]
fn any_file_name_will_do() {
    use std::os::unix::ffi::OsStrExt;
    let at = &folder();
    let cube = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
          f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 1 5 8 4\nf 4 8 7 3\n";
    let long = "long ".repeat(48) + ".obj";
    let names = [
        b"\xe9\xfc.obj",
        "k\u{f6}rper \u{7403}.obj".as_bytes(),
        long.as_bytes(),
    ];
    for name in names.map(std::ffi::OsStr::from_bytes) {
        if std::fs::write(at.join(name), cube).is_err() {
            // a file system that takes no such name
            continue;
        }
        for command in [&["check"][..], &["bake", "--method", "lattice"]] {
            let output = program(at).arg("--json").args(command).arg(name).output();
            let output = output.expect("the program starts");
            let (exit, result) = answer::answer(&output);
            assert_eq!(exit, 0, "{command:?} {name:?}");
            assert_eq!(result["ok"], true);
        }
    }
}

/// A binary STL of one triangle that claims `count`.
fn stl_claiming(count: u32) -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    bytes.extend(count.to_le_bytes());
    for x in [
        0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0_f32,
    ] {
        bytes.extend(x.to_le_bytes());
    }
    bytes.extend([0, 0]);
    bytes
}

#[test]
fn bad_files_name_their_place_and_leave_nothing() {
    let at = &folder();
    let mut files = vec![
        ("cut.stl", "Truncated", "byte 134", stl_claiming(2)),
        (
            "claims.stl",
            "TooManyClaimed",
            "byte 80",
            stl_claiming(1_000_000_000),
        ),
        (
            "a.meshb",
            "UnknownFormat",
            "a.meshb",
            b"\x01\0\0\0\x02\0\0\0\x03\0\0\0".into(),
        ),
    ];
    // with `;` between the lines of a file
    let texts = "\
        claims.ply | TooManyClaimed | line 7 | ply;format ascii 1.0;element vertex 3;property float x;property float y;property float z;element face 1000000000;property list uchar int vertex_indices;end_header;
        nan.obj | NonFinite | line 3 | v 0 0 0;v 1 0 0;v 0 nan 0;f 1 2 3;
        two.obj | NoTriangles | two.obj | v 0 0 0;v 1 0 0;f 1 2 2;
        cloud.off | NoTriangles | cloud.off | OFF;3 0 0;0 0 0;1 0 0;0 1 0;
        missing.off | IndexOutOfRange | line 6 | OFF;3 1 0;0 0 0;1 0 0;0 1 0;3 0 1 7;
        letter.stl | UnknownFormat | letter.stl | Dear mesh, how are you?;
        zipped.vtu | Unsupported | zipped.vtu | <VTKFile type='UnstructuredGrid' compressor='vtkLZMADataCompressor'><UnstructuredGrid><Piece NumberOfPoints='4' NumberOfCells='1'><Points><DataArray type='Float32' format='binary'>AAAA</DataArray></Points></Piece></UnstructuredGrid></VTKFile>
        draco.gltf | Unsupported | draco.gltf | {'asset':{'version':'2.0'},'extensionsRequired':['KHR_draco_mesh_compression']}
        meshopt.gltf | Unsupported | meshopt.gltf | {'asset':{'version':'2.0'},'extensionsRequired':['EXT_meshopt_compression']}";
    for row in texts.lines() {
        let [name, code, part, text] = cells(row);
        let text = match name.ends_with("gltf") {
            true => text.replace('\'', "\""),
            false => text.replace(';', "\n"),
        };
        files.push((name, code, part, text.into_bytes()));
    }
    for (name, code, part, bytes) in &files {
        std::fs::write(at.join(name), bytes).expect("written");
        refused_at(at, &format!("mesh {name} --out levels"), code, part);
        assert!(!at.join("levels").exists(), "{name} left a folder");
        refused_at(at, &format!("voxelise {name} --out v.vtu"), code, part);
        assert!(!at.join("v.vtu").exists(), "{name} left a file");
    }
    // the folder of the cache is made before anything is read
    let cached = std::fs::read_dir(at.join("cache")).map_or(0, |names| names.count());
    assert_eq!(cached, 0, "nothing of a bad file is kept");
    let names = at.read_dir().expect("a folder");
    let names = names.filter(|n| n.as_ref().is_ok_and(|n| n.file_name() != "cache"));
    assert_eq!(
        names.count(),
        files.len() + 2,
        "only the files of this test are there"
    );
}

#[test]
fn what_is_no_file_is_refused_and_never_waited_for() {
    let at = &folder();
    std::fs::create_dir(at.join("folder.stl")).expect("a folder");
    let check = |name: &str, code: &str| refused_at(at, &format!("check {name}"), code, name);
    check("folder.stl", "NotAFile");
    #[cfg(unix)]
    {
        use std::os::unix::fs::{PermissionsExt, symlink};
        // a pipe that nobody writes to, and a device without end
        let mut make = std::process::Command::new("mkfifo");
        let made = make.arg(at.join("pipe.stl")).status();
        if made.is_ok_and(|status| status.success()) {
            check("pipe.stl", "NotAFile");
        }
        symlink("/dev/zero", at.join("zero.stl")).expect("a link");
        check("zero.stl", "NotAFile");
        symlink(at.join("gone"), at.join("vanished.stl")).expect("a link");
        check("vanished.stl", "FileNotFound");
        let locked = at.join("locked.stl");
        std::fs::write(&locked, stl_claiming(1)).expect("written");
        std::fs::set_permissions(&locked, PermissionsExt::from_mode(0o000)).expect("locked");
        // the administrator may read everything
        if std::fs::read(&locked).is_err() {
            check("locked.stl", "NoPermission");
        }
    }
}

#[test]
fn a_file_of_tetrahedra_is_the_finest_level_as_it_is() {
    let at = &folder();
    done(at, "mesh kidney --nodes 60,200 --out a");
    let finest = std::fs::read(at.join("a/level-1.vtu")).expect("a level");
    std::fs::write(at.join("body.vtu"), &finest).expect("written");
    let result = done(at, "mesh body.vtu --levels 2 --out b");
    assert_eq!(result["finest_from_file"], true);
    assert_eq!(result["levels"].as_array().map(Vec::len), Some(2));
    let distance = result["levels"][1]["hausdorff_rel"].as_f64();
    assert!(distance.is_some_and(|d| d < 1e-6), "{distance:?}");
    let level = std::fs::read(at.join("b/level-1.vtu")).expect("a level");
    assert!(level == finest, "not a bit of the file's mesh changed");
}

#[test]
fn bad_scenes_are_refused() {
    let at = &folder();
    let write = |name: &str, text: String| std::fs::write(at.join(name), text).expect("written");
    write("key.toml", SCENE.replace("density", "densty"));
    write(
        "mesh.toml",
        SCENE.replace(
            "procedural = \"box\", size = [0.2, 0.1, 0.2], edge = 0.05",
            "file = \"gone.obj\"",
        ),
    );
    write(
        "later.toml",
        SCENE.replace("edges = [0.05]", "edges = [0.05], levels = 3"),
    );
    let rows = "\
        compare key.toml | UnknownKey | body[0].material.densty
        compare mesh.toml | FileNotFound | gone.obj
        compare later.toml | NotYetSupported | body[0].adaptive.levels
        compare gone.toml | Unreadable | gone.toml
        compare nonsense | NoSuchScene | nonsense";
    all_refused(at, "where", rows);
}

#[test]
fn what_does_not_fit_in_a_scene_is_told_with_its_file() {
    let at = &folder();
    let tool = |radius: f64| {
        format!(
            "{SCENE}[[tool]]\nname = \"t\"\nshape = {{ sphere = {{ radius = {radius} }} }}\nmotion = {{ path = \"p\" }}\n[[path]]\nname = \"p\"\nkeys = [ {{ t = 0, at = [0, 1, 0] }} ]\n"
        )
    };
    let grab = "[[grab]]\nname = \"g\"\nselect = { sphere = { center = [9, 9, 9], radius = 1 } }\n";
    let far = "sphere = { center = [9, 9, 9], radius = 1 }";
    for (text, code, part) in [
        (
            SCENE.replace("\"box\"", "\"bax\""),
            "UnknownBody",
            "body[0].mesh",
        ),
        (
            SCENE.replace("lowest = 0.01", far),
            "SupportEmpty",
            "body[0].support[0].select",
        ),
        (format!("{SCENE}{grab}"), "SupportEmpty", "grab[0].select"),
        (tool(0.001), "ToolTooSharp", "tool t"),
        (tool(100.0), "ToolTooLarge", "tool t"),
    ] {
        std::fs::write(at.join("wrong.toml"), text).expect("written");
        for command in ["compare", "run --method lattice", "bake"] {
            let error = refused(at, &format!("{command} wrong.toml"), code);
            let text = |key: &str| error[key].as_str().unwrap_or_default().to_string();
            assert!(text("message").starts_with("wrong.toml: "), "{error}");
            assert_eq!(text("where"), format!("wrong.toml: {part}"));
        }
    }
}

#[test]
fn a_budget_that_the_method_does_not_have_is_told_and_changes_nothing() {
    let at = &folder();
    let told = |words: &str| {
        let output = pliant(at, &format!("run small.toml --frames 2 {words}"));
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(code(&output), 0, "{words}: {error}");
        let is_told = |line: &&str| line.starts_with("only the adaptive method has a budget");
        error.lines().filter(is_told).count()
    };
    for method in ["quasistatic", "lattice"] {
        assert_eq!(told(&format!("--method {method}")), 0);
        assert_eq!(told(&format!("--method {method} --budget-ms 2")), 1);
        assert_eq!(told(&format!("--method {method} --budget-by time")), 1);
        assert_eq!(told(&format!("--method {method} --budget-ms 2 --quiet")), 0);
    }
    assert_eq!(told("--method adaptive --budget-ms 20"), 0);
}

#[test]
fn bad_usage_is_refused() {
    let at = &folder();
    std::fs::create_dir(at.join("theirs")).expect("a folder");
    std::fs::write(at.join("theirs/thesis.txt"), "precious").expect("written");
    let rows = "\
        compare small.toml --methods magic | UnknownMethod |
        run small.toml --method magic | UnknownMethod |
        compare small.toml --duration 0 | BadDuration |
        compare small.toml --duration=-1 | BadDuration |
        compare small.toml --duration nan | BadDuration |
        compare small.toml --duration soon | Usage |
        compare | Usage |
        run small.toml --method lattice --frames 0 | BadFrames |
        run small.toml --method lattice --frames 99999999999 | BadFrames |
        compare small.toml --threads 0 | Usage |
        bench no-such-kernel | UnknownKernel |
        export small.toml | Usage |
        gf small.toml --wavelet none --rms 0.01 | Usage |
        gf small.toml --wavelet none --hats | Usage |
        gf small.toml --wavelet linear --rms 7 | BadThreshold |
        gf small.toml --wavelet linear --epsilon 2 | BadThreshold |
        servo small.toml --seconds 0 | BadSeconds |
        servo small.toml --friction 0.3,0.4 | Friction |
        servo small.toml --friction 0.4,0.3,x | Friction |
        servo small.toml --radius 7 | MaskRadius |
        servo small.toml --detail missing.stl | FileNotFound |
        servo small.toml --tool --detail missing.stl | Usage |
        view small.toml free.toml | OneBodyOnly |
        nonsense | NoSuchScene |
        compare small.toml --out theirs | FolderNotOurs | theirs";
    all_refused(at, "where", rows);
    let kept = std::fs::read_to_string(at.join("theirs/thesis.txt")).expect("still there");
    assert_eq!(kept, "precious");
    let names = std::fs::read_dir(at.join("theirs")).expect("a folder");
    assert_eq!(names.count(), 1, "nothing was written into it");
}

#[test]
fn a_file_of_another_kind_is_not_replaced() {
    let at = &folder();
    let rows = "\
        gf small.toml --out small.toml | FileNotOurs | small.toml
        voxelise kidney --out small.toml | FileNotOurs | small.toml
        rebase small.toml --hold tip=1 --out small.toml | FileNotOurs | small.toml
        schema --out small.toml | FileNotOurs | small.toml
        run small.toml --method lattice --curves small.toml | FileNotOurs |
        servo small.toml --trace small.toml | FileNotOurs |";
    all_refused(at, "where", rows);
    assert_eq!(code(&pliant(at, "--json=small.toml scenes")), 2);
    let kept = std::fs::read_to_string(at.join("small.toml")).expect("still there");
    assert_eq!(kept, SCENE);
    for _ in 0..2 {
        let again = pliant(at, "--json=scenes.json schema --out schema.json");
        let error = String::from_utf8_lossy(&again.stderr);
        assert_eq!(code(&again), 0, "{error}");
    }
}

#[test]
fn what_was_probably_meant_is_told() {
    let at = &folder();
    let handle = SCENE.replace("lowest = 0.01", "group = \"handel\"");
    let handle = handle.replace(
        "procedural = \"box\", size = [0.2, 0.1, 0.2], edge = 0.05",
        "procedural = \"spatula\"",
    );
    assert!(handle.contains("handel") && handle.contains("spatula"));
    std::fs::write(at.join("handle.toml"), handle).expect("written");
    std::fs::write(at.join("picture.toml"), b"\x89PNG\r\n\x1a\n").expect("written");
    let rows = "\
        comapre small.toml --methods lattice | NoSuchScene | `compare`
        run pokee --method lattice | NoSuchScene | `poke`
        run nodule --method lattice | NoSuchScene | `pliant mesh`
        mesh kidny --out x | FileNotFound | `kidney`
        mesh nothing-like-it --out x | FileNotFound | kidney, liver
        compare small.toml --durration 2 | Usage | `--duration`
        compare small.toml --reference estimate | Usage | `--reference=estimate`
        compare small.toml --methods latice | UnknownMethod | `lattice`
        bake handle.toml | SupportEmpty | handle
        bake picture.toml | Unreadable | text
        inspect . | Unreadable | file
        run small.toml --method adaptive --budget-ms -4 | BadBudget | above 0
        run small.toml --method adaptive --frames -3 | Usage | `pliant run --help`
        compare small.toml --units mm | Usage | body.mesh
        mesh a.stl --repair off --thickness 0.01 --out x | Usage | leave one of them out
        mesh kidney --units mm --out x | Usage | leave it out
        mesh kidney --nodes 60,30 --out x | BadNodes | coarse to fine
        mesh kidney --edge 0.05,0.05 --out x | BadEdge | coarse to fine
        run small.toml --method lattice --curves . | Unwritable | name of a file
        oscillate --size -1,1,1 | BadSize | 0.0001
        oscillate --nodes 7 | BadNodes | give 8
        oscillate --mixed --nodes 8 | BadNodes | give 22
        oscillate --poisson -1.5 | BadValue | -0.9";
    all_refused(at, "hint", rows);
}

#[test]
fn the_static_method_without_a_support() {
    let at = &folder();
    let rows = "\
        compare free.toml --methods quasistatic | Unconstrained | quasistatic
        run free.toml --method quasistatic | Unconstrained | quasistatic";
    all_refused(at, "where", rows);
    let methods = done(at, "compare free.toml --no-pictures")["methods"].clone();
    assert_eq!(methods["quasistatic"]["applicable"], false);
    assert_eq!(methods["quasistatic"]["code"], "Unconstrained");
    for name in ["adaptive", "lattice"] {
        assert_eq!(methods[name]["applicable"], true, "{name}");
        assert_eq!(methods[name]["frames"], 12, "{name}");
    }
}

#[test]
fn force_feedback_of_several_bodies_is_refused_with_and_without_a_support() {
    let at = &folder();
    for name in ["small.toml", "free.toml"] {
        let text = std::fs::read_to_string(at.join(name)).expect("there");
        let pair = text.replace("mesh = {", "count = 2\nmesh = {");
        assert_ne!(pair, text);
        std::fs::write(at.join(name), pair).expect("written");
    }
    let rows = "\
        servo small.toml --seconds 0.05 | OneBodyOnly |
        servo free.toml --seconds 0.05 | OneBodyOnly |";
    all_refused(at, "where", rows);
}

#[test]
fn a_comparison_is_one_object_and_repeats() {
    let at = &folder();
    let run = |options: &str| {
        let words = "compare small.toml --out result --no-pictures";
        let result = done(at, &format!("{options} {words}"));
        assert_eq!(result["ok"], true);
        ["adaptive", "quasistatic", "lattice"].map(|name| {
            let hash = &result["methods"][name]["surface_hash"];
            hash.as_str().expect("a hash").to_string()
        })
    };
    let first = run("--threads 1 --no-cache");
    assert_eq!(first, run("--threads 2 --cache kept"));
    assert_eq!(first, run("--threads 2 --cache kept"));
    assert!(at.join("kept").is_dir());
    for name in ["report.html", "report.json", "curves.csv"] {
        assert!(at.join("result").join(name).is_file(), "{name}");
    }
}

#[test]
fn a_paced_run_counts_what_its_frames_gave_up() {
    let at = &folder();
    let cut = SCENE.replace(
        "adaptive = { target_edges = [0.05] }",
        "adaptive = { nodes = [27, 125], resolution = \"cut\" }",
    );
    assert_ne!(cut, SCENE);
    let floor = r#"
        [[tool]]
        name = "floor"
        shape = { half_space = { point = [0.0, 0.0, 0.0], normal = [0.0, 1.0, 0.0] } }
        motion = "fixed"
    "#;
    std::fs::write(at.join("cut.toml"), cut + floor).expect("written");
    let words = "run cut.toml --method adaptive --budget-by time --frames 5 --curves paced.csv";
    let run = done(at, words);
    assert!(run["notes"].is_array(), "{run}");
    let table = std::fs::read_to_string(at.join("paced.csv")).expect("written");
    let mut lines = table.lines();
    let head: Vec<&str> = lines.next().expect("a head").split(',').collect();
    let expected = [
        "time_s",
        "adaptive.force.floor_n",
        "adaptive.active_nodes",
        "adaptive.work_units",
        "adaptive.busy_ms",
    ];
    assert_eq!(head[..expected.len()], expected);
    let metrics = &head[expected.len()..];
    assert!(metrics.contains(&"adaptive.energy_residual_j"), "{head:?}");
    let rows: Vec<Vec<f64>> = lines
        .map(|line| {
            line.split(',')
                .map(|x| x.parse().expect("a number"))
                .collect()
        })
        .collect();
    assert_eq!(rows.len(), 5);
    for row in rows {
        assert_eq!(row.len(), head.len());
        assert!(
            row[2..expected.len()].iter().all(|cost| *cost > 0.0),
            "{row:?}"
        );
    }
    for kind in [
        "refinement_withheld",
        "coarser_constraints",
        "fewer_substeps",
        "constraints_released",
        "stood_still",
    ] {
        let frames = run["degraded"][kind].as_u64();
        assert!(frames.is_some_and(|n| n <= 5), "{kind}: {frames:?}");
    }
    assert!(run["violation_max_m"].is_number());
    for name in [
        "stood_still",
        "eased_contact",
        "released_contact",
        "mended_nodes",
        "yielding",
        "refused_splits",
    ] {
        assert!(run["counters"][name].is_number(), "{name}");
    }
    // without --json the same for people
    let output = pliant(at, words);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("stood still 0"), "{text}");
}

#[test]
fn without_a_display_the_report_is_written() {
    let at = &folder();
    let output = pliant(at, "view small.toml");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(code(&output), 0, "{error}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = text.lines().chain(error.lines());
    let said: Vec<&str> = said.filter(|l| l.starts_with("no window: ")).collect();
    assert_eq!(said.len(), 1, "one line says why: {text}{error}");
    assert!(at.join("pliant-out/small/report.html").is_file());
}

#[test]
fn help_and_version_are_no_errors() {
    let at = &folder();
    for words in ["--help", "--version", "compare --help", "help"] {
        let output = pliant(at, words);
        assert_eq!(code(&output), 0, "{words}");
        assert!(!output.stdout.is_empty(), "{words}");
        assert!(output.stderr.is_empty(), "{words}");
    }
    let version = pliant(at, "--version");
    let text = String::from_utf8_lossy(&version.stdout).into_owned();
    assert_eq!(text.trim(), format!("pliant {}", env!("CARGO_PKG_VERSION")));
    let scenes = done(at, "scenes");
    assert!(scenes["scenes"].as_array().is_some_and(|s| s.len() >= 5));
}
