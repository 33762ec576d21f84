// The floor with its grid and the shadow on it; far out it dissolves into the background. Colours are mixed as they are
// encoded: they lie close together, and a floor fills half of every picture.
in vec3 place;

uniform vec3 center;
uniform float reach;
uniform float cell;
uniform float shadow_half_side;
uniform float picture_height;
uniform vec3 top;
uniform vec3 bottom;
uniform vec3 ground;
uniform vec3 grid;
uniform sampler2D light;

out vec4 pixel;

void main() {
    vec2 away = place.xz - center.xz;
    float share = dot(away, away) / (reach * reach);
    float fade = exp(-share * sqrt(share));
    float t = 1.0 - gl_FragCoord.y / picture_height;
    vec3 sky = mix(top, bottom, t * t * (3.0 - 2.0 * t));
    vec2 step_size = fwidth(place.xz) + vec2(1e-9);
    vec2 to_line = abs(place.xz - round(place.xz / cell) * cell);
    vec2 line = clamp((cell * 0.011 + 0.5 * step_size - to_line) / step_size, 0.0, 1.0);
    line *= min(vec2(1.0), cell * 0.022 / step_size);
    vec3 surface = mix(ground, grid, max(line.x, line.y));
    float kept = texture(light, away / (2.0 * shadow_half_side) + 0.5).r;
    pixel = vec4(mix(sky, surface, fade) * kept, 1.0);
}
