//! Time of one frame of 1/60 s of each method while a ball moves in a pad: contact, step, skin and reactions.

use divan::Bencher;
use pliant_benches::{Size, pressed_pad};
use pliant_core::scene::Method;
use pliant_simulation::world::Interaction;

const SIZES: [Size; 2] = [Size::Small, Size::Medium];

fn main() {
    divan::main();
}

fn frame(bencher: Bencher<'_, '_>, method: Method, size: Size) {
    let mut world = pressed_pad(method, size);
    let idle = Interaction::default();
    bencher.bench_local(|| {
        let output = world.step_frame(&idle).expect("it moves");
        output.wrenches[0].force.norm()
    });
}

#[divan::bench(args = SIZES, sample_count = 30)]
fn adaptive(bencher: Bencher<'_, '_>, size: Size) {
    frame(bencher, Method::Adaptive, size);
}

#[divan::bench(args = SIZES, sample_count = 30)]
fn quasistatic(bencher: Bencher<'_, '_>, size: Size) {
    frame(bencher, Method::Quasistatic, size);
}

#[divan::bench(args = SIZES, sample_count = 30)]
fn lattice(bencher: Bencher<'_, '_>, size: Size) {
    frame(bencher, Method::Lattice, size);
}
