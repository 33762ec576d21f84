// A vertex as it was uploaded.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;

uniform mat4 world_from_model;

void skin_vertex(out vec3 place, out vec3 outward) {
    place = (world_from_model * vec4(position, 1.0)).xyz;
    outward = mat3(world_from_model) * normal;
}
