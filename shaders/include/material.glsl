// The material of a geometry (layout: render/mesh/material_block.py).
layout(std140) uniform Material {
    vec4 diffuse;    // linear colour, alpha
    vec4 specular;   // linear colour, power
    vec4 emissive;   // linear colour; w: reference value of the alpha test
    vec4 u_offset;   // u = dot(uv, u_offset.xy) + u_offset.w
    vec4 v_offset;
    vec4 second_u;   // the same for the second texture
    vec4 second_v;
    vec4 border;     // linear colour outside the texture, on axes with a border
    vec4 physical;   // roughness, metalness, strength of the normal map
    vec4 detail_scales[2];  // scale and offset of the texture coordinates of each detail texture
    vec4 detail_weights;    // weights of the detail textures
    int features;    // DIFFUSE_MAP and other bits of render/mesh/material_block.py
    int alpha_passes;  // bits ALPHA_*: the alphas whose pixels are drawn
    int combine;     // COMBINE_*: the operation that combines the second texture
    int detail_blends;  // DETAIL_* of each detail texture, DETAIL_BLEND_BITS each
};

// Programs for known materials define FEATURES as a constant, so that unused features cost nothing.
#ifndef FEATURES
#define FEATURES features
#endif
bool has(int feature) { return (FEATURES & feature) != 0; }

bool passes(float alpha) {
    float over = alpha - emissive.w;
    int side = over < -SAME_ALPHA ? ALPHA_BELOW : over > SAME_ALPHA ? ALPHA_ABOVE : ALPHA_EQUAL;
    return (alpha_passes & side) != 0;
}
