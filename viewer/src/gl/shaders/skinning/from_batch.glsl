// A vertex from the eight control points around it, which are uniforms of its batch: weighted sums of places and of two tangents
// (Rivers and James 2007, Eq. 15). `skin::emulate::from_batch` does the same in the same order.
layout(location = 3) in uvec4 low;
layout(location = 4) in uvec4 high;
layout(location = 5) in vec4 place_low;
layout(location = 6) in vec4 place_high;
layout(location = 7) in vec4 first_low;
layout(location = 8) in vec4 first_high;
layout(location = 9) in vec4 second_low;
layout(location = 10) in vec4 second_high;

layout(std140) uniform Batch {
    vec4 control_points[1024];
};
uniform vec3 points_center;

vec3 steps[7];

vec3 sum(vec4 a, vec4 b) {
    return steps[0] * a.y + steps[1] * a.z + steps[2] * a.w + steps[3] * b.x + steps[4] * b.y + steps[5] * b.z
        + steps[6] * b.w;
}

void skin_vertex(out vec3 place, out vec3 outward) {
    vec3 p = control_points[low.x].xyz;
    steps[0] = control_points[low.y].xyz - p;
    steps[1] = control_points[low.z].xyz - p;
    steps[2] = control_points[low.w].xyz - p;
    steps[3] = control_points[high.x].xyz - p;
    steps[4] = control_points[high.y].xyz - p;
    steps[5] = control_points[high.z].xyz - p;
    steps[6] = control_points[high.w].xyz - p;
    place = points_center + (p + sum(place_low, place_high));
    vec3 n = cross(sum(first_low, first_high), sum(second_low, second_high));
    float squared = dot(n, n);
    outward = squared > 0.0 ? n * (1.0 / sqrt(squared)) : vec3(0.0);
}
