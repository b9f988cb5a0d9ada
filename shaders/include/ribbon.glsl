// A ribbon as a function of time. Its table (animation/effects/ribbon.py) has the edge born at each time of the
// loop: four texels per row, rows in order of time.
//   origin, time of the row     vector to the upper side, texture slot (negative: hidden)
//   vector to the lower side    colour and alpha
#include "texels.glsl"

uniform sampler2D ribbon_table;
uniform int table_rows;
uniform float now;        // seconds, within the loop
uniform float period;     // seconds of the loop; 0 or less: the table plays once and its ends hold
uniform float youngest;   // age of the newest edge, seconds
uniform float between;    // seconds from one birth to the next
uniform float lifetime;   // seconds
uniform float gravity;    // added to z, times the square of the age
uniform float breadth;    // factor of the width on both sides

// Seconds added to births, so that a birth at the time of a jump lies after the jump in spite of rounding.
const float JUST = 1e-5;

struct Edge {
    float age;
    vec3 top;
    vec3 bottom;
    vec4 color;
    float slot;           // negative: hidden
};

vec4 cell_of(int row, int part) { return texelFetch(ribbon_table, texel(row * RIBBON_TEXELS + part), 0); }

// The last row at or before a time.
int row_before(float moment) {
    int low = 0, high = table_rows - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (cell_of(middle, 0).w <= moment) low = middle;
        else high = middle - 1;
    }
    return low;
}

// Edge 0 is at the bone; the edges from 1 are past births, the newest first.
Edge edge_of(int number) {
    float age = number == 0 ? 0.0 : youngest + float(number - 1) * between;
    float born = number == 0 ? now : now - age + JUST;
    if (period > 0.0) born -= floor(born / period) * period;
    int row = row_before(born);
    int after = min(row + 1, table_rows - 1);
    vec4 place = cell_of(row, 0), next = cell_of(after, 0);
    float gap = next.w - place.w;
    float part = gap > 0.0 ? clamp((born - place.w) / gap, 0.0, 1.0) : 0.0;
    vec4 up = cell_of(row, 1), down = cell_of(row, 2);
    vec3 origin = mix(place.xyz, next.xyz, part);
    origin.z += gravity * age * age;
    vec3 top = origin + breadth * mix(up.xyz, cell_of(after, 1).xyz, part);
    vec3 bottom = origin - breadth * mix(down.xyz, cell_of(after, 2).xyz, part);
    return Edge(age, top, bottom, mix(cell_of(row, 3), cell_of(after, 3), part), up.w);
}
