//! Names, probes, parameters, quantities

use std::ffi::c_char;

use pliant::{QuantityBuffer, World};

use super::memory::{Choice, Out, OutRows, Text};
use super::objects::with_world;
use super::types::{PliantName, name_kind};
use crate::failure::Failure;
use crate::handles::PliantWorld;
use crate::status::PliantStatus;
use crate::values;

/// The name of a tool, support, probe, parameter or quantity by its number from 0, in UTF-8 with NUL at its end; PLIANT_STATUS_NOT_FOUND past the last one. capacity and count are bytes,
/// that of NUL included; a null buffer asks for count alone.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_name(
    world: PliantWorld,
    kind: Choice<PliantName>,
    index: usize,
    name: OutRows<c_char, 1>,
    capacity: usize,
    count: Out<usize>,
) -> PliantStatus {
    with_world(world, |world| {
        let found = name_of(world, name_kind(kind)?, index).ok_or_else(|| {
            let words = format!("there is no number {index} of that kind");
            Failure::new(PliantStatus::NotFound, "NotFound", words)
        })?;
        let with_nul = found.bytes().filter(|&b| b != 0).chain([0]);
        let bytes: Vec<[c_char; 1]> = with_nul.map(|b| [b as c_char]).collect();
        // SAFETY: the capacity that stands beside the pointer
        unsafe { name.put(&bytes, capacity, &count, "name") }
    })
}

/// Value of a probe of the scene after the last frame, m: a displacement or a position, as the scene says. Zero before the first frame.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_probe(
    world: PliantWorld,
    probe: Text,
    value: Out<[f64; 3]>,
) -> PliantStatus {
    with_world(world, |world| {
        let read = world.probe(probe.read("probe")?)?;
        value.put(read.into(), "value")
    })
}

/// Sets a parameter of the model that acts at once; the value is written as in a scene file: "damping_ratio" and "0.1".
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_set_parameter(
    world: PliantWorld,
    parameter: Text,
    value: Text,
) -> PliantStatus {
    with_world(world, |world| {
        let name = parameter.read("parameter")?;
        let value = values::parameter(value.read("value")?, name)?;
        Ok(world.set_parameter(name, value)?)
    })
}

/// A quantity now, for colouring: a number for each skin vertex; for few quantities one for each point inside. "surface_stress" and "surface_strain" come first, which every method has;
/// then those of the model, "von_mises_stress" for example. Buffers as in pliant_world_positions.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_quantity(
    world: PliantWorld,
    quantity: Text,
    values: OutRows<f32, 1>,
    capacity: usize,
    count: Out<usize>,
) -> PliantStatus {
    with_world(world, |world| {
        let mut out = QuantityBuffer::default();
        world.quantity(quantity.read("quantity")?, &mut out)?;
        let (rows, _) = out.scalars.as_chunks::<1>();
        // SAFETY: the capacity that stands beside the pointer
        unsafe { values.put(rows, capacity, &count, "values") }
    })
}

fn name_of(world: &World, kind: PliantName, index: usize) -> Option<String> {
    let setup = world.setup();
    match kind {
        PliantName::Tool => setup.tools.get(index).map(|t| t.name.clone()),
        PliantName::Support => {
            let supports = &setup.geometry.supports;
            supports.get(index).map(|s| s.name.clone())
        }
        PliantName::Probe => setup.probes.get(index).map(|p| p.name.clone()),
        PliantName::Parameter => {
            let parameters = world.model().parameters();
            parameters.get(index).map(|p| p.name.to_string())
        }
        PliantName::Quantity => {
            let mut quantities = world.quantities();
            quantities.nth(index).map(|q| q.name.to_string())
        }
        PliantName::Note => world.notes().get(index).cloned(),
    }
}
