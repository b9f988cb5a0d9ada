// A square of the ground, made of nothing but its middle and its reach.
uniform mat4 world_clip;
uniform vec2 middle;   // x and z in viewer space: a crossing of the coarsest lines
uniform float side;    // half the square's side, viewer units

out vec2 offset;       // from the middle, viewer units: small numbers keep the lines sharp far from the origin

void main() {
    offset = (vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0) * side;
    gl_Position = world_clip * vec4(middle.x + offset.x, 0.0, middle.y + offset.y, 1.0);
}
