// The skin as the key light throws it onto the floor.
layout(location = 0) in vec3 position;

uniform mat4 world_from_model;
uniform vec3 shift;
uniform vec3 center;
uniform float shadow_half_side;
uniform float size;

out float height;

void main() {
    vec3 place = (world_from_model * vec4(position, 1.0)).xyz;
    float above = max(place.y - center.y, 0.0);
    vec2 at = (place.xz - shift.xz * above - center.xz) / shadow_half_side;
    height = above / size;
    gl_Position = vec4(at, 0.0, 1.0);
}
