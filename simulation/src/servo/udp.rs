//! A device at the other end of a network: tips in, forces out, for hardware that users connect themselves.

use std::net::{SocketAddr, ToSocketAddrs, UdpSocket};

use pliant_core::math::Vec3;
use pliant_quasistatic::haptics::{DeviceSample, HapticDevice};
use web_time::Instant;

/// Bytes of a packet: three numbers of 8 bytes, little endian.
const PACKET_BYTES: usize = 24;
/// Packets read in a tick; older ones wait.
const MAX_PACKETS: usize = 16;
/// Time without a packet after which the device counts as disconnected, s.
const TIMEOUT: f64 = 0.050;

/// Listens for tips and answers with forces.
///
/// A packet is the tip `x, y, z` (m) as three little-endian f64; of a hand it is all tips, one after the other. Once a tick the last sender gets the forces (N)
/// in the same form. Packets of another size, and tips that are not finite, are ignored.
#[derive(Debug)]
pub struct UdpDevice {
    socket: UdpSocket,
    peer: Option<SocketAddr>,
    tips: Vec<Vec3>,
    /// memory of a packet, and a byte more to notice longer ones
    bytes: Vec<u8>,
    last_packet: Option<Instant>,
}

impl UdpDevice {
    /// Binds to an address such as `127.0.0.1:9001`, for a hand with so many tips.
    ///
    /// # Errors
    /// The system's, when the address is none of this machine's or in use.
    pub fn bind(address: impl ToSocketAddrs, tips: usize) -> std::io::Result<Self> {
        let socket = UdpSocket::bind(address)?;
        socket.set_nonblocking(true)?;
        Ok(Self {
            socket,
            peer: None,
            tips: vec![Vec3::zeros(); tips],
            bytes: vec![0; tips * PACKET_BYTES + 1],
            last_packet: None,
        })
    }

    /// Receives pending packets.
    fn receive(&mut self) {
        for _ in 0..MAX_PACKETS {
            let Ok((size, peer)) = self.socket.recv_from(&mut self.bytes) else {
                break;
            };
            let numbers = self.bytes.as_chunks::<8>().0;
            let is_number = |n: &[u8; 8]| f64::from_le_bytes(*n).is_finite();
            if size + 1 != self.bytes.len() || !numbers.iter().all(is_number) {
                continue;
            }
            for (tip, place) in self.tips.iter_mut().zip(numbers.as_chunks::<3>().0) {
                *tip = Vec3::from(place.map(f64::from_le_bytes));
            }
            (self.peer, self.last_packet) = (Some(peer), Some(Instant::now()));
        }
    }

    fn is_connected(&self) -> bool {
        let recent = |last_packet: Instant| last_packet.elapsed().as_secs_f64() < TIMEOUT;
        self.last_packet.is_some_and(recent)
    }

    /// Where it listens.
    ///
    /// # Errors
    /// The system's.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.socket.local_addr()
    }
}

impl HapticDevice for UdpDevice {
    fn sample(&mut self, time: f64) -> DeviceSample {
        let mut one = [DeviceSample::AWAY];
        self.sample_all(time, &mut one);
        one[0]
    }

    fn apply(&mut self, force: &Vec3) {
        self.apply_all(std::slice::from_ref(force));
    }

    fn tips(&self) -> usize {
        self.tips.len()
    }

    fn sample_all(&mut self, _: f64, out: &mut [DeviceSample]) {
        self.receive();
        let connected = self.is_connected();
        for (out, &tip) in out.iter_mut().zip(&self.tips) {
            *out = DeviceSample { tip, connected };
        }
    }

    fn apply_all(&mut self, forces: &[Vec3]) {
        let Some(peer) = self.peer else { return };
        let numbers = forces.iter().flat_map(|force| [force.x, force.y, force.z]);
        let slots = self.bytes.as_chunks_mut::<8>().0;
        for (slot, x) in slots.iter_mut().zip(numbers) {
            *slot = x.to_le_bytes();
        }
        let size = (self.bytes.len() - 1).min(PACKET_BYTES * forces.len());
        // a disconnected device is noticed by the timeout
        let _ = self.socket.send_to(&self.bytes[..size], peer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tips_come_in_and_forces_go_out() {
        let mut device = UdpDevice::bind("127.0.0.1:0", 1).expect("a free port");
        assert!(!device.sample(0.0).connected);
        let hand = UdpSocket::bind("127.0.0.1:0").expect("a free port");
        let timeout = Some(std::time::Duration::from_secs(5));
        hand.set_read_timeout(timeout).expect("a timeout");
        let to = device.address().expect("bound");
        let packet = |tip: [f64; 3]| {
            tip.iter()
                .flat_map(|x| x.to_le_bytes())
                .collect::<Vec<u8>>()
        };
        hand.send_to(b"nonsense", to).expect("sent");
        hand.send_to(&packet([f64::NAN, 0.0, 0.0]), to)
            .expect("sent");
        hand.send_to(&packet([0.1, 0.2, -0.3]), to).expect("sent");
        let start = Instant::now();
        let mut sample = device.sample(0.0);
        while !sample.connected && start.elapsed().as_secs() < 5 {
            sample = device.sample(0.0);
        }
        assert_eq!(sample.tip, Vec3::new(0.1, 0.2, -0.3));
        device.apply(&Vec3::new(1.0, -2.0, 0.5));
        let mut answer = [0; PACKET_BYTES];
        assert_eq!(hand.recv(&mut answer).expect("an answer"), PACKET_BYTES);
        assert_eq!(answer.to_vec(), packet([1.0, -2.0, 0.5]));
        std::thread::sleep(std::time::Duration::from_millis(60));
        assert!(!device.sample(0.0).connected);
    }
}
