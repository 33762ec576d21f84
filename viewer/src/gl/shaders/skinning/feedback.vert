// A vertex as `skin_vertex` gives it, written to memory instead of the screen.
out vec3 skinned_position;
out vec3 skinned_normal;

void main() {
    skin_vertex(skinned_position, skinned_normal);
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
