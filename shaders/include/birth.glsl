// The birth of a particle: time, parameters, position and direction.
#include "emitter.glsl"

struct Birth {
    float age;       // seconds; negative before the birth
    float lifespan;
    vec4 way;        // speed, its variation, vertical and horizontal range
    vec4 place;      // gravity, length, width, z-source
    uint start;      // index of the birth's first random number
#ifdef CARRIED
    mat3x4 rows;     // rows of the frame in which it is born, or lives
    vec3 speed;      // speed of that frame
#endif
};

#ifdef CARRIED
#include "carried.glsl"
#else
// The index of a birth's first random number, which is equal in every loop.
uint start_of_birth(int back) {
    uint number = counts.x - uint(back), loop = counts.z;
    if (loop > 0u) number = loop - 1u - (uint(back) + loop - 1u - counts.w) % loop;
    return start_of(counts.y, number);
}

// Finds the birth `back` before the newest; false if there is none.
bool born(int back, out Birth found) {
    float e = now.x - float(back), total = schedule.y, loops = 0.0;
    float slack = 1e-6 * (1.0 + total);
    if (is(BIRTHS_LOOP)) {
        if (total <= 0.0) return false;
        loops = max(ceil(-(e + slack) / total), 0.0);
        e += loops * total;
    }
    int node = last_not_above(births, BIRTH_TEXELS, e + slack);
    int at = births.x + node * BIRTH_TEXELS, next = births.x + min(node + 1, births.y - 1) * BIRTH_TEXELS;
    vec4 from = entry(at), to = entry(next);  // births, time, rate, lifespan
    float gap = to.y - from.y, more = max(e - from.x, 0.0);
    float slope = gap > 0.0 ? (to.z - from.z) / gap : 0.0;
    float divisor = from.z + sqrt(max(from.z * from.z + 2.0 * slope * more, 0.0));
    float since = divisor > 0.0 ? min(2.0 * more / divisor, gap) : 0.0;
    float part = gap > 0.0 ? since / gap : 0.0;
    found.age = now.y - (from.y + since) + loops * schedule.x;
    found.lifespan = mix(from.w, to.w, part);
    found.way = mix(entry(at + 1), entry(next + 1), part);
    found.place = mix(entry(at + 2), entry(next + 2), part);
    if (!is(BIRTHS_LOOP) && e < 0.0) {
        if (schedule.z <= 0.0) return false;
        found.age = now.y - e / schedule.z;
    } else if (!is(BIRTHS_LOOP) && e > total) {
        if (schedule.w <= 0.0) return false;
        found.age = (now.z + float(back)) / schedule.w;
    }
    found.start = start_of_birth(back);
    return true;
}
#endif

vec3 unit(vec3 v) {
    float size = length(v);
    return size > 0.0 ? v / size : vec3(0.0, 0.0, 1.0);
}

#ifdef SPLINE
// The up vector, turned around the tangent of the spline.
vec3 around(vec3 tangent, float angle) {
    vec3 up = vec3(0.0, 0.0, 1.0);
    return up * cos(angle) + cross(tangent, up) * sin(angle) + tangent * tangent.z * (1.0 - cos(angle));
}

void start_on_spline(Birth birth, uint start, out vec3 position, out vec3 direction) {
    vec2 ends = clamp(birth.place.yz, 0.0, 1.0);
    float row = mix(ends.x, ends.y, part_of(start, X_DRAW)) * float(max(points.y - 1, 0));
    int first = points.x + int(row) * SPLINE_TEXELS;
    int second = points.x + min(int(row) + 1, points.y - 1) * SPLINE_TEXELS;
    position = points.y == 0 ? vec3(0.0) : mix(entry(first).xyz, entry(second).xyz, fract(row));
    direction = vec3(0.0, 0.0, 1.0);
    if (birth.way.z == 0.0 || points.y == 0) return;
    vec3 tangent = unit(mix(entry(first + 1).xyz, entry(second + 1).xyz, fract(row)));
    direction = around(tangent, birth.way.z * swing(start, VERTICAL_DRAW));
    position += direction * birth.way.w * part_of(start, HORIZONTAL_DRAW);
}

#endif

// The start of a particle in the emitter's space. `direction` has length 1.
void start_of_life(Birth birth, uint start, out vec3 position, out vec3 direction) {
    float polar = birth.way.z * swing(start, VERTICAL_DRAW), azimuth = birth.way.w * swing(start, HORIZONTAL_DRAW);
#ifdef SPLINE
    start_on_spline(birth, start, position, direction);
#else
    if (grid.w == KIND_SPHERE) {
        vec3 out_ = vec3(cos(polar) * cos(azimuth), cos(polar) * sin(azimuth), sin(polar));
        position = mix(birth.place.y, birth.place.z, part_of(start, X_DRAW)) * out_;
        direction = is(UP_ONLY) ? vec3(0.0, 0.0, 1.0) : out_;
    } else {
        position = vec3(birth.place.yz * vec2(swing(start, X_DRAW), swing(start, Y_DRAW)) / 2.0, 0.0);
        direction = vec3(cos(azimuth) * sin(polar), sin(azimuth) * sin(polar), cos(polar));
    }
#endif
    if (abs(birth.place.w) > NO_SOURCE) direction = unit(position - vec3(0.0, 0.0, birth.place.w));
}
