//! Picking: the intersection of a ray with the deformed skin.

use crate::math::bounds::Ray;
use crate::mesh::{SurfaceFrame, SurfaceMesh, SurfacePoint};

/// First point where `ray` enters the deformed skin from outside: parameter along the ray and surface point.
///
/// One pass over all triangles: 20,000 take well under a millisecond, and a pick happens once a click.
pub fn pick(surface: &SurfaceMesh, frame: &SurfaceFrame, ray: &Ray) -> Option<(f64, SurfacePoint)> {
    let mut best: Option<(f64, SurfacePoint)> = None;
    for (t, triangle) in surface.triangles.iter().enumerate() {
        let corners = triangle.map(|v| frame.position(v as usize));
        let facing = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
        if facing.dot(&ray.direction) >= 0.0 {
            continue;
        }
        if let Some((distance, weights)) = ray.intersect_triangle(corners)
            && best.is_none_or(|(b, _)| distance < b)
        {
            let triangle = t as u32;
            best = Some((distance, SurfacePoint { triangle, weights }));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;
    use crate::mesh::procedural::{CellStyle, box_surface};

    #[test]
    fn the_near_face_is_picked() {
        let skin = box_surface(Vec3::repeat(1.0), [3, 3, 3], CellStyle::Kuhn);
        let frame = SurfaceFrame::at_rest(&skin);
        let ray = Ray {
            origin: Vec3::new(0.1, 0.2, 5.0),
            direction: Vec3::new(0.0, 0.0, -1.0),
        };
        let (t, at) = pick(&skin, &frame, &ray).expect("hit");
        assert!((t - 4.5).abs() < 1e-6);
        assert!((skin.point(&at) - Vec3::new(0.1, 0.2, 0.5)).norm() < 1e-6);
        let away = Ray {
            direction: Vec3::z(),
            ..ray
        };
        assert!(pick(&skin, &frame, &away).is_none());
    }
}
