// A flat figure that stands upright and turns to the camera.
uniform mat4 world_clip;
uniform vec3 place;    // its feet in viewer space
uniform vec3 right;    // horizontal, as long as the figure is high

in vec2 in_at;         // to the right and up, in heights

void main() {
    vec3 at = place + right * in_at.x + vec3(0.0, length(right) * in_at.y, 0.0);
    gl_Position = world_clip * vec4(at, 1.0);
}
