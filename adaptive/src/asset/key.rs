//! The content key under which a hierarchy is cached.

use pliant_core::asset::{AssetKey, BodyGeometry, KeyHasher};

use crate::asset::format::bytes::Writer;
use crate::asset::format::hierarchy::VERSION;
use crate::asset::format::material::write_material;
use crate::asset::format::skin::write_skin;
use crate::params::AdaptiveParams;

/// Content key of the hierarchy of `geometry`: skin, material, supports and levels, and their calibration. No other parameter changes the baked data.
pub fn key(geometry: &BodyGeometry, params: &AdaptiveParams) -> AssetKey {
    let mut hasher = KeyHasher::new("adaptive hierarchy", VERSION);
    let mut writer = Writer::default();
    write_skin(&mut writer, &geometry.skin);
    write_material(&mut writer, &geometry.material);
    for support in &geometry.supports {
        writer.text(&support.name);
        writer.text(&format!("{:?}", support.selection));
        writer.list(&support.skin_vertices);
    }
    writer.u32(params.calibration as u32);
    hasher.bytes("body", &writer.into_bytes());
    for level in &geometry.levels {
        hasher.positions("nodes", &level.nodes);
        hasher.indices("tets", level.tets.iter().flatten().copied());
    }
    hasher.finish()
}
