//! Names and titles of the bundled scenes.

use std::sync::LazyLock;

use pliant_simulation::scenes::{BUNDLED, ImportOptions, load};

static TITLES: LazyLock<Vec<(&'static str, String)>> = LazyLock::new(|| {
    let title = |name| load(name, &ImportOptions::default()).map(|s| s.description.title);
    let titled = BUNDLED.iter().map(|(name, _)| (*name, title(name)));
    titled.map(|(n, t)| (n, t.unwrap_or_default())).collect()
});

/// Name and title of each bundled scene, in their order. Their texts are read once.
pub fn bundled() -> impl Iterator<Item = (&'static str, &'static str)> {
    TITLES.iter().map(|(name, title)| (*name, title.as_str()))
}
