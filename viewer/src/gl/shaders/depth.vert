// The skin seen from the key light: only its depth is kept.
layout(location = 0) in vec3 position;

uniform mat4 world_from_model;
uniform mat4 clip_from_world;

void main() {
    gl_Position = clip_from_world * (world_from_model * vec4(position, 1.0));
}
