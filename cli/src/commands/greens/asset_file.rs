//! Files of Green's functions.

use std::path::Path;

use pliant_quasistatic::GreensAsset;

use crate::failure::Failure;
use crate::recording_file::bytes_of;

/// The asset in a file.
pub fn read_asset(file: &Path) -> Result<GreensAsset, Failure> {
    let place = file.display().to_string();
    let bytes = bytes_of(file)?;
    GreensAsset::from_bytes(&bytes).map_err(|error| {
        let text = format!("{place}: {error}");
        Failure::from_text("AssetFormat", &text, Some(place))
    })
}

/// Names of the supports that can be released without another bake.
pub fn releasable(asset: &GreensAsset) -> Vec<&str> {
    let kept = asset.releasable.iter();
    kept.filter_map(|kept| asset.supports.get(kept.support as usize))
        .map(|support| support.name.as_str())
        .collect()
}

/// A vertex that the skin of `count` vertices does not have.
pub fn no_such_vertex(vertex: u32, count: usize) -> Failure {
    Failure::bad_input(
        "NoSuchVertex",
        format!("there is no vertex {vertex}: the skin has {count}"),
        format!("give 0 to {}", count.saturating_sub(1)),
    )
}
