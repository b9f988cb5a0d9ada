// The edges of a mesh in the plane of texture coordinates.
uniform vec2 size;     // pixels of the picture
uniform vec2 low;      // texture coordinates of its upper left corner
uniform vec2 high;     // texture coordinates of its lower right corner
uniform vec3 move_u;   // u = dot(move_u, (u, v, 1))
uniform vec3 move_v;
uniform vec2 shift;    // pixels, to the right and down

in vec2 in_uv;

void main() {
    vec2 at = vec2(dot(move_u, vec3(in_uv, 1.0)), dot(move_v, vec3(in_uv, 1.0)));
    vec2 part = (at - low) / (high - low) + shift / size;
    gl_Position = vec4(part.x * 2.0 - 1.0, 1.0 - part.y * 2.0, 0.0, 1.0);
}
