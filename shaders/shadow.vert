// The square of the ground that a shadow may cover, without vertex data.
uniform mat4 world_clip;
uniform vec3 middle;  // viewer space
uniform float side;   // half of it, viewer units

out vec2 place;

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    place = corner * 0.5 + 0.5;
    gl_Position = world_clip * vec4(middle + vec3(corner.x, 0.0, corner.y) * side, 1.0);
}
