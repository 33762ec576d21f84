//! Opens the viewer: `window [SCENE or MESH] [SECONDS] [PICTURE.png] [STATS.json] [WIDTH] [HEIGHT] [paused]`.

use pliant_simulation::cache::AssetCache;
use pliant_viewer::{ViewOptions, run};

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let at = |k: usize| given.get(k).filter(|s| !s.is_empty() && *s != "-");
    let number = |k: usize| at(k).and_then(|s| s.parse::<f64>().ok());
    let options = ViewOptions {
        source: at(0).map_or("welcome", String::as_str).into(),
        import: Default::default(),
        cache: AssetCache::open(None),
        clock: None,
        play: at(6).is_none(),
        skin: None,
        size: number(4).zip(number(5)).map(|(w, h)| (w as f32, h as f32)),
        exit_after: number(1),
        screenshot: at(2).map(Into::into),
        stats: at(3).map(Into::into),
    };
    if let Err(error) = run(options) {
        eprintln!("{error}");
        std::process::exit(1);
    }
}
