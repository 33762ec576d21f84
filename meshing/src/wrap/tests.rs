use std::f64::consts::PI;

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::procedural::{CellStyle, box_surface};
use pliant_core::mesh::validate::topology;
use pliant_fuzzing::on_threads;

use super::error::WrapError;
use super::finish::Wrapped;
use super::options::WrapOptions;
use super::wrapping;
use crate::geometry::distance::one_sided;
use crate::repair::repair_surface::tidy;
use crate::test_bodies::{add_group, assert_contains, cancelled, inverted, join, joined, mapped};

const OPTIONS: WrapOptions = WrapOptions {
    cells_longest: 32,
    edge_cells: 1.2,
    thickness: None,
    keeps_cavities: false,
};

/// A ball of radius 1 with bumps of a relative height.
pub(crate) fn ball(bumps: f64) -> SurfaceMesh {
    let cube = box_surface(Vec3::repeat(2.0), [12; 3], CellStyle::Alternating);
    mapped(cube, |p| {
        let d = p.normalize();
        d * (1.0 + bumps * (5.0 * d.x).sin() * (4.0 * d.y + 1.0).sin() * (6.0 * d.z).cos())
    })
}

/// A sheet over the unit square, `n` by `n`.
pub(crate) fn sheet(n: u32, at: impl Fn(f64, f64) -> Vec3) -> SurfaceMesh {
    let share = |i: u32| f64::from(i) / f64::from(n);
    let positions = (0..(n + 1) * (n + 1))
        .map(|k| at(share(k % (n + 1)), share(k / (n + 1))))
        .collect();
    let triangles = (0..n * n)
        .flat_map(|k| {
            let a = k / n * (n + 1) + k % n;
            [[a, a + 1, a + n + 2], [a, a + n + 2, a + n + 1]]
        })
        .collect();
    SurfaceMesh::new(positions, triangles)
}

/// A wavy sheet, for [`sheet`].
pub(crate) fn wave(s: f64, t: f64) -> Vec3 {
    Vec3::new(s, 0.1 * (7.0 * s).sin() * (7.0 * t).cos(), t)
}

/// Three vertices per triangle, none coincident, and about half of the triangles flipped.
fn soup(surface: &SurfaceMesh, jitter: f64) -> SurfaceMesh {
    let mut seed = 1_u64;
    let mut random = || {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(99);
        (seed >> 33) as f64 / (1_u64 << 31) as f64 - 0.5
    };
    let mut soup = SurfaceMesh::new(Vec::new(), Vec::new());
    for t in 0..surface.triangles.len() as u32 {
        for p in surface.corners(t as usize) {
            let shift = Vec3::new(random(), random(), random());
            soup.positions.push(p + shift * 2.0 * jitter);
        }
        let is_flipped = random() > 0.0;
        let [b, c] = if is_flipped { [2, 1] } else { [1, 2] };
        soup.triangles.push([3 * t, 3 * t + b, 3 * t + c]);
    }
    soup
}

/// Wraps a surface after the clean-up that files get.
fn wrap(
    raw: &SurfaceMesh,
    options: &WrapOptions,
    progress: &Progress,
) -> Result<Wrapped, WrapError> {
    let tidied = tidy(raw, &Progress::new()).expect("triangles");
    wrapping::wrap(&tidied.surface, options, progress)
}

fn wrapped(surface: &SurfaceMesh) -> Wrapped {
    let wrapped = wrap(surface, &OPTIONS, &Progress::new()).expect("a wrap");
    assert!(topology(&wrapped.surface).is_sound());
    assert!(wrapped.surface.volume() > 0.0);
    wrapped
}

fn refused(surface: &SurfaceMesh) -> WrapError {
    wrap(surface, &OPTIONS, &Progress::new()).expect_err("no solid")
}

#[test]
fn a_soup_without_orientation_is_found_by_flooding() {
    let surface = ball(0.1);
    let wrap = wrapped(&soup(&surface, 2e-3));
    assert_contains(&wrap.notes.join("\n"), "reached from outside");
    assert!((wrap.surface.volume() / surface.volume() - 1.0).abs() < 0.02);
    let cell = 2.0 / 32.0;
    assert!(one_sided(&wrap.surface, &surface) < cell);
    assert!(wrap.max_distance < cell && one_sided(&surface, &wrap.surface) < cell);
    assert_eq!(topology(&wrap.surface).genus(), Some(0));
}

#[test]
fn overlapping_balls_are_united() {
    let wrap = wrapped(&joined(&ball(0.0), &ball(0.0), Vec3::x()));
    // two balls less a lens of two caps of height 1/2
    let exact = 2.0 * 4.0 / 3.0 * PI - 2.0 * PI / 3.0 * 0.25 * 2.5;
    assert!((wrap.surface.volume() / exact - 1.0).abs() < 0.02);
    assert_eq!(topology(&wrap.surface).components, 1);
    // the caps inside are a quarter of each ball
    assert!(wrap.notes.iter().any(|n| n.contains("lay inside")));
    assert!(wrap.lost_area_share < 1e-9 && wrap.new_area_share < 1e-9);
}

