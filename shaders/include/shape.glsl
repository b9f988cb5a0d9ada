// Whole shapes: two of a vertex buffer's keyed shapes replace its positions (render/mesh/shapes.py lays them
// out). A vertex is one or two texels: position, normal.
#include "texels.glsl"

uniform sampler2D shape_vertices;
uniform int shape_texels;      // texels per vertex
uniform ivec2 shape_starts;    // first texels of the two shapes; negative: the unchanged vertices
uniform float shape_factor;    // from the first to the second

vec3 between_shapes(int part) {
    int at = gl_VertexID * shape_texels + part;
    vec3 first = texelFetch(shape_vertices, texel(shape_starts.x + at), 0).xyz;
    return mix(first, texelFetch(shape_vertices, texel(shape_starts.y + at), 0).xyz, shape_factor);
}

void take_shape(inout vec3 position, inout vec3 normal) {
    if (shape_starts.x < 0) return;
    position = between_shapes(0);
    if (shape_texels > 1) normal = between_shapes(1);
}
