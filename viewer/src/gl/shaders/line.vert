// Edges of the skin's triangles, lifted towards the eye by a hair.
layout(location = 0) in vec3 position;

uniform mat4 clip_from_world;

void main() {
    gl_Position = clip_from_world * vec4(position, 1.0);
    gl_Position.z -= 0.0006 * gl_Position.w;
}
