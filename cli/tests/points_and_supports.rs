//! Points inside from a scene to the tables, and baked bodies on other supports.

mod answer;
mod json_command;
mod program;
mod refused;

use json_command::{done, json};
use program::{Place, place};
use refused::refused;
use serde_json::Value;

const SCENE: &str = r#"
schema = 1
name = "block"
duration = 0.1
gravity = [0.0, 0.0, 0.0]
methods = ["quasistatic"]
[[body]]
name = "block"
mesh = { procedural = "box", size = [0.2, 0.1, 0.2], edge = 0.05 }
material = { young = 2.0e4, poisson = 0.3, density = 1000.0, zeta = 0.3 }
support = [ { name = "base", select = { lowest = 0.01 } } ]
quasistatic = { boundary = "skin", inside = [ { name = "tendon", point = [0.01, 0.0, 0.02], load = [0.0, 0.5, 0.1] } ] }
"#;

/// The base alone, and the base with one side that can be released.
fn folder() -> Place {
    let at = place();
    let write = |name: &str, text: &str| {
        std::fs::write(at.join(name), text).expect("written");
    };
    write("one.toml", SCENE);
    let base = "support = [ { name = \"base\", select = { lowest = 0.01 } } ]";
    let two = "support = [ { name = \"base\", select = { lowest = 0.01 } }, { name = \"side\", select = { box = { min = [0.099, -0.04, -1.0], max = [1.0, 1.0, 1.0] } } } ]";
    let scene = SCENE.replace(base, two);
    assert_ne!(scene, SCENE);
    write("two.toml", &scene);
    at
}

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().expect("a list");
    list.iter().map(|x| x.as_f64().expect("a number")).collect()
}

/// Largest difference over the largest number.
fn apart(a: &Value, b: &Value) -> f64 {
    let (a, b) = (numbers(a), numbers(b));
    assert_eq!(a.len(), b.len());
    let size = b.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    let error = a.iter().zip(&b).map(|(a, b)| (a - b).abs());
    error.fold(0.0, f64::max) / size
}

#[test]
fn a_point_inside_is_the_same_in_run_compare_and_solve() {
    let at = &folder();
    done(at, "gf one.toml --out one.pgf");
    let solved = done(at, "solve one.pgf --load tendon:0,0.5,0.1");
    let solved = &solved["inside"][0];
    let words = "run one.toml --curves run.csv --method quasistatic";
    let run = done(at, words);
    let point = &run["metrics"]["inside"]["tendon"];
    let last = &point["final"];
    for key in ["displacement", "stress"] {
        assert!(apart(&last[key], &solved[key]) < 1e-6, "{key}: {last}");
    }
    let von_mises = last["von_mises"].as_f64().expect("a number");
    assert!(von_mises > 1.0 && von_mises <= point["max_von_mises"].as_f64().expect("a number"));
    // each frame
    let frames = run["metrics"]["frames"].as_u64().expect("a count") as usize;
    let curves = &run["curves"];
    assert_eq!(numbers(&curves["t"]).len(), frames);
    let curve = &curves["inside.tendon"];
    assert_eq!(numbers(&curve["von_mises"]).len(), frames);
    assert_eq!(curve["stress"][frames - 1], last["stress"]);
    assert_eq!(curve["displacement"][frames - 1], last["displacement"]);
    let table = std::fs::read_to_string(at.join("run.csv")).expect("written");
    let mut lines = table.lines();
    let head: Vec<&str> = lines.next().expect("a head").split(',').collect();
    let row: Vec<&str> = lines.next_back().expect("frames").split(',').collect();
    assert_eq!(head.len(), row.len());
    let column = head
        .iter()
        .position(|h| *h == "quasistatic.inside.tendon.von_mises_pa");
    let value: f64 = row[column.expect("a column")].parse().expect("a number");
    assert!((value - von_mises).abs() <= 1e-12 * von_mises);
    // the report
    let compared = done(at, "compare one.toml --out result --no-pictures");
    let same = &compared["methods"]["quasistatic"]["inside"]["tendon"];
    assert_eq!(same, point);
    let page = std::fs::read_to_string(at.join("result/report.html")).expect("written");
    for words in [
        "Points inside",
        "Displacement of tendon, inside",
        "Von Mises stress of tendon, inside",
    ] {
        assert!(page.contains(words), "{words}");
    }
    let again = std::fs::read_to_string(at.join("result/curves.csv")).expect("written");
    assert_eq!(again, table);
}

