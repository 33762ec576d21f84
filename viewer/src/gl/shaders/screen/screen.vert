// A triangle that covers the viewport, as far away as anything can be.
out vec2 at;

void main() {
    at = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2));
    gl_Position = vec4(at * 2.0 - 1.0, 1.0, 1.0);
}
