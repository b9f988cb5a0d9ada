// Lines in the plane of the picture.
#include "stroke.glsl"

in vec2 in_start;      // pixels from the lower left corner
in vec2 in_end;
in float in_radius;    // pixels
in vec4 in_color;      // sRGB, straight alpha

void main() { stroke(in_start, in_end, in_radius, in_color); }
