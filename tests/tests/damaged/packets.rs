//! Packets of a hand across a network. Whatever bytes arrive, the tip is where a whole packet says, and the force stays within the limit of the device.

use std::net::UdpSocket;
use std::sync::{Arc, OnceLock};

use pliant_core::math::Vec3;
use pliant_core::scene::Method;
use pliant_quasistatic::GreensAsset;
use pliant_quasistatic::haptics::{
    ForceLoop, HapticDevice, HapticParams, HapticSurface, ServoLoop, ServoParams, StiffnessMode,
};
use pliant_simulation::servo::UdpDevice;

use super::Reader;
use super::bodies::assets;

/// Size of a packet, bytes.
const PACKET_BYTES: usize = 24;
/// Most packets of a case.
const MAX_PACKETS: usize = 24;
/// Radius under the tip, m: two edges of the body.
const RADIUS: f64 = 0.1;

const LARGE: [u8; 8] = 1e308_f64.to_le_bytes();
const LARGE_NEGATIVE: [u8; 8] = (-1e200_f64).to_le_bytes();
const NOT_A_NUMBER: [u8; 8] = f64::NAN.to_le_bytes();
const INFINITE: [u8; 8] = f64::NEG_INFINITY.to_le_bytes();

pub const UDP: Reader = Reader {
    name: "udp",
    files: || vec![press_packets(0.001), press_packets(0.004)],
    seal: |_| {},
    judge: |limits, bytes| {
        let mut servo = initial_loop().clone();
        let read = |bytes: &[u8]| Ok(bytes.to_vec());
        limits.complaint(bytes, read, |bytes| broken_rule(&mut servo, &bytes))
    },
    tokens: &[&LARGE, &LARGE_NEGATIVE, &NOT_A_NUMBER, &INFINITE],
};

/// Packets of a tip that moves down into the top of the body and along it, by `step` (m) a packet.
fn press_packets(step: f64) -> Vec<u8> {
    let position = |k: i32| {
        let distance = step * f64::from(k);
        Vec3::new(distance, 0.055 - distance, 0.01)
    };
    let numbers = |x: Vec3| <[f64; 3]>::from(x).map(f64::to_le_bytes).concat();
    (0..12).flat_map(|k| numbers(position(k))).collect()
}

/// A servo loop before the first contact.
fn initial_loop() -> &'static ServoLoop {
    static LOOP: OnceLock<ServoLoop> = OnceLock::new();
    LOOP.get_or_init(|| {
        let asset = GreensAsset::from_bytes(&assets(Method::Quasistatic)[0]).expect("an asset");
        let params = HapticParams {
            mask_radius: RADIUS,
            rigid_stiffness: 1000.0,
            mode: StiffnessMode::Interpolated,
            young: None,
        };
        let surface = HapticSurface::new(Arc::new(asset), &params).expect("a surface");
        ServoLoop::new(Arc::new(surface), ServoParams::default()).expect("a loop")
    })
}

/// The position of the tip in a packet; `None` if the packet has to be ignored.
fn tip(packet: &[u8]) -> Option<Vec3> {
    let (numbers, rest) = packet.as_chunks::<8>();
    let numbers: [f64; 3] = numbers.first_chunk::<3>()?.map(f64::from_le_bytes);
    let is_whole = packet.len() == PACKET_BYTES && rest.is_empty();
    (is_whole && numbers.iter().all(|x| x.is_finite())).then(|| numbers.into())
}

/// Sends the bytes, first as one packet and then in packets of the right length, and steps the loop after each packet. Returns the first broken rule.
fn broken_rule(servo: &mut ServoLoop, bytes: &[u8]) -> Option<String> {
    let mut device = UdpDevice::bind("127.0.0.1:0", 1).expect("a free port");
    let hand = UdpSocket::bind("127.0.0.1:0").expect("a free port");
    hand.connect(device.address().expect("bound"))
        .expect("it listens");
    let params = ServoParams::default();
    let bytes = &bytes[..bytes.len().min(MAX_PACKETS * PACKET_BYTES)];
    let packets = || std::iter::once(bytes).chain(bytes.chunks(PACKET_BYTES));
    for packet in packets() {
        hand.send(packet).expect("sent");
        let sample = device.sample(0.0);
        if sample.connected && !packets().filter_map(tip).any(|tip| tip == sample.tip) {
            return Some(format!("took {:?} for a place", sample.tip));
        }
        let force = servo.tick(&sample, params.tick).force;
        // a comparison with NaN is false, so that NaN breaks the rule, too
        let is_bearable = force.norm() <= params.limits.force * (1.0 + 1e-9);
        if !is_bearable {
            return Some(format!("felt {force:?} N at {:?}", sample.tip));
        }
        device.apply(&force);
    }
    let energy = servo.passivity().energy;
    (!energy.is_finite()).then(|| format!("has {energy} J on the account of its hand"))
}
