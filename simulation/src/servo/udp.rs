//! A device at the other end of a network: tips in, forces out, for somebody who connects hardware of their own.

use std::net::{SocketAddr, ToSocketAddrs, UdpSocket};
use std::time::Instant;

use pliant_core::math::Vec3;
use pliant_quasistatic::haptics::{DeviceSample, HapticDevice};

/// Bytes of a packet: three numbers of 8 bytes, little endian.
const PACKET: usize = 24;
/// Packets read in a tick; older ones wait.
const MOST_PACKETS: usize = 16;
/// Silence after which the device counts as gone, s.
const SILENCE: f64 = 0.050;

/// Listens for tips and answers with forces.
///
/// A packet is the tip `x, y, z` (m) as three little-endian f64; the answer to the last sender, once a tick, is the force (N) in the same
/// form. Packets of another size, and tips that are no numbers, are passed over.
#[derive(Debug)]
pub struct UdpDevice {
    socket: UdpSocket,
    peer: Option<SocketAddr>,
    tip: Vec3,
    heard: Option<Instant>,
}

impl UdpDevice {
    /// Binds to an address such as `127.0.0.1:9001`.
    ///
    /// # Errors
    /// The system's, when the address is none of this machine's or in use.
    pub fn bind(address: impl ToSocketAddrs) -> std::io::Result<Self> {
        let socket = UdpSocket::bind(address)?;
        socket.set_nonblocking(true)?;
        Ok(Self {
            socket,
            peer: None,
            tip: Vec3::zeros(),
            heard: None,
        })
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
    fn sample(&mut self, _: f64) -> DeviceSample {
        let mut bytes = [0; PACKET + 1];
        for _ in 0..MOST_PACKETS {
            let Ok((size, peer)) = self.socket.recv_from(&mut bytes) else {
                break;
            };
            let numbers = bytes.as_chunks::<8>().0;
            let tip = Vec3::from_fn(|k, _| numbers.get(k).map_or(0.0, |n| f64::from_le_bytes(*n)));
            if size == PACKET && tip.iter().all(|x| x.is_finite()) {
                (self.tip, self.peer, self.heard) = (tip, Some(peer), Some(Instant::now()));
            }
        }
        let recent = |heard: Instant| heard.elapsed().as_secs_f64() < SILENCE;
        DeviceSample {
            tip: self.tip,
            connected: self.heard.is_some_and(recent),
        }
    }

    fn apply(&mut self, force: &Vec3) {
        if let Some(peer) = self.peer {
            let mut bytes = [0; PACKET];
            for (slot, x) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(force.iter()) {
                *slot = x.to_le_bytes();
            }
            // a hand that is gone is noticed by its silence
            let _ = self.socket.send_to(&bytes, peer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tips_come_in_and_forces_go_out() {
        let mut device = UdpDevice::bind("127.0.0.1:0").expect("a free port");
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
        let begun = Instant::now();
        let mut sample = device.sample(0.0);
        while !sample.connected && begun.elapsed().as_secs() < 5 {
            sample = device.sample(0.0);
        }
        assert_eq!(sample.tip, Vec3::new(0.1, 0.2, -0.3));
        device.apply(&Vec3::new(1.0, -2.0, 0.5));
        let mut answer = [0; PACKET];
        assert_eq!(hand.recv(&mut answer).expect("an answer"), PACKET);
        assert_eq!(answer.to_vec(), packet([1.0, -2.0, 0.5]));
        std::thread::sleep(std::time::Duration::from_millis(60));
        assert!(!device.sample(0.0).connected);
    }
}
