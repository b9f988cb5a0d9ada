// Sparse morphs: each vertex has a range of records (render/mesh/morphs.py builds them). A record is one to three
// texels: position delta and morph number, normal delta, tangent delta. With WHOLE_NORMALS the second texel is a
// whole normal; these normals are blended by weight, and the vertex's own normal gets the remaining weight.
#include "texels.glsl"

uniform sampler2D morph_records;
uniform sampler2D morph_weights;
uniform int morph_texels;  // texels per record

in ivec2 in_span;  // first record, number of records

void add_morphs(inout vec3 position, inout vec3 normal, inout vec3 tangent) {
    vec3 turn = vec3(0.0);
    for (int record = in_span.x; record < in_span.x + in_span.y; record++) {
        int at = record * morph_texels;
        vec4 delta = texelFetch(morph_records, texel(at), 0);
        float weight = texelFetch(morph_weights, texel(int(delta.w + 0.5)), 0).x;
        if (weight == 0.0) continue;
        position += weight * delta.xyz;
        if (morph_texels > 1) turn += weight * texelFetch(morph_records, texel(at + 1), 0).xyz;
        if (morph_texels > 2) tangent += weight * texelFetch(morph_records, texel(at + 2), 0).xyz;
    }
#ifdef WHOLE_NORMALS
    float reach = length(turn);
    normal = reach < 1.0 - 1e-4 ? turn + normal * (1.0 - reach) : turn;
#else
    normal += turn;
#endif
}
