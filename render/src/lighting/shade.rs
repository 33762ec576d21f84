//! One lighting model for pictures and for the window: the same numbers in Rust and in GLSL.
//!
//! The model has light from above and below (hemisphere), a warm key light with a soft edge, a cool fill light from
//! the other side, a broad highlight, and a rim light that separates the outline from the background. The lights rotate with
//! the yaw of the camera, as if the body stood on a turntable, so no visible side is dark.
//!
//! Each constant is written once; [`GLSL`] holds the same text. The Rust functions and those of [`GLSL`] have the same
//! names, arguments and order of operations.

use nalgebra::Vector3;

type V = Vector3<f32>;

macro_rules! lights {
    (vectors { $($(#[$doc:meta])* $name:ident = [$x:literal, $y:literal, $z:literal];)* }
     numbers { $($(#[$number_doc:meta])* $number:ident = $value:literal;)* }
     glsl $body:literal) => {
        $($(#[$doc])* pub const $name: [f32; 3] = [$x, $y, $z];)*
        $($(#[$number_doc])* pub const $number: f32 = $value;)*
        /// The lighting model as GLSL source (1.40 to 4.60, ES 3.00), without a version line: constants, then
        /// `vec3 shade(vec3 normal, vec3 to_eye, vec3 albedo, float key_visibility, float ambient)` and `vec3 encode_srgb(vec3 linear)`.
        /// Directions are in the light frame: multiply those of the world by [`light_from_world`].
        pub const GLSL: &str = concat!(
            $("const vec3 ", stringify!($name), " = vec3(", stringify!($x), ", ", stringify!($y), ", ", stringify!($z), ");\n",)*
            $("const float ", stringify!($number), " = ", stringify!($value), ";\n",)*
            $body
        );
    };
}

lights! {
    vectors {
        /// Unit direction to the key light: x right, y up, z towards the viewer, turned with the camera's yaw only.
        KEY_DIRECTION = [-0.458, 0.764, 0.454];
        /// Linear colour of the key light.
        KEY_COLOR = [0.78, 0.745, 0.69];
        /// Unit direction to the fill light.
        FILL_DIRECTION = [0.807, 0.148, 0.571];
        /// Linear colour of the fill light.
        FILL_COLOR = [0.13, 0.15, 0.185];
        /// Linear light that an upward face receives from the sky.
        SKY_COLOR = [0.34, 0.365, 0.4];
        /// Linear light that a downward face receives from the floor.
        FLOOR_COLOR = [0.15, 0.14, 0.13];
        /// Linear colour of the light along the outline.
        RIM_COLOR = [0.13, 0.15, 0.18];
    }
    numbers {
        /// How far the key light reaches around the body, 0 (hard edge) to 1.
        KEY_WRAP = 0.22;
        /// Strength of the highlight.
        HIGHLIGHT = 0.11;
        /// Exponent of the highlight; larger is smaller.
        GLOSS = 38.0;
        /// Exponent of the rim; larger is thinner.
        RIM_POWER = 3.5;
    }
    glsl "\
vec3 shade(vec3 normal, vec3 to_eye, vec3 albedo, float key_visibility, float ambient) {
    float up = 0.5 + 0.5 * normal.y;
    vec3 light = mix(FLOOR_COLOR, SKY_COLOR, up) * ambient;
    float key = max((dot(normal, KEY_DIRECTION) + KEY_WRAP) / (1.0 + KEY_WRAP), 0.0) * key_visibility;
    light += KEY_COLOR * key;
    light += FILL_COLOR * max(dot(normal, FILL_DIRECTION), 0.0);
    vec3 middle = normalize(KEY_DIRECTION + to_eye);
    float highlight = HIGHLIGHT * pow(max(dot(normal, middle), 0.0), GLOSS) * key_visibility;
    float rim = pow(1.0 - clamp(dot(normal, to_eye), 0.0, 1.0), RIM_POWER) * up;
    return albedo * light + KEY_COLOR * highlight + RIM_COLOR * rim;
}
vec3 encode_srgb(vec3 linear) {
    vec3 c = clamp(linear, 0.0, 1.0);
    return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(vec3(0.0031308), c));
}
"
}

/// Reflected light, linear. `normal` and `to_eye` are unit vectors in the light frame (world turned by
/// [`light_from_world`]), `albedo` is linear, `key_visibility` is 0 in the key light's shadow and 1 outside, `ambient` is the
/// share of the light from sky and floor that nothing hides ([`super::occlusion`]).
pub fn shade(normal: V, to_eye: V, albedo: V, key_visibility: f32, ambient: f32) -> V {
    let key_direction = V::from(KEY_DIRECTION);
    let up = 0.5 + 0.5 * normal.y;
    let mut light = V::from(FLOOR_COLOR).lerp(&V::from(SKY_COLOR), up) * ambient;
    let key =
        ((normal.dot(&key_direction) + KEY_WRAP) / (1.0 + KEY_WRAP)).max(0.0) * key_visibility;
    light += V::from(KEY_COLOR) * key;
    light += V::from(FILL_COLOR) * normal.dot(&V::from(FILL_DIRECTION)).max(0.0);
    let middle = (key_direction + to_eye).normalize();
    let highlight = HIGHLIGHT * normal.dot(&middle).max(0.0).powf(GLOSS) * key_visibility;
    let rim = (1.0 - normal.dot(&to_eye).clamp(0.0, 1.0)).powf(RIM_POWER) * up;
    albedo.component_mul(&light) + V::from(KEY_COLOR) * highlight + V::from(RIM_COLOR) * rim
}

/// World to light frame for a camera at `yaw` (rad): a turn about the vertical axis.
pub fn light_from_world(yaw: f64) -> nalgebra::Matrix3<f32> {
    let (sin, cos) = (yaw.sin() as f32, yaw.cos() as f32);
    nalgebra::Matrix3::new(cos, 0.0, -sin, 0.0, 1.0, 0.0, sin, 0.0, cos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_unit_vectors() {
        for d in [KEY_DIRECTION, FILL_DIRECTION] {
            assert!((V::from(d).norm() - 1.0).abs() < 2e-3);
        }
    }

    #[test]
    fn shadow_darkens_and_nothing_overexposes() {
        let eye = V::z();
        for k in 0..200 {
            let (a, b) = (k as f32 * 0.7, k as f32 * 0.37);
            let normal = V::new(a.sin() * b.cos(), b.sin(), a.cos() * b.cos());
            let lit = shade(normal, eye, V::repeat(0.8), 1.0, 1.0);
            let dark = shade(normal, eye, V::repeat(0.8), 0.0, 1.0);
            assert!(lit.min() >= dark.min() && dark.min() > 0.0);
            let hollow = shade(normal, eye, V::repeat(0.8), 1.0, 0.0);
            assert!(hollow.max() < lit.max() && hollow.min() >= 0.0);
            assert!(lit.max() < 1.15, "{lit}");
        }
    }

    #[test]
    fn the_camera_side_stays_lit_for_every_yaw() {
        // a face towards the camera has the same colour from everywhere
        let reference = shade(V::z(), V::z(), V::repeat(0.5), 1.0, 1.0);
        for k in 0..12 {
            let yaw = f64::from(k) * 0.5;
            let toward = V::new(yaw.sin() as f32, 0.0, yaw.cos() as f32);
            let n = light_from_world(yaw) * toward;
            assert!((shade(n, n, V::repeat(0.5), 1.0, 1.0) - reference).norm() < 1e-5);
        }
    }

    #[test]
    fn the_glsl_holds_every_constant() {
        assert!(GLSL.contains("const vec3 KEY_DIRECTION = vec3(-0.458, 0.764, 0.454);"));
        assert!(GLSL.contains("const float GLOSS = 38.0;"));
        assert_eq!(GLSL.matches('{').count(), GLSL.matches('}').count());
    }
}
