// The gradient behind a scene, in encoded colours.
in vec2 at;

uniform vec3 top;
uniform vec3 bottom;

out vec4 pixel;

void main() {
    float t = 1.0 - at.y;
    pixel = vec4(mix(top, bottom, t * t * (3.0 - 2.0 * t)), 1.0);
}
