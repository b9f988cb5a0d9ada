// A ribbon. An instance is a segment between two edges, a strip of four vertices. `bake` captures the edge,
// edge_* in the file's axes, of one vertex per instance.
#include "ribbon.glsl"
#include "frame.glsl"

uniform ivec2 grid;       // rows and columns of cells in the texture
uniform vec4 moved_u;     // u = dot(uv, moved_u.xy) + moved_u.w
uniform vec4 moved_v;

out float edge_age;
out vec3 edge_top;
out vec3 edge_bottom;
out vec4 edge_color;

// The inputs of mesh.frag. The surface has no normals and the colour of its edges.
out vec3 eye_position;
out vec3 eye_normal;
out vec4 vertex_color;    // sRGB, alpha
out vec2 uv;
out vec2 second_uv;
#ifdef NUMBERED
out vec4 tint;            // input of pick_particle.frag
flat out uint number;
#endif

// The texture coordinates of an edge of that age, in the cell of a slot (slots count rows from the top).
vec2 picture(int slot, float share, float side) {
    int slots = max(grid.x * grid.y, 1);
    slot = ((slot % slots) + slots) % slots;
    vec2 corner = vec2(slot % grid.y, slot / grid.y);
    return (corner + vec2(share, side)) / vec2(grid.yx);
}

void main() {
    Edge newer = edge_of(gl_InstanceID);
    Edge older = edge_of(gl_InstanceID + 1);
    Edge edge = gl_VertexID < 2 ? newer : older;
    edge_age = edge.age;
    edge_top = edge.top;
    edge_bottom = edge.bottom;
    edge_color = edge.color;
    vertex_color = edge.color;
#ifdef NUMBERED
    tint = edge.color;
    number = uint(gl_InstanceID);
#endif
    bool lower = (gl_VertexID & 1) == 1;
    vec2 still = picture(int(older.slot), edge.age / lifetime, lower ? 1.0 : 0.0);
    uv = vec2(dot(still, moved_u.xy) + moved_u.w, dot(still, moved_v.xy) + moved_v.w);
    second_uv = uv;
    vec4 eye = view * vec4(lower ? edge.bottom : edge.top, 1.0);
    eye_position = eye.xyz;
    eye_normal = vec3(0.0);
    gl_Position = projection * eye;
    if (newer.slot < 0.0 || older.slot < 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);  // a gap, outside the view
}
