//! The curves that are shown together: those of the methods, and that of the reference.

use egui::{Color32, Ui};

use super::choices::reference_name;
use crate::panels::Context;
use crate::state::{Curve, Plotted, shown};
use crate::style;

/// A curve with its name and colour.
pub struct ShownCurve<'a> {
    /// Whose it is.
    pub name: &'static str,
    /// Its colour.
    pub color: Color32,
    /// Its points.
    pub curve: &'a Curve,
    /// Whether it is that of the reference.
    pub is_reference: bool,
}

/// The curves of `plotted`, that of the `reference` last.
pub fn shown_curves<'a>(
    ui: &Ui,
    cx: &'a Context<'_>,
    plotted: Plotted,
    reference: Option<&'a Curve>,
) -> Vec<ShownCurve<'a>> {
    let dark = ui.visuals().dark_mode;
    let of_methods = shown(cx.snapshot).into_iter().filter_map(|k| {
        let method = cx.snapshot.panes[k].method;
        Some(ShownCurve {
            name: style::title(method),
            color: style::accent(method, dark),
            curve: cx.state.history.curves.get(k)?.of(plotted)?,
            is_reference: false,
        })
    });
    let name = cx.snapshot.reference.found();
    let name = name.map_or("", |reference| reference_name(reference));
    let of_reference = reference.map(|curve| ShownCurve {
        name,
        color: style::faint(dark),
        curve,
        is_reference: true,
    });
    of_methods.chain(of_reference).collect()
}
