// What all particles of an emitter share (render/emitter_block.py holds the same layout), and its table: births,
// ramps over life, the points of a spline, and the frames at which particles are born.
#include "texels.glsl"
#include "random_hash.glsl"

layout(std140) uniform Emitter {
    vec4 frame_now[3];   // rows; the emitter's space -> the file's axes, as it is now
    vec4 drift_now;      // how far what follows has been carried; w: the time in the frames' stretch
    vec4 now;            // births up to the newest, the time in the births' stretch, part of the next, size
    uvec4 counts;        // the newest birth, the seed, births of a loop (0: none), the newest birth within it
    vec4 schedule;       // seconds of the births' stretch, births in it, the rate at its start and its end
    vec4 path;           // how far what follows is carried in the frames' stretch; w: its seconds
    vec4 motion;         // drag, burst, seconds of wind, variation of the lifespan
    vec4 wind;           // w: seconds of a tail
    vec4 twinkle;        // samples a second, share of the time that it shows, least and greatest size
    vec4 spin;           // radians and their variation, turns and their variation
    vec4 tumble_least;
    vec4 tumble_most;
    vec4 phases;         // where the second phase of the cells begins, how often each is run through
    vec4 variation;      // of the sizes; z: the least alpha that is drawn, w: 1 where alpha does not count
    ivec4 grid;          // rows, columns, the emitter's own cell, the kind of emitter
    ivec4 births;        // first texel, nodes, the first step of a search; w: bits of render/effects/emitter_constants.py
    ivec4 frames;        // the same of the frames
    ivec4 points;        // the same of the spline
    ivec4 color_ramp;    // the same of the ramps
    ivec4 alpha_ramp;
    ivec4 scale_ramp;
    ivec4 head_ramp;
    ivec4 tail_ramp;
};

bool is(int bit) { return (births.w & bit) != 0; }

uniform sampler2D emitter_table;
vec4 entry(int index) { return texelFetch(emitter_table, texel(index), 0); }

// The last of `rows.y` rows of so many texels whose first number is not above `value`; row 0 where all are.
int last_not_above(ivec4 rows, int texels, float value) {
    int row = 0;
    for (int step_ = rows.z; step_ > 0; step_ >>= 1) {
        int probe = min(row + step_, rows.y - 1);
        if (entry(rows.x + probe * texels).x <= value) row = probe;
    }
    return row;
}

// A ramp at `part` of a life: its rows are a time and up to three numbers. Without rows it says `otherwise`.
vec3 ramp(ivec4 rows, float part, vec3 otherwise) {
    if (rows.y == 0) return otherwise;
    int row = last_not_above(rows, 1, part);
    vec4 from = entry(rows.x + row), to = entry(rows.x + min(row + 1, rows.y - 1));
    float gap = to.x - from.x;
    return gap > 0.0 ? mix(from.yzw, to.yzw, clamp((part - from.x) / gap, 0.0, 1.0)) : from.yzw;
}
