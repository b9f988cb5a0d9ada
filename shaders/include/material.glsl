// What a geometry is painted with (render/blocks.py holds the same layout).
layout(std140) uniform Material {
    vec4 diffuse;    // linear colour, alpha
    vec4 specular;   // linear colour, power
    vec4 emissive;   // linear colour; w: the alpha that a pixel's own is compared to
    vec4 u_offset;   // u = dot(uv, u_offset.xy) + u_offset.w
    vec4 v_offset;
    vec4 second_u;   // the same of the second texture
    vec4 second_v;
    vec4 border;     // linear colour around the picture where an axis has a border
    int features;    // bits below
    int alpha_passes;  // which pixels are drawn, by their alpha: 1 below, 2 at, 4 above the one to compare to
    int combine;     // how the second texture is mixed in
};

const int DIFFUSE_MAP = 1;
const int SPECULAR_MAP = 2;
const int EMISSIVE_MAP = 4;
const int VERTEX_COLOR = 8;
const int UNLIT = 16;
const int PACKED_NORMAL = 32;
const int MIRROR_U = 64;
const int MIRROR_V = 128;
const int BORDER_U = 256;
const int BORDER_V = 512;
const int BLENDED = 1024;
const int OPAQUE_MAP = 2048;
const int SPHERE = 4096;
const int SECOND_SPHERE = 8192;
const int SECOND_MAP = 16384;

bool has(int feature) { return (features & feature) != 0; }

// Alphas closer than this are equal: a quarter of a step of 8 bits.
const float SAME_ALPHA = 0.25 / 255.0;
bool passes(float alpha) {
    float over = alpha - emissive.w;
    int side = over < -SAME_ALPHA ? 1 : over > SAME_ALPHA ? 4 : 2;
    return (alpha_passes & side) != 0;
}
