//! x
fn main() {
    let b = pliant_lattice::bench_cases::KERNELS.iter().find(|k| k.name == "lattice-bodies").unwrap();
    let mut case = (b.prepare)(150).unwrap();
    let mut best = f64::INFINITY;
    for _ in 0..400 { let t = std::time::Instant::now(); (case.run)(); best = best.min(t.elapsed().as_secs_f64()); }
    println!("box {:.3} us", best / 150.0 * 1e6);
    if std::env::args().count() > 1 { let k = &pliant_simulation::bench_scenes::KERNELS[0]; let mut case = (k.prepare)(150).unwrap(); for _ in 0..3000 { (case.run)(); } return; }
    for kernel in pliant_simulation::bench_scenes::KERNELS {
        for &size in kernel.sizes {
            let mut case = (kernel.prepare)(size).unwrap();
            for _ in 0..20 { (case.run)(); }
            let mut best = f64::INFINITY;
            for _ in 0..(40000 / size).min(4000) { let t = std::time::Instant::now(); (case.run)(); best = best.min(t.elapsed().as_secs_f64()); }
            println!("{} {} {:.3} us", kernel.name, size, best / case.items * 1e6);
        }
    }
}
