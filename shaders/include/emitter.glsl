// The data of all particles of an emitter (render/emitter_block.py holds the same layout), and its table: births,
// ramps over life, the points of a spline, and the frames at which particles are born.
#include "texels.glsl"
#include "random_hash.glsl"

layout(std140) uniform Emitter {
    vec4 frame_now[3];   // rows; the emitter's space -> the file's axes, now
    vec4 drift_now;      // offset of following particles; w: the time within the frames' period
    vec4 now;            // births up to the newest, the time within the births' period, part of the next, size
    uvec4 counts;        // the newest birth, the seed, births of a loop (0: none), the newest birth within it
    vec4 schedule;       // seconds of the births' period, births in it, the rate at its start and its end
    vec4 path;           // movement of following particles in the frames' period; w: its seconds
    vec4 motion;         // drag, burst, seconds of wind, variation of the lifespan
    vec4 wind;           // w: seconds of a tail
    vec4 twinkle;        // samples per second, share of time visible, least and greatest size
    vec4 spin;           // radians and their variation, turns and their variation
    vec4 tumble_least;
    vec4 tumble_most;
    vec4 phases;         // start of the second phase of the cells, repetitions of each phase
    vec4 variation;      // of the sizes; z: the least alpha that is drawn, w: 1 where alpha is ignored
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

// The last of `rows.y` rows, each of the given number of texels, whose first number is at most `value`; else row 0.
int last_not_above(ivec4 rows, int texels, float value) {
    int row = 0;
    for (int step_ = rows.z; step_ > 0; step_ >>= 1) {
        int probe = min(row + step_, rows.y - 1);
        if (entry(rows.x + probe * texels).x <= value) row = probe;
    }
    return row;
}

// A ramp at `part` of a life: its rows are a time and up to three numbers. Without rows the value is `otherwise`.
vec3 ramp(ivec4 rows, float part, vec3 otherwise) {
    if (rows.y == 0) return otherwise;
    int row = last_not_above(rows, 1, part);
    vec4 from = entry(rows.x + row), to = entry(rows.x + min(row + 1, rows.y - 1));
    float gap = to.x - from.x;
    return gap > 0.0 ? mix(from.yzw, to.yzw, clamp((part - from.x) / gap, 0.0, 1.0)) : from.yzw;
}
