//! Devices, tools and friction as the options say.

use std::path::Path;

use pliant_core::boundary::Friction;
use pliant_quasistatic::haptics::device::RecordedDevice;
use pliant_quasistatic::haptics::{HapticError, PointFriction};
use pliant_simulation::servo::UdpDevice;
use pliant_simulation::setup::{Setup, SetupTool};

use crate::args::Servo;
use crate::failure::Failure;
use crate::recording_file::bytes_of;
use crate::session::Session;

/// `--friction S,K`, else that of the first tool.
pub(super) fn friction(args: &Servo, setup: &Setup) -> Result<PointFriction, Failure> {
    let chosen = match &args.friction {
        Some(text) => {
            let numbers: Vec<f64> = text
                .split(',')
                .map_while(|x| x.trim().parse().ok())
                .collect();
            let &[sticking, sliding] = numbers.as_slice() else {
                return Err(Failure::bad_input(
                    "Friction",
                    format!("--friction {text} is not two coefficients"),
                    "write it as 0.4,0.3: sticking, sliding",
                ));
            };
            PointFriction { sticking, sliding }
        }
        None => match setup.tools.first().map(|tool| tool.friction) {
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

/// A refusal of the haptic surface or loop.
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

/// A device at the other end of a network.
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
pub(super) fn moved_tools<'a>(args: &Servo, setup: &'a Setup) -> Result<&'a [SetupTool], Failure> {
    if !args.tool && !args.hand {
        return Ok(&[]);
    }
    if setup.tools.is_empty() {
        return Err(Failure::bad_input(
            "NoTool",
            "the scene has no tool",
            "leave --tool and --hand out, or add a [[tool]] to the scene",
        ));
    }
    Ok(if args.hand {
        &setup.tools
    } else {
        &setup.tools[..1]
    })
}
