//! A fine skin carried by a coarse surface in two ways: by displacements of its closest points, as the quasistatic method embeds skins, and as a displaced subdivision surface.
//!
//! Prints the distance of both from the image of the skin under a map of space, over the largest displacement: `cargo run --release -p pliant-meshing --example displaced_skin`.

use std::error::Error;

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::embedding::embed_in_surface;
use pliant_core::mesh::procedural::octahedron;
use pliant_meshing::subdivide::{DisplacedSurface, Scheme, SharpEdges, subdivide};

/// Levels of the fine skin over the coarse surface.
const LEVELS: usize = 3;

/// The name of a map of space and the map.
type Map = (&'static str, fn(&Vec3) -> Vec3);

const MAPS: [Map; 5] = [
    ("turn by 0.2 rad", turned),
    ("stretch by 10 %", stretched),
    ("bend, radius 4", bent),
    ("dent, radius 0.8", |x| dented(x, 0.8)),
    ("dent, radius 0.3", |x| dented(x, 0.3)),
];

fn main() -> Result<(), Box<dyn Error>> {
    let (sharp, progress) = (SharpEdges::none(), Progress::new());
    let mut control = subdivide(&octahedron(), 2, Scheme::Midpoint, &sharp, &progress)?
        .levels
        .pop()
        .ok_or("no level")?;
    control.positions.iter_mut().for_each(|x| *x /= x.norm());
    println!(
        "sphere of radius 1 with {} vertices",
        control.vertex_count()
    );
    for height in [0.0, 0.05, 0.2] {
        let bare = DisplacedSurface::new(&control, LEVELS, &sharp, &[], &progress)?;
        let smooth = bare.smooth();
        let bump = |x: &Vec3| height * (1.0 + 0.3 * (11.0 * x.x).sin() * (9.0 * x.z).cos());
        let skin: Vec<Vec3> = smooth
            .positions
            .iter()
            .zip(smooth.vertex_normals())
            .map(|(x, n)| x + n * bump(x))
            .collect();
        let surface = DisplacedSurface::new(&control, LEVELS, &sharp, &skin, &progress)?;
        let mesh = SurfaceMesh::new(skin.clone(), smooth.triangles.clone());
        let embedding = embed_in_surface(&mesh, &control);
        println!("skin of {} vertices, {height} over it", skin.len());
        for (name, map) in MAPS {
            let moved: Vec<Vec3> = control.positions.iter().map(map).collect();
            let motion: Vec<Vec3> = (control.positions.iter().zip(&moved))
                .map(|(x, y)| y - x)
                .collect();
            let embedded: Vec<Vec3> = (0..skin.len())
                .map(|v| skin[v] + embedding.interpolate(v, &motion))
                .collect();
            let displaced = surface.places(&moved).ok_or("other vertices")?;
            let expected: Vec<Vec3> = skin.iter().map(map).collect();
            let (_, largest) = differences(&expected, &skin);
            let [a, b] = [embedded, displaced].map(|positions| {
                let (rms, max) = differences(&positions, &expected);
                (100.0 * rms / largest, 100.0 * max / largest)
            });
            println!(
                "  {name:18} embedded {:6.2} % RMS, {:6.2} % at most; displaced {:6.2} %, {:6.2} %",
                a.0, a.1, b.0, b.1
            );
        }
    }
    Ok(())
}

fn turned(x: &Vec3) -> Vec3 {
    nalgebra::Rotation3::new(Vec3::new(0.1, 0.17, 0.03)) * x
}

fn stretched(x: &Vec3) -> Vec3 {
    Vec3::new(1.1 * x.x, 0.97 * x.y, 0.97 * x.z)
}

fn bent(x: &Vec3) -> Vec3 {
    let radius = 4.0;
    let angle = x.x / radius;
    let r = radius - x.y;
    Vec3::new(r * angle.sin(), radius - r * angle.cos(), x.z)
}

/// Pushes the top down by 0.1, with a Gaussian profile of this radius.
fn dented(x: &Vec3, radius: f64) -> Vec3 {
    let far = (x - Vec3::y()).norm_squared() / (radius * radius);
    x - Vec3::y() * (0.1 * (-far).exp())
}

/// Root of the mean square, and largest distance.
fn differences(a: &[Vec3], b: &[Vec3]) -> (f64, f64) {
    let distances = a.iter().zip(b).map(|(x, y)| (x - y).norm());
    let (sum, max) = distances.fold((0.0, 0.0_f64), |(sum, max), d| (sum + d * d, max.max(d)));
    (f64::sqrt(sum / a.len().max(1) as f64), max)
}
