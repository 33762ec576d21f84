// The three kinds of shadow on the floor as one share of light.
in vec2 at;

uniform sampler2D shadow;

out vec4 pixel;

void main() {
    float contact = textureLod(shadow, at, 1.0).b;
    float near = textureLod(shadow, at, 1.2).r;
    float wide = textureLod(shadow, at, 3.2).g;
    float light = (1.0 - 0.55 * contact) * (1.0 - 0.46 * min(near + wide, 1.0));
    // stored for colours that are sRGB-encoded already
    pixel = vec4(vec3(pow(light, 1.0 / 2.2)), 1.0);
}
