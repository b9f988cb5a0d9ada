// The data of all particles of an emitter (layout: render/effects/emitter_buffers.py), and its table: births,
// ramps over life, the points of a spline, and the frames at which particles are born.
#include "texels.glsl"
#include "random_hash.glsl"

layout(std140) uniform Emitter {
    vec4 frame_now[3];   // rows of the current matrix, the emitter's space -> the file's axes
    vec4 drift_now;      // current offset of following particles; w: time within the frames' period
    vec4 now;            // births up to the newest, time within the births' period, fraction of the next birth, size
    uvec4 counts;        // newest birth, seed, births of a loop (0: no loop), newest birth within the loop
    vec4 schedule;       // the births' period in seconds, births in it, rates at its start and at its end
    vec4 path;           // movement of following particles in the frames' period; w: this period in seconds
    vec4 motion;         // drag, burst, seconds of wind, variation of the lifespan
    vec4 wind;           // w: length of a tail in seconds
    vec4 twinkle;        // samples per second, visible share of time, smallest and largest size
    vec4 spin;           // radians and their variation, turns and their variation
    vec4 tumble_least;
    vec4 tumble_most;
    vec4 phases;         // start of the second phase of the cells, repetitions of each phase
    vec4 variation;      // xy: variation of sizes; z: smallest drawn alpha; w: 1 if alpha is ignored
    ivec4 grid;          // rows, columns, the emitter's own cell, the kind of emitter
    ivec4 births;        // first texel, nodes, first step of the search; w: BITS of render/effects/emitter_buffers.py
    ivec4 frames;        // the same for the frames
    ivec4 points;        // the same for the spline
    ivec4 color_ramp;    // the same for the ramps
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

// A ramp at `part` of a life. Its rows are a time and up to three numbers; without rows the value is `otherwise`.
vec3 ramp(ivec4 rows, float part, vec3 otherwise) {
    if (rows.y == 0) return otherwise;
    int row = last_not_above(rows, 1, part);
    vec4 from = entry(rows.x + row), to = entry(rows.x + min(row + 1, rows.y - 1));
    float gap = to.x - from.x;
    return gap > 0.0 ? mix(from.yzw, to.yzw, clamp((part - from.x) / gap, 0.0, 1.0)) : from.yzw;
}
