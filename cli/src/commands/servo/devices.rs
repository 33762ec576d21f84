//! Devices, tools and friction from the options.

use std::path::Path;

use pliant_core::boundary::Friction;
use pliant_quasistatic::haptics::device::RecordedDevice;
use pliant_quasistatic::haptics::{HapticError, PointFriction};
use pliant_simulation::servo::UdpDevice;
use pliant_simulation::setup::{Setup, SetupTool};

use crate::args::Servo;
use crate::failure::Failure;
use crate::options::parse_numbers;
use crate::recording_file::bytes_of;
use crate::session::Session;

/// The tools that a hand can hold: all but floors and blades.
fn hand_tools(setup: &Setup) -> impl Iterator<Item = &SetupTool> {
    let fits = |tool: &&SetupTool| tool.shape.inner_radius().is_finite() && !tool.shape.is_blade();
    setup.tools.iter().filter(fits)
}

/// The first tool that a hand can hold.
pub(super) fn first_hand_tool(setup: &Setup) -> Option<&SetupTool> {
    hand_tools(setup).next()
}

/// `--friction S,K`, else that of the first tool that a hand can hold.
pub(super) fn friction(args: &Servo, setup: &Setup) -> Result<PointFriction, Failure> {
    let chosen = match &args.friction {
        Some(text) => {
            let numbers = parse_numbers(text).unwrap_or_default();
            let &[sticking, sliding] = numbers.as_slice() else {
                return Err(Failure::bad_input(
                    "Friction",
                    format!("--friction {text} is not two coefficients"),
                    "write it as 0.4,0.3: sticking, sliding",
                ));
            };
            PointFriction { sticking, sliding }
        }
        None => match first_hand_tool(setup).map(|tool| tool.friction) {
            Some(Friction::Coulomb {
                static_coefficient,
                kinetic_coefficient,
            }) => PointFriction {
                sticking: static_coefficient,
                sliding: kinetic_coefficient,
            },
            _ => PointFriction::default(),
        },
    };
    chosen.checked().map_err(refused)
}

/// An error of the haptic surface or loop.
pub(super) fn refused(error: HapticError) -> Failure {
    Failure::of(&error, None)
}

/// A recorded trace as a device.
pub(super) fn recorded(path: &Path) -> Result<RecordedDevice, Failure> {
    let place = path.display().to_string();
    let bytes = bytes_of(path)?;
    RecordedDevice::parse(&String::from_utf8_lossy(&bytes)).map_err(|error| {
        Failure::bad_input(
            "BadTrace",
            format!("{place}: {error}"),
            "write a line for each tip: time,x,y,z in seconds and metres",
        )
        .at(place)
    })
}

/// A device that is connected over the network.
pub(super) fn listening(
    session: &Session,
    address: &str,
    tips: usize,
) -> Result<UdpDevice, Failure> {
    let device = UdpDevice::bind(address, tips).map_err(|error| {
        Failure::bad_input(
            "Unreachable",
            format!("{address}: {error}"),
            "give an address of this machine that is free, as 127.0.0.1:9001",
        )
        .at(address)
    })?;
    if let Ok(place) = device.address() {
        session.output.remark(format!("listening at {place}"));
    }
    Ok(device)
}

/// The tools that `--tool` and `--hand` move; none where a point does.
pub(super) fn moved_tools(args: &Servo, setup: &Setup) -> Result<Vec<SetupTool>, Failure> {
    if !args.tool && !args.hand {
        return Ok(Vec::new());
    }
    let tools: Vec<SetupTool> = match args.hand {
        true => hand_tools(setup).cloned().collect(),
        false => first_hand_tool(setup).cloned().into_iter().collect(),
    };
    if tools.is_empty() {
        return Err(Failure::bad_input(
            "NoTool",
            "the scene has no tool that a hand can hold",
            "leave --tool and --hand out, or add a [[tool]] to the scene",
        ));
    }
    Ok(tools)
}

#[cfg(test)]
mod tests {
    use pliant_core::asset::Progress;
    use pliant_simulation::scenes::{ImportOptions, load};
    use pliant_simulation::setup::prepare;

    use super::*;

    #[test]
    fn a_hand_holds_the_ball_of_a_dropped_mesh_and_not_its_floor() {
        let scene = load("drop-in", &ImportOptions::default()).expect("bundled");
        let setup = prepare(&scene, &Progress::new()).expect("a body");
        assert_eq!(setup.tools[0].name, "floor");
        let tool = first_hand_tool(&setup).expect("a tool");
        assert_eq!(tool.name, "hand");
        assert!(tool.shape.inner_radius() < 0.1);
    }
}
