//! The material of all methods at once.

use egui::{Button, RichText, Ui};
use pliant_core::material::{Damping, Material};
use pliant_simulation::command::Command;

use super::values;
use crate::panels::Context;
use crate::panels::bars::button;
use crate::style;

/// Shows the material of the scene, and prepares all methods again with another one.
pub fn show(ui: &mut Ui, cx: &mut Context<'_>) {
    let Some(setup) = &cx.snapshot.setup else {
        return;
    };
    let present = setup.description.body.material;
    let mut edited = cx.state.material.unwrap_or(present);
    let title = RichText::new("Material of all methods").strong();
    egui::CollapsingHeader::new(title)
        .id_salt("material of all methods")
        .default_open(true)
        .show(ui, |ui| {
            egui::Grid::new("material")
                .num_columns(2)
                .spacing([10.0, 4.0])
                .show(ui, |ui| fields(ui, &mut edited));
            let changed = edited != present;
            ui.horizontal_wrapped(|ui| {
                let hint = "prepares all methods again with this material; time starts at zero";
                let refused = (!changed).then_some("the fields have the material of the run");
                let mut requested = None;
                if button::show(ui, Button::new("Apply to all"), hint, refused).clicked() {
                    requested = Some(edited);
                }
                let hint = "the material that the methods have now";
                if button::show(ui, Button::new("As in the run"), hint, refused).clicked() {
                    edited = present;
                }
                let first = cx.state.edits.first_material(setup).unwrap_or(present);
                let hint =
                    "prepares all methods again with the material that the scene was opened with";
                let refused =
                    (first == present).then_some("the methods have the material of the scene");
                if button::show(ui, Button::new("As in the scene"), hint, refused).clicked() {
                    edited = first;
                    requested = Some(first);
                }
                if let Some(requested) = requested {
                    cx.state.edits.record_material(setup, requested);
                    cx.commands.push(Command::SetMaterial(requested));
                }
            });
            if !setup.description.others.is_empty() {
                let text = "Bodies of other kinds keep theirs.";
                ui.label(style::small(ui, text));
            }
        });
    cx.state.material = (edited != present).then_some(edited);
}

fn fields(ui: &mut Ui, material: &mut Material) {
    let elastic = &mut material.elastic;
    let young = (1.0..=1e12, elastic.young.abs() * 0.01, " Pa");
    let hint = "E of λ = Eν/((1+ν)(1−2ν)) and μ = E/(2(1+ν))";
    field(ui, "Young's modulus E", hint, &mut elastic.young, young);
    let hint = "ν: lateral over axial strain; near 0.5 the body keeps its volume";
    let poisson = (-0.9..=0.499, 0.002, "");
    field(ui, "Poisson's ratio ν", hint, &mut elastic.poisson, poisson);
    let hint = "ρ at rest";
    let density = (1e-3..=1e5, material.density.abs() * 0.01, " kg/m³");
    field(ui, "Density ρ", hint, &mut material.density, density);
    match &mut material.damping {
        Damping::Ratio(ratio) => {
            let hint = "ζ of the lowest mode ω₁; in proportion to stiffness, ζ(ω) = ζ ω/ω₁";
            field(ui, "Damping ratio ζ", hint, ratio, (0.0..=10.0, 0.002, ""));
        }
        Damping::Parameters(given) => {
            let hint = "viscous stress of the strain rate";
            let range = || (0.0..=1e12, 0.1, " Pa s");
            field(ui, "Damping φ", hint, &mut given.phi, range());
            field(ui, "Damping ψ", hint, &mut given.psi, range());
        }
    }
}

/// A row: label and field. The range, what a point of dragging changes, and the unit.
fn field(
    ui: &mut Ui,
    label: &str,
    hint: &str,
    value: &mut f64,
    (range, speed, unit): (std::ops::RangeInclusive<f64>, f64, &str),
) {
    let [low, high] = [range.start(), range.end()].map(|x| values::end(*x, unit.trim_start()));
    let hint = format!("{hint}\nfrom {low} to {high}");
    let name = ui.label(label).on_hover_text(&hint);
    let field = values::field(label, value)
        .range(range)
        .speed(speed.max(1e-6))
        .suffix(unit);
    ui.add(field).labelled_by(name.id).on_hover_text(hint);
    ui.end_row();
}
