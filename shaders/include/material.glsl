// The material of a geometry (render/blocks.py holds the same layout).
layout(std140) uniform Material {
    vec4 diffuse;    // linear colour, alpha
    vec4 specular;   // linear colour, power
    vec4 emissive;   // linear colour; w: the alpha to compare a pixel's alpha with
    vec4 u_offset;   // u = dot(uv, u_offset.xy) + u_offset.w
    vec4 v_offset;
    vec4 second_u;   // the same of the second texture
    vec4 second_v;
    vec4 border;     // linear colour outside the texture if an axis has a border
    int features;    // DIFFUSE_MAP and other bits of render/blocks.py
    int alpha_passes;  // which pixels are drawn, by their alpha: bits ALPHA_*
    int combine;     // how the second texture is combined
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
