// One skin or tool vertex: to clip space, and into the frame of the lights. `skin_vertex` says where it is.
layout(location = 2) in vec4 color;

uniform mat4 clip_from_world;
uniform mat3 light_from_world;
uniform vec3 eye;
uniform mat4 shadow_from_world;
uniform float shadow_lift;
// how much of the occlusion is shown
uniform float occlusion;

out vec3 light_normal;
out vec3 light_to_eye;
out vec3 albedo;
// share of the light from sky and floor
out float ambient;
// place in the depth map of the key light, lifted off the surface so that it does not shade itself
out vec3 in_shadow;

void main() {
    vec3 place;
    vec3 outward;
    skin_vertex(place, outward);
    in_shadow = (shadow_from_world * vec4(place + outward * shadow_lift, 1.0)).xyz;
    light_normal = light_from_world * outward;
    light_to_eye = light_from_world * (eye - place);
    // sRGB to linear; the exact curve differs by less than half a code value in these colours
    albedo = color.rgb * (color.rgb * (color.rgb * 0.305306011 + 0.682171111) + 0.012522878);
    ambient = mix(1.0, color.a, occlusion);
    gl_Position = clip_from_world * vec4(place, 1.0);
}
