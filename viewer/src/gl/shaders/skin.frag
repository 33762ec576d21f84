// Lights a skin or a tool; `shade` and `encode_srgb` are those of the pictures.
in vec3 light_normal;
in vec3 light_to_eye;
in vec3 albedo;
in vec3 in_shadow;

uniform float opacity;
uniform highp sampler2D shadow_depth;

out vec4 pixel;

float key_visibility() {
    vec3 at = in_shadow;
    if (at.x <= 0.0 || at.x >= 1.0 || at.y <= 0.0 || at.y >= 1.0) {
        return 1.0;
    }
    // sixteen depth comparisons: a box of three texels, blended bilinearly
    vec2 texel = at.xy * float(textureSize(shadow_depth, 0).x) - 0.5;
    ivec2 corner = ivec2(floor(texel)) - 1;
    vec2 part = texel - floor(texel);
    float limit = at.z - 0.002;
    float lit = 0.0;
    for (int row = 0; row < 4; row++) {
        float across = 0.0;
        for (int column = 0; column < 4; column++) {
            float weight = column == 0 ? 1.0 - part.x : (column == 3 ? part.x : 1.0);
            across += texelFetch(shadow_depth, corner + ivec2(column, row), 0).r < limit ? 0.0 : weight;
        }
        lit += across * (row == 0 ? 1.0 - part.y : (row == 3 ? part.y : 1.0));
    }
    return lit / 9.0;
}

void main() {
    vec3 n = normalize(light_normal);
    vec3 base = albedo;
    if (!gl_FrontFacing) {
        // the inside of a skin is seen only where something is wrong: dull and dark
        n = -n;
        base = mix(base, vec3(0.12), 0.6);
    }
    pixel = vec4(encode_srgb(shade(n, normalize(light_to_eye), base, key_visibility())), opacity);
}