#[test]
fn a_baked_body_is_held_elsewhere_and_let_go_as_another_bake_would() {
    let at = &folder();
    // a support that is added later holds columns: all nodes of linear elements, of quadratic ones the corners but not the middles between them
    for file in ["one.toml", "two.toml"] {
        let text = std::fs::read_to_string(at.join(file)).expect("written");
        let text = text.replace("boundary = ", "elements = \"linear\", boundary = ");
        std::fs::write(at.join(file), text).expect("written");
    }
    done(at, "gf one.toml --out one.pgf");
    let two = done(at, "gf two.toml --releasable side --out two.pgf");
    assert_eq!(two["releasable"], serde_json::json!(["side"]));
    let hold = "rebase one.pgf --hold side=box:0.099,-0.04,-1,1,1,1 --out held.pgf";
    let held = done(at, hold);
    assert_eq!(held["free"], two["free"]);
    assert_eq!(held["supports"], serde_json::json!(["base", "side"]));
    let freed = done(at, "rebase two.pgf --release side --out let.pgf");
    assert_eq!(freed["free"], held["free_before"]);
    // a vertex that no support holds is pulled: forces on the skin, and what the inside feels
    let pull = |file: &str, vertex: u32| {
        json(
            at,
            &format!("solve {file} --displace {vertex}:0.002,0.001,0 --at 60"),
        )
    };
    let is_free = |v: &u32| pull("two.pgf", *v).0 == 0;
    let free = (0..200).find(is_free).expect("a free vertex");
    for (made, baked) in [("held.pgf", "two.pgf"), ("let.pgf", "one.pgf")] {
        let [(done_a, a), (done_b, b)] = [made, baked].map(|file| pull(file, free));
        assert_eq!((done_a, done_b), (0, 0), "{a} {b}");
        assert!(apart(&a["force"], &b["force"]) < 1e-4, "{made}: {a} {b}");
        assert!(apart(&a["support"], &b["support"]) < 1e-4, "{made}");
        for key in ["displacement", "stress"] {
            let (a, b) = (&a["inside"][0][key], &b["inside"][0][key]);
            assert!(apart(a, b) < 1e-4, "{made} {key}: {a} {b}");
        }
    }
    // the two supports do differ
    let of = |file: &str| done(at, &format!("solve {file} --load tendon:1,0,0"))["inside"].clone();
    let (one, two) = (of("one.pgf"), of("two.pgf"));
    assert!(apart(&one[0]["displacement"], &two[0]["displacement"]) > 0.05);
}

#[test]
fn what_cannot_be_held_or_released_is_named() {
    let at = &folder();
    done(at, "gf one.toml --out one.pgf");
    done(at, "gf two.toml --releasable side,base --out two.pgf");
    for (words, code) in [
        ("one.pgf", "Usage"),
        ("none.pgf --release base", "Unreadable"),
        ("one.toml --release base", "AssetFormat"),
        ("one.pgf --release lid", "NoSuchSupport"),
        ("one.pgf --release base", "NotReleasable"),
        (
            "one.pgf --hold base=half_space:0,0.049,0,0,1,0",
            "NameTaken",
        ),
        ("one.pgf --hold tip=9999", "NoSuchVertex"),
        ("one.pgf --hold tip=lid", "NoSuchGroup"),
        ("one.pgf --hold tip=sphere:5,5,5,1", "Nothing"),
        ("one.pgf --hold tip=sphere:5,5", "BadSupport"),
        ("one.pgf --hold tip=half_space:0,-0.049,0,0,-1,0", "Nothing"),
        ("two.pgf --release side --hold side=", "BadSupport"),
    ] {
        refused(at, &format!("rebase {words} --out new.pgf"), code);
        assert!(!at.join("new.pgf").exists(), "{words}");
    }
    // what is left holds the body: its own release is refused then
    done(at, "rebase two.pgf --release base --out side.pgf");
    let again = "rebase side.pgf --release side --out new.pgf";
    refused(at, again, "NotReleasable");
    let lid = "gf one.toml --releasable lid";
    refused(at, lid, "NoSuchSupport");
    let boundary_elements = "gf one.toml --generator bem-linear --releasable base";
    refused(at, boundary_elements, "NeedsFiniteElements");
}

