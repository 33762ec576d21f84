// How dark a part is that hangs so high: sharp, wide and contact shadow; the darkest one counts.
in float height;

out vec4 pixel;

void main() {
    float near = exp(-height / 0.2);
    pixel = vec4(near, (1.0 - near) * exp(-height / 1.5), exp(-height / 0.035), 1.0);
}
