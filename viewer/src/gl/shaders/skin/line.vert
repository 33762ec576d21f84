// Edges of the skin's triangles, lifted towards the eye by a hair. `skin_vertex` says where a vertex is.
uniform mat4 clip_from_world;

void main() {
    vec3 place;
    vec3 outward;
    skin_vertex(place, outward);
    gl_Position = clip_from_world * vec4(place, 1.0);
    gl_Position.z -= 0.0006 * gl_Position.w;
}
