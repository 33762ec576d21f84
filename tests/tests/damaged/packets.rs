//! Packets of a hand at the other end of a network: whatever comes, the hand is where a whole packet says, and feels a force that its device can bear.

use std::net::UdpSocket;
use std::sync::{Arc, OnceLock};

use pliant_core::math::Vec3;
use pliant_core::scene::Method;
use pliant_quasistatic::GreensAsset;
use pliant_quasistatic::haptics::mask::MaskSpec;
use pliant_quasistatic::haptics::{
    ForceLoop, HapticDevice, HapticParams, HapticSurface, ServoLoop, ServoParams, StiffnessMode,
};
use pliant_simulation::servo::UdpDevice;

use super::Reader;
use super::bodies::assets;

/// Bytes of a packet.
const PACKET: usize = 24;
/// Packets of a case; more of the same tell nothing new.
const MOST: usize = 24;
/// Radius under the tip, m: two edges of the body.
const RADIUS: f64 = 0.1;

const HUGE: [u8; 8] = 1e308_f64.to_le_bytes();
const FAR: [u8; 8] = (-1e200_f64).to_le_bytes();
const NOT_A_NUMBER: [u8; 8] = f64::NAN.to_le_bytes();
const INFINITE: [u8; 8] = f64::NEG_INFINITY.to_le_bytes();

pub const UDP: Reader = Reader {
    name: "udp",
    files: || vec![press(0.001), press(0.004)],
    seal: |_| {},
    judge: |limits, bytes| {
        let mut servo = resting().clone();
        let read = |bytes: &[u8]| Ok(bytes.to_vec());
        limits.complaint(bytes, read, |bytes| complaint(&mut servo, &bytes))
    },
    tokens: &[&HUGE, &FAR, &NOT_A_NUMBER, &INFINITE],
};

/// Packets of a tip that goes down into the top of the body and along it, by so much a packet, m.
fn press(step: f64) -> Vec<u8> {
    let place = |k: i32| {
        let way = step * f64::from(k);
        Vec3::new(way, 0.055 - way, 0.01)
    };
    let numbers = |x: Vec3| <[f64; 3]>::from(x).map(f64::to_le_bytes).concat();
    (0..12).flat_map(|k| numbers(place(k))).collect()
}

/// The loop of a body before anybody has touched it.
fn resting() -> &'static ServoLoop {
    static LOOP: OnceLock<ServoLoop> = OnceLock::new();
    LOOP.get_or_init(|| {
        let asset = GreensAsset::from_bytes(&assets(Method::Quasistatic)[0]).expect("an asset");
        let params = HapticParams {
            mask: MaskSpec::cone(RADIUS),
            rigid_stiffness: 1000.0,
            mode: StiffnessMode::Interpolated,
            young: None,
        };
        let surface = HapticSurface::new(Arc::new(asset), &params).expect("a surface");
        ServoLoop::new(Arc::new(surface), ServoParams::default()).expect("a loop")
    })
}

/// The tip that a packet says; `None` where it is to be ignored.
fn tip(packet: &[u8]) -> Option<Vec3> {
    let (numbers, rest) = packet.as_chunks::<8>();
    let numbers: [f64; 3] = numbers.first_chunk::<3>()?.map(f64::from_le_bytes);
    let is_whole = packet.len() == PACKET && rest.is_empty();
    (is_whole && numbers.iter().all(|x| x.is_finite())).then(|| numbers.into())
}

/// Sends the bytes, first as one packet and then in packets of the right length, and feels after each; what was wrong, if anything.
fn complaint(servo: &mut ServoLoop, bytes: &[u8]) -> Option<String> {
    let mut device = UdpDevice::bind("127.0.0.1:0", 1).expect("a free port");
    let hand = UdpSocket::bind("127.0.0.1:0").expect("a free port");
    hand.connect(device.address().expect("bound"))
        .expect("it listens");
    let params = ServoParams::default();
    let whole = &bytes[..bytes.len().min(MOST * PACKET)];
    let packets = || std::iter::once(whole).chain(whole.chunks(PACKET));
    for packet in packets() {
        hand.send(packet).expect("sent");
        let sample = device.sample(0.0);
        if sample.connected && !packets().filter_map(tip).any(|tip| tip == sample.tip) {
            return Some(format!("took {:?} for a place", sample.tip));
        }
        let force = servo.tick(&sample, params.tick).force;
        // not the other way round: what is no number is no force
        let is_bearable = force.norm() <= params.limits.force * (1.0 + 1e-9);
        if !is_bearable {
            return Some(format!("felt {force:?} N at {:?}", sample.tip));
        }
        device.apply(&force);
    }
    let energy = servo.passivity().energy;
    (!energy.is_finite()).then(|| format!("has {energy} J on the account of its hand"))
}
