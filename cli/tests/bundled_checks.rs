//! Bundled scenes with checks pass them as they are, with all their nodes: each check is judged, but for those that need a reference, which takes minutes. A scene runs until its checks are
//! decided, and at least two seconds.

mod answer;
mod program;

use answer::answer;
use pliant_simulation::scenes::BUNDLED;
use program::{place, program};

fn passes_its_checks(name: &str, seconds: &str) {
    let at = &place();
    let words = ["compare", name, "--json", "--no-pictures", "--quiet"];
    let mut compare = program(at);
    let output = compare.args(words).args(["--duration", seconds]).output();
    let (code, found) = answer(&output.expect("the program starts"));
    let checks = found["checks"].as_array().expect("a list");
    let mut judged = 0;
    for check in checks {
        let is_skipped = check["pass"].is_null();
        assert_eq!(is_skipped, check["against"] == "reference", "{check}");
        assert!(is_skipped || check["pass"] == true, "{check}");
        judged += usize::from(!is_skipped);
    }
    assert_eq!(code, 0, "{found}");
    assert!(judged > 0, "{found}");
}

macro_rules! checked {
    ($($test:ident: $scene:literal for $seconds:literal),+ $(,)?) => {
        $(
            #[test]
            fn $test() {
                passes_its_checks($scene, $seconds);
            }
        )+

        #[test]
        fn no_bundled_scene_with_checks_is_left_out() {
            let mut tested = [$($scene),+];
            let with_checks = BUNDLED.iter().filter(|(_, text)| text.contains("[[check]]"));
            let mut bundled: Vec<&str> = with_checks.map(|(name, _)| *name).collect();
            tested.sort_unstable();
            bundled.sort_unstable();
            assert_eq!(&tested[..], &bundled[..]);
        }
    };
}

checked! {
    banana_seat: "banana-seat" for "4",
    cantilever: "cantilever" for "3",
    cube_oscillation: "cube-oscillation" for "2",
    cut: "cut" for "3",
    dragon: "dragon" for "4",
    finger_pad: "finger-pad" for "4",
    fracture: "fracture" for "3",
    grasp_2: "grasp-2" for "5",
    grasp_5: "grasp-5" for "5",
    incision: "incision" for "4.6",
    kidney: "kidney" for "5",
    materials: "materials" for "4",
    octahedron_nu0: "octahedron-nu0" for "4",
    octahedron_nu03: "octahedron-nu03" for "4",
    octahedron_nu05: "octahedron-nu05" for "4",
    pinch: "pinch" for "4",
    poke: "poke" for "2.2",
    rabbit: "rabbit" for "4",
    slice: "slice" for "3",
    spatula: "spatula" for "4",
    tear: "tear" for "3",
    torso: "torso" for "5",
    toy: "toy" for "6",
}