#[test]
fn a_file_of_one_form_is_replaced_by_one_of_another() {
    let at = &place();
    let body = "procedural = \"sphere\", longest = 0.2, edge = 0.02";
    let scene = SCENE.replace(
        "procedural = \"box\", size = [0.2, 0.1, 0.2], edge = 0.05",
        body,
    );
    let (before, _) = scene.split_once("quasistatic = {").expect("its settings");
    let scene = format!("{before}quasistatic = {{ boundary = 60, elements = \"linear\" }}\n");
    std::fs::write(at.join("sphere.toml"), scene).expect("written");
    let forms = ["", " --hierarchical=0.01", " --wavelet=linear"];
    // wavelets begin with other bytes than the others
    for k in [1, 2, 2, 0, 2, 1] {
        done(at, &format!("gf sphere.toml --out sphere.pgf{}", forms[k]));
    }
}

#[test]
fn a_mesh_with_levels_is_its_own_boundary_though_its_triangles_are_long() {
    let at = &place();
    std::fs::write(at.join("ball.obj"), ball_with_levels(2)).expect("written");
    let procedural = "procedural = \"box\", size = [0.2, 0.1, 0.2], edge = 0.05";
    let scene = SCENE.replace(procedural, "file = \"ball.obj\"");
    let (before, _) = scene.split_once("quasistatic = {").expect("its settings");
    let scene = before.replace("lowest = 0.01", "lowest = 0.03");
    std::fs::write(at.join("ball.toml"), scene).expect("written");
    let words = "gf ball.toml --generator bem-linear --wavelet linear --out ball.pgf";
    let value = done(at, words);
    assert_eq!(
        (&value["n"], &value["base_triangles"]),
        (&66.into(), &8.into())
    );
}

/// OBJ of an octahedron with a radius of 0.1 m that is subdivided `levels` times; its vertices lie on a sphere.
fn ball_with_levels(levels: usize) -> String {
    let [o, r] = [0.0, 0.1];
    let mut points = vec![
        [r, o, o],
        [-r, o, o],
        [o, r, o],
        [o, -r, o],
        [o, o, r],
        [o, o, -r],
    ];
    let mut triangles = Vec::new();
    for x in [0, 1] {
        for y in [2, 3] {
            for z in [4, 5] {
                triangles.push(if (x + y + z) % 2 == 0 {
                    [x, y, z]
                } else {
                    [y, x, z]
                });
            }
        }
    }
    for _ in 0..levels {
        let mut middles = std::collections::BTreeMap::new();
        let mut middle = |a: usize, b: usize| {
            *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                let sum = [0, 1, 2].map(|k| points[a][k] + points[b][k]);
                let length = sum.iter().map(|x: &f64| x * x).sum::<f64>().sqrt();
                points.push(sum.map(|x| r * x / length));
                points.len() - 1
            })
        };
        let split = triangles.iter().flat_map(|&[a, b, c]| {
            let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        });
        triangles = split.collect();
    }
    let vertices = points.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n"));
    let faces = triangles
        .iter()
        .map(|[a, b, c]| format!("f {} {} {}\n", a + 1, b + 1, c + 1));
    vertices.chain(faces).collect()
}

#[test]
fn servo_feels_a_finer_mesh_of_the_body_and_refuses_one_elsewhere() {
    let at = &folder();
    let write = |name: &str, shift: f64| {
        let corners = (0..8_u32).map(|k| {
            let side = |bit: u32, half: f64| if k & bit == 0 { -half } else { half };
            let (x, y, z) = (side(1, 0.1) + shift, side(2, 0.05), side(4, 0.1));
            format!("v {x} {y} {z}\n")
        });
        let faces = "f 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\nf 1 3 4 2\nf 5 6 8 7\n";
        let text = corners.collect::<String>() + faces;
        std::fs::write(at.join(name), text).expect("written");
    };
    write("detail.obj", 0.0);
    write("elsewhere.obj", 1.0);
    let plain = done(at, "servo one.toml --seconds 0.05");
    assert!(plain["detail"].is_null());
    let felt = done(at, "servo one.toml --seconds 0.05 --detail detail.obj");
    let detail = &felt["detail"];
    assert_eq!(detail["apart"], 0, "{detail}");
    let slope = detail["slope_max"].as_f64().expect("a number");
    assert!(slope > 0.1 && slope <= 1.0 + 1e-9, "{slope}");
    let words = "servo one.toml --seconds 0.05 --detail elsewhere.obj";
    refused(at, words, "DetailApart");
}
