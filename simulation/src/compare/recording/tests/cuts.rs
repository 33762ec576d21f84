//! Recordings of a bar that a blade cuts: what is exported is closed and manifold in every frame.

use pliant_core::asset::Progress;
use pliant_core::mesh::validate::topology;
use pliant_meshing::io::read_mesh;
use pliant_meshing::report::check;
use pliant_recording::Recording;
use pliant_recording::export::{ExportFormat, export};

use super::recorded;
use crate::cache::AssetCache;
use crate::compare::recording::replay;
use crate::world::testing::scene_in;

const BAR: &str = r#"
    schema = 1
    name = "bar"
    duration = 0.5
    gravity = [0.0, 0.0, 0.0]
    methods = ["adaptive", "lattice"]
    [[body]]
    name = "bar"
    mesh = { procedural = "bar", size = [0.3, 0.1, 0.1], edge = 0.02 }
    material = { young = 3.0e4, poisson = 0.0, density = 500.0, zeta = 0.2 }
    adaptive = { target_edges = [0.035] }
    lattice = { cell = 0.02 }
    [[tool]]
    name = "knife"
    shape = { blade = { length = 0.3, height = 0.05 } }
    motion = { path = "knife" }
    [[path]]
    name = "knife"
    keys = [ { t = 0.0, at = [0.013, 0.08, 0.0], turn = [0.0, 90.0, 10.0] }, { t = 0.25, at = [0.013, -0.08, 0.0], turn = [0.0, 90.0, 10.0] } ]
"#;

#[test]
fn every_exported_frame_of_a_cut_bar_is_closed_and_manifold() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = scene_in(folder.path(), BAR);
    let (comparison, bytes) = recorded(&scene, &folder.path().join("a.plrec"), 1);
    assert_eq!(comparison.runs().count(), 2);
    let recording = Recording::read(&bytes).expect("whole");
    let progress = Progress::new();
    export(&recording, ExportFormat::Obj, folder.path(), &progress).expect("written");
    for method in ["adaptive", "lattice"] {
        let mut parts = Vec::new();
        for frame in 0..30 {
            let file = folder.path().join(format!("obj/{method}-{frame:06}.obj"));
            let surface = read_mesh(&file).expect("readable").surface;
            let found = topology(&surface);
            let what = format!("{method} {frame}: {found:?}");
            assert!(found.is_sound(), "{what}");
            // nothing holds the bar and nothing pulls it, so that it rests as it is
            let volume = surface.volume() / 0.003;
            assert!((volume - 1.0).abs() < 0.02, "{volume} {what}");
            parts.push(found.components);
            // the program says the same, which takes seconds
            if frame % 15 == 14 {
                let report = check(&surface, &progress).expect("not cancelled");
                assert!(
                    report.closed && report.manifold && report.oriented,
                    "{report:?}"
                );
            }
        }
        assert_eq!(parts[0], 1, "{method}");
        assert!(parts[29] >= 2, "{method} {parts:?}");
    }
    // and it runs again to the same bits
    let cache = AssetCache::disabled();
    replay(&recording, &cache, &progress).expect("the same");
}