#[test]
fn inner_walls_and_second_shells_vanish_and_cavities_stay() {
    let exact = ball(0.0).volume();
    let wall = sheet(8, |s, t| Vec3::new(s - 0.5, 0.1, t - 0.5));
    let shell = mapped(ball(0.0), |p| p * 0.99);
    for second in [&wall, &shell] {
        let wrap = wrapped(&join(ball(0.0), second));
        assert!((wrap.surface.volume() / exact - 1.0).abs() < 0.02);
        assert_eq!(topology(&wrap.surface).components, 1);
    }
    let cavity = inverted(mapped(ball(0.0), |p| p * 0.5));
    let wrap = wrapped(&join(ball(0.0), &cavity));
    assert!((wrap.surface.volume() / (0.875 * exact) - 1.0).abs() < 0.02);
    assert_eq!(topology(&wrap.surface).components, 2);
}

#[test]
fn small_components_go_and_groups_follow() {
    let small = mapped(ball(0.0), |p| p * 0.07 + Vec3::new(0.0, 1.3, 0.0));
    let mut surface = join(ball(0.0), &small);
    add_group(&mut surface, "right", |x| x.x > 0.5);
    let wrap = wrapped(&surface);
    assert_eq!(topology(&wrap.surface).components, 1);
    assert!(wrap.notes.iter().any(|n| n.starts_with("1 component with")));
    let group = wrap.surface.group("right").expect("the group");
    assert!(!group.is_empty());
    for (v, p) in wrap.surface.positions.iter().enumerate() {
        assert!((p.x - 0.5).abs() < 0.2 || (p.x > 0.5) == group.contains(&(v as u32)));
    }
}

#[test]
fn what_has_no_volume_is_refused() {
    let is_sheet =
        |e: &WrapError| matches!(e, WrapError::OpenSheet { .. } | WrapError::LostParts { .. });
    assert!(is_sheet(&refused(&sheet(30, wave))));
    // the back of the same sheet does not make it a body
    let both = join(sheet(30, wave), &inverted(sheet(30, wave)));
    let tidied = tidy(&both, &Progress::new());
    assert!(tidied.is_err(), "double faces are dropped");
    let bowl = sheet(16, |s, t| {
        let (u, v) = (PI * s, PI * t);
        Vec3::new(u.cos() * v.sin(), u.sin() * v.sin(), v.cos())
    });
    assert!(matches!(refused(&bowl), WrapError::OpenSheet { .. }));
    let flat = |s: f64, t: f64| Vec3::new(s, s + 2.0 * t, t);
    let error = refused(&sheet(6, flat));
    assert!(matches!(error, WrapError::FlatSurface { .. }));
    // seam at s = 1 of a half turn
    let moebius = sheet(40, |s, t| {
        let (a, half) = (2.0 * PI * s, PI * s);
        let w = 0.8 * (t - 0.5);
        let radius = 1.0 + w * half.cos();
        Vec3::new(radius * a.cos(), w * half.sin(), radius * a.sin())
    });
    let error = refused(&moebius);
    assert!(is_sheet(&error) || matches!(error, WrapError::NoVolume { .. }));
}

#[test]
fn a_sheet_is_given_a_thickness_on_request() {
    let flat = |s: f64, t: f64| Vec3::new(s, 0.0, t);
    for surface in [sheet(30, wave), sheet(4, flat)] {
        let options = WrapOptions {
            thickness: Some(0.15),
            ..OPTIONS
        };
        let wall = wrap(&surface, &options, &Progress::new())
            .expect("a wall")
            .surface;
        let shape = topology(&wall);
        assert!(shape.is_sound());
        assert_eq!((shape.components, shape.genus()), (1, Some(0)));
        // Steiner: area times thickness, half a cylinder along the rim, balls at the corners; less a little at folds
        let (half, rim) = (0.075, 4.0);
        let exact = 2.0 * half * surface.area() + 0.5 * PI * half * half * rim;
        let off = wall.volume() / exact - 1.0;
        assert!((-0.1..0.06).contains(&off), "{off}");
        assert!((one_sided(&surface, &wall) - half).abs() < 0.2 * half);
        let refused = |thickness: f64| {
            let options = WrapOptions {
                thickness: Some(thickness),
                ..OPTIONS
            };
            wrap(&surface, &options, &Progress::new()).expect_err("no wall")
        };
        assert!(matches!(refused(1e-4), WrapError::TooThin { .. }));
        // millimetres in place of metres
        assert!(matches!(refused(150.0), WrapError::TooThick { .. }));
    }
}

#[test]
fn walls_that_the_first_grid_loses_are_found_on_a_finer_one() {
    // two plates, thinner than a cell of the first grid, that cross each other
    let upright = box_surface(Vec3::new(2.0, 2.0, 0.05), [20, 20, 1], CellStyle::Kuhn);
    let plate = box_surface(Vec3::new(2.0, 0.05, 2.0), [20, 1, 20], CellStyle::Kuhn);
    let both = join(mapped(upright, |p| p + Vec3::x() * 0.3), &plate);
    let exact = 2.0 * 2.0 * 2.0 * 0.05 - 1.7 * 0.05 * 0.05;
    let wrap = wrapped(&both);
    assert!((wrap.surface.volume() / exact - 1.0).abs() < 0.1);
    assert!(wrap.lost_area_share < 0.01);
    assert_eq!(topology(&wrap.surface).components, 1);
}

#[test]
fn one_thread_gives_the_bits_of_two_and_a_cancelled_wrap_stops() {
    let surface = soup(&ball(0.1), 2e-3);
    let on = |threads: usize| on_threads(threads, || wrapped(&surface));
    assert!(on(1) == on(2));
    let stopped = wrap(&surface, &OPTIONS, &cancelled());
    assert_eq!(stopped, Err(WrapError::Cancelled(Cancelled)));
}
