uniform vec4 ink;

out vec4 pixel;

void main() {
    pixel = ink;
}
