//! Draws a dented torus three times, joins the pictures and writes a report page with made-up figures.
//!
//! `cargo run --release -p pliant-render --example comparison_page -- some-folder`

use std::f64::consts::TAU;
use std::path::PathBuf;

use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh};
use pliant_render::color::method_color;
use pliant_render::report::{CheckRow, MethodColumn, PairRow};
use pliant_render::{
    BodyView, ColorMap, OrbitCamera, Panel, PictureOptions, Plot, Report, Series, ToolGlyph,
    ToolView, draw_scene, html, side_by_side,
};

/// A torus with a wavy tube, lying flat.
fn torus() -> SurfaceMesh {
    let (around, across) = (160_u32, 64_u32);
    let mut mesh = SurfaceMesh::new(Vec::new(), Vec::new());
    for i in 0..around {
        for j in 0..across {
            let (u, v) = (
                f64::from(i) / f64::from(around) * TAU,
                f64::from(j) / f64::from(across) * TAU,
            );
            let tube = 0.032 + 0.003 * (6.0 * u + 2.0 * v).sin();
            let ring = 0.075 + tube * v.cos();
            mesh.positions
                .push(Vec3::new(ring * u.cos(), tube * v.sin(), ring * u.sin()));
            let id = |a: u32, b: u32| (a % around) * across + b % across;
            let [p, q, r, s] = [id(i, j), id(i + 1, j), id(i, j + 1), id(i + 1, j + 1)];
            mesh.triangles.extend([[p, r, s], [p, s, q]]);
        }
    }
    mesh
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(
        std::env::args()
            .nth(1)
            .unwrap_or_else(|| "pliant-out/render-example".to_owned()),
    );
    std::fs::create_dir_all(&folder)?;
    let mesh = torus();
    let floor = mesh.bounds().min.y;
    let mut camera = OrbitCamera::default();
    let options = PictureOptions {
        ground: Some(floor),
        width: 520,
        height: 390,
        ..PictureOptions::default()
    };
    camera.fit(&mesh.bounds(), 520.0 / 390.0);
    let mut report = Report {
        title: "A ball presses a torus".into(),
        subtitle: "Three methods on the same skin, the same path of the tool and the same material. The figures on this page are made up.".into(),
        reproduce: "cargo run --release -p pliant-render --example comparison_page".into(),
        machine: "an ordinary computer".into(),
        notes: vec!["Depths differ because the example says so.".into()],
        ..Report::default()
    };
    let mut force = Plot::new("Force of the tool", ("time", "s"), ("force", "N"));
    let mut pictures = Vec::new();
    for (k, kind) in ["adaptive", "quasistatic", "lattice"]
        .into_iter()
        .enumerate()
    {
        let depth = 0.014 + 0.004 * k as f64;
        let ball = Vec3::new(0.055, 0.033 + 0.022 - depth, 0.052);
        let mut frame = SurfaceFrame::default();
        let dent = |p: Vec3| {
            depth
                * (-((p.x - ball.x).powi(2) + (p.z - ball.z).powi(2)) / 0.022_f64.powi(2)).exp()
                * ((p.y + 0.035) / 0.07).clamp(0.0, 1.0)
        };
        frame.set(&mesh, |v| {
            mesh.positions[v] - Vec3::y() * dent(mesh.positions[v])
        });
        let depths: Vec<f64> = mesh.positions.iter().map(|p| dent(*p)).collect();
        let colors = ColorMap::Sequential.colors(&depths, 0.0, 0.022);
        let body = BodyView {
            surface: &mesh,
            frame: &frame,
            colors: (k == 2).then_some(&colors),
            base_color: method_color(kind),
        };
        let tool = ToolView::steel(ToolGlyph::Sphere {
            center: ball,
            radius: 0.022,
        });
        let options = PictureOptions {
            wireframe: k == 1,
            ..options.clone()
        };
        let picture = draw_scene(&camera, &[body], &[tool], &options);
        picture.write_png(&folder.join(format!("{kind}.png")))?;
        let curve = (0..240)
            .map(|i| f64::from(i) / 60.0)
            .map(|t| [t, depth * 90.0 * (t * 1.4).sin().max(0.0).powf(1.5)]);
        force.series.push(Series {
            name: kind.into(),
            color: method_color(kind),
            dashed: false,
            points: curve.collect(),
        });
        report.methods.push(MethodColumn {
            kind: kind.into(),
            name: kind.into(),
            tagline: format!("{} vertices in the skin", mesh.vertex_count()),
            applicable: true,
            picture_png: picture.png()?,
            rows: vec![
                (
                    "median time a frame".into(),
                    format!("{:.2} ms", 0.4 + 0.9 * k as f64),
                ),
                ("largest force".into(), format!("{:.2} N", depth * 90.0)),
                (
                    "surface hash".into(),
                    format!(
                        "{:016x}",
                        0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(k as u64 + 1)
                    ),
                ),
            ],
            ..MethodColumn::default()
        });
        report.checks.push(CheckRow {
            metric: "force".into(),
            of: kind.into(),
            against: "Hertz".into(),
            value: 0.02 * k as f64,
            min: f64::NEG_INFINITY,
            max: 0.05,
            pass: true,
        });
        pictures.push((picture, kind));
    }
    for (a, b) in [
        ("adaptive", "quasistatic"),
        ("quasistatic", "lattice"),
        ("adaptive", "lattice"),
    ] {
        report.pairs.push(PairRow {
            a: a.into(),
            b: b.into(),
            surface_rms: 0.0011,
            surface_max: 0.0042,
            frame: 117,
        });
    }
    let mut error = Plot::new(
        "Distance to the finest mesh",
        ("time", "s"),
        ("distance", "m"),
    );
    error.series.push(Series {
        name: "reference".into(),
        color: [0.5; 3],
        dashed: true,
        points: vec![[0.0, 0.001], [4.0, 0.001]],
    });
    report.curves = vec![force, error];
    let panels: Vec<Panel<'_>> = pictures
        .iter()
        .map(|(canvas, kind)| Panel {
            canvas,
            title: kind,
            remark: "0.4 ms a frame",
            accent: method_color(kind),
        })
        .collect();
    side_by_side(&panels).write_png(&folder.join("side-by-side.png"))?;
    std::fs::write(folder.join("report.html"), html(&report))?;
    println!("{}", folder.join("report.html").display());
    Ok(())
}
