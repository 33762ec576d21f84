// The skin as the key light casts it onto the floor. `skin_vertex` says where a vertex is.
uniform vec3 shift;
uniform vec3 center;
uniform float shadow_half_side;
uniform float size;

out float height;

void main() {
    vec3 place;
    vec3 outward;
    skin_vertex(place, outward);
    float above = max(place.y - center.y, 0.0);
    vec2 at = (place.xz - shift.xz * above - center.xz) / shadow_half_side;
    height = above / size;
    gl_Position = vec4(at, 0.0, 1.0);
}
