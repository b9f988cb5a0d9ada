// The part of the ground where lines are visible: a polygon around a disc, without vertex data.
uniform mat4 world_clip;
uniform vec2 middle;   // x and z in viewer space of a crossing of the coarsest lines
uniform vec2 hub;      // the model's x and z from the middle; lines fade with the distance from it
uniform float radius;  // radius of the disc around the hub, viewer units

out vec2 offset;       // from the middle, viewer units; small numbers keep lines sharp far from the origin

const float TURN = 6.2831853;

void main() {
    float angle = TURN * float(gl_VertexID) / float(GRID_CORNERS);
    offset = hub + vec2(cos(angle), sin(angle)) * radius / cos(0.5 * TURN / float(GRID_CORNERS));
    gl_Position = world_clip * vec4(middle.x + offset.x, 0.0, middle.y + offset.y, 1.0);
}
