//! The table `view` in the text of a scene.

use pliant_core::scene::{Method, ViewDescription};
use toml_edit::{Array, DocumentMut, Item, Table, Value};

/// Puts `view` in place of the table that the text has, or at its end.
pub(super) fn set_view(document: &mut DocumentMut, view: &ViewDescription) {
    let table = document
        .entry("view")
        .or_insert_with(|| Item::Table(Table::new()));
    let Some(keys) = table.as_table_like_mut() else {
        return;
    };
    keys.clear();
    let mut set = |key: &str, value: Value| keys.insert(key, Item::Value(value));
    if let Some(camera) = &view.camera {
        set("target", numbers(camera.target.iter()));
        set("yaw", camera.yaw.into());
        set("pitch", camera.pitch.into());
        set("distance", camera.distance.into());
        set("field_of_view", camera.field_of_view.into());
    }
    if let Some(name) = &view.quantity {
        set("quantity", name.as_str().into());
    }
    if let Some(range) = &view.range {
        set("range", numbers(range.iter()));
    }
    let methods = [
        ("difference_to", view.difference_to),
        ("alone", view.alone),
        ("overlay", view.overlay),
    ];
    for (key, method) in methods {
        if let Some(name) = method.map(Method::name) {
            set(key, name.into());
        }
    }
    if view.edges {
        set("edges", true.into());
    }
    if let Some(inline) = table.as_inline_table_mut() {
        inline.fmt();
    }
}

fn numbers<'a>(list: impl Iterator<Item = &'a f64>) -> Value {
    list.copied().collect::<Array>().into()
}
