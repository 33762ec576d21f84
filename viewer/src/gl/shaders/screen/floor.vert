// A square of the floor around the body, from the vertex number alone.
uniform mat4 clip_from_world;
uniform vec3 center;
uniform float half_side;

out vec3 place;

void main() {
    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
    place = center + vec3(corner.x, 0.0, -corner.y) * half_side;
    gl_Position = clip_from_world * vec4(place, 1.0);
}
