// A vertex from the eight control points around it, which are texels of a texture 1024 wide: the map of a cell as a polynomial,
// and the normal cof(F) N of its Jacobian F. `skin::emulate::from_texture` does the same in the same order.
layout(location = 3) in uvec4 low;
layout(location = 4) in uvec4 high;
layout(location = 5) in vec3 place_in_cell;
layout(location = 6) in vec3 normal_in_cell;

uniform highp sampler2D control_points;
uniform vec3 points_center;

vec3 control_point(uint number) {
    return texelFetch(control_points, ivec2(int(number % 1024u), int(number / 1024u)), 0).xyz;
}

void skin_vertex(out vec3 place, out vec3 outward) {
    vec3 p = control_point(low.x);
    vec3 x = control_point(low.y) - p;
    vec3 third = control_point(low.z);
    vec3 y = third - p;
    vec3 fifth = control_point(high.x);
    vec3 z = fifth - p;
    vec3 seventh = control_point(high.z);
    vec3 across = control_point(low.w) - third;
    vec3 above = control_point(high.y) - fifth;
    vec3 xy = across - x;
    vec3 xz = above - x;
    vec3 yz = seventh - fifth - y;
    vec3 xyz = control_point(high.w) - seventh - above - xy;
    vec3 t = place_in_cell;
    vec3 along_x = x + xy * t.y + (xz + xyz * t.y) * t.z;
    vec3 along_y = y + xy * t.x + (yz + xyz * t.x) * t.z;
    vec3 along_z = z + xz * t.x + (yz + xyz * t.x) * t.y;
    place = points_center + (p + y * t.y + (z + yz * t.y) * t.z + along_x * t.x);
    vec3 n = cross(along_y, along_z) * normal_in_cell.x + cross(along_z, along_x) * normal_in_cell.y
        + cross(along_x, along_y) * normal_in_cell.z;
    float squared = dot(n, n);
    outward = squared > 0.0 ? n * (1.0 / sqrt(squared)) : vec3(0.0);
}
