// A vertex as `bend` gives it, written to memory instead of the screen.
out vec3 bent_place;
out vec3 bent_normal;

void main() {
    bend(bent_place, bent_normal);
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
