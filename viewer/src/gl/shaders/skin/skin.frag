// Lights a skin or a tool; `shade` and `encode_srgb` are those of the pictures.
in vec3 light_normal;
in vec3 light_to_eye;
in vec3 albedo;
in float ambient;
in vec3 in_shadow;

uniform float opacity;
uniform highp sampler2DShadow shadow_depth;

out vec4 pixel;

float key_visibility() {
    vec3 at = vec3(in_shadow.xy, min(in_shadow.z, 1.0) - 0.002);
#ifdef SOFT
    // nine places, each a bilinear blend of four comparisons
    vec2 texel = 1.0 / vec2(textureSize(shadow_depth, 0));
    float lit = 0.0;
    for (int row = -1; row <= 1; row++) {
        for (int column = -1; column <= 1; column++) {
            lit += texture(shadow_depth, at + vec3(vec2(float(column), float(row)) * texel, 0.0));
        }
    }
    return lit / 9.0;
#else
    return texture(shadow_depth, at);
#endif
}

void main() {
    vec3 n = normalize(light_normal);
    vec3 base = albedo;
    if (!gl_FrontFacing) {
        // the inside of a skin is seen only where something is wrong: dull and dark
        n = -n;
        base = mix(base, vec3(0.12), 0.6);
    }
    vec3 light = shade(n, normalize(light_to_eye), base, key_visibility(), ambient);
    pixel = vec4(encode_srgb(light), opacity);
}
