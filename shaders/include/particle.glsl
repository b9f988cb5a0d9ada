// A particle as a function of its birth and the time: position and appearance.
#include "birth.glsl"

const uint TWINKLE_TABLE = 0x7717u;
const int TWINKLES = 128;
const float TURN = 6.28318530718;

struct Particle {
    float age;       // negative if there is no particle
    float life;
    vec3 position;   // in the file's axes, as are all vectors below
    vec3 velocity;
    vec3 tail;       // its end
#ifdef FLAT
    mat3 axes;
#endif
    vec4 color;      // sRGB, straight alpha
    vec2 size;       // half
    float angle;
    int cell;
};

// phi1 = (1 - exp(-k a)) / k and phi2 = (a - phi1) / k, which are a and a² / 2 for k = 0.
vec2 damped(float k, float a) {
    float x = k * a, second;
    if (abs(x) < 1.0) {
        second = 0.5 - x / 6.0 * (1.0 - x / 4.0 * (1.0 - x / 5.0 * (1.0 - x / 6.0 * (1.0 - x / 7.0
               * (1.0 - x / 8.0 * (1.0 - x / 9.0 * (1.0 - x / 10.0)))))));
        return vec2(a * (1.0 - x * second), a * a * second);
    }
    float first = (1.0 - exp(min(-x, MOST_EXPONENT))) / x;
    return vec2(a * first, a * a * (1.0 - first) / x);
}

// The solution of dv/dt = pull - k v.
void move(inout vec3 position, inout vec3 velocity, vec3 pull, float a) {
    vec2 phi = damped(motion.x, a);
    position += velocity * phi.x + pull * phi.y;
    velocity = velocity * exp(min(-motion.x * a, MOST_EXPONENT)) + pull * phi.x;
}

#ifdef WORLD
// The frame at a birth, the speed of its origin, and the movement of following particles since the birth.
struct Frame_ { mat3x4 rows; vec3 speed; vec3 carried; };
#ifdef CARRIED
Frame_ frame_at_birth(Birth birth) { return Frame_(birth.rows, birth.speed, vec3(0.0)); }
#else
Frame_ frame_at_birth(Birth birth) {
    float time = drift_now.w - birth.age, loops = 0.0;
    if (is(FRAMES_LOOP)) {
        loops = max(ceil(-time / path.w), 0.0);
        time += loops * path.w;
    }
    int node = last_not_above(frames, FRAME_TEXELS, time);
    int at = frames.x + node * FRAME_TEXELS, next = frames.x + min(node + 1, frames.y - 1) * FRAME_TEXELS;
    vec4 from = entry(at), to = entry(next);  // time, drift
    float gap = to.x - from.x, part = gap > 0.0 ? clamp((time - from.x) / gap, 0.0, 1.0) : 0.0;
    mat3x4 low = mat3x4(entry(at + 1), entry(at + 2), entry(at + 3));
    mat3x4 high = mat3x4(entry(next + 1), entry(next + 2), entry(next + 3));
    Frame_ found;
    found.rows = low * (1.0 - part) + high * part;
    found.speed = mix(entry(at + 4).xyz, entry(at + 5).xyz, part);
    found.carried = drift_now.xyz + loops * path.xyz - mix(from.yzw, to.yzw, part);
    return found;
}
#endif
#endif

#ifdef ASKED
// Births counted back from the newest, with the wanted age; in the emitter's space if particles live in model space.
uniform sampler2D asked_ages;
#endif

// `point * rows` applies the matrix.
vec3 origin_of(mat3x4 rows) { return vec3(rows[0].w, rows[1].w, rows[2].w); }
vec3 turned(mat3x4 rows, vec3 v) { return vec4(v, 0.0) * rows; }
vec3 placed(mat3x4 rows, vec3 p) { return vec4(p, 1.0) * rows; }

// Computes the position of a particle; false if it died at the centre.
bool travel(Birth birth, inout Particle p) {
    vec3 position, direction;
    start_of_life(birth, birth.start, position, direction);
    vec3 velocity = direction * birth.way.x * (1.0 + birth.way.y * swing(birth.start, SPEED_DRAW));
#if defined(CARRIED)
    mat3x4 rows = birth.rows;
#elif defined(ASKED)
    mat3x4 rows = mat3x4(1.0);
#else
    mat3x4 rows = mat3x4(frame_now[0], frame_now[1], frame_now[2]);
#endif
    vec3 middle = vec3(0.0), carried = vec3(0.0);
#ifdef WORLD
    Frame_ frame = frame_at_birth(birth);
    rows = frame.rows;
    position = placed(rows, position);
    velocity = turned(rows, velocity);
    middle = origin_of(rows);
    if (is(BURST)) velocity += frame.speed * motion.y;
    if (is(FOLLOWS)) carried = frame.carried;
    if (is(ON_THE_GROUND)) position.z = 0.0;
#endif
    vec3 pull = vec3(0.0, 0.0, -birth.place.x);
    float windy = min(p.age, max(motion.z, 0.0));
    if (windy > 0.0) move(position, velocity, pull + wind.xyz, windy);
    move(position, velocity, pull, p.age - windy);
    if (is(DIES_IN_THE_MIDDLE) && grid.w == KIND_SPHERE && dot(position - middle, velocity) > 0.0) return false;
#ifdef FLAT
    p.axes = mat3(unit(turned(rows, vec3(1.0, 0.0, 0.0))), unit(turned(rows, vec3(0.0, 1.0, 0.0))), vec3(0.0));
    p.axes[2] = cross(p.axes[0], p.axes[1]);
#endif
#ifdef WORLD
    p.position = position + carried;
    p.velocity = velocity;
#else
    p.position = placed(rows, position);
    p.velocity = turned(rows, velocity);
#endif
    p.tail = p.position - p.velocity * (is(TAIL_GROWS) ? min(p.age, wind.w) : wind.w);
    return true;
}

// The cell of the grid at `part` of the life. Each phase repeats its cells a given number of times.
int cell_at(ivec4 rows, float part, uint start) {
    float middle = phases.x;
    float within = part < middle ? middle * fract(phases.y * part / middle)
                 : middle < 1.0 ? middle + (1.0 - middle) * fract(phases.z * (part - middle) / (1.0 - middle))
                 : part;
    int cells = grid.x * grid.y;
    int own = rows.y == 0 && is(ONE_CELL_OF_THE_PARTICLE) ? int(drawn(start, CELL_DRAW) % uint(cells)) : 0;
    return (int(ramp(rows, within, vec3(0.0)).x) + own + grid.z) % cells;
}

// Both sizes vary by the same share, unless they are uneven. While a twinkle hides a particle, its size is 0.
vec2 size_at(float part, float age, uint start) {
    vec2 spread = variation.xy * vec2(swing(start, WIDTH_DRAW), swing(start, HEIGHT_DRAW));
    vec2 size = ramp(scale_ramp, part, vec3(1.0)).xy * now.w * (1.0 + (is(UNEVEN_SIZE) ? spread : spread.xx));
    int sample_ = int(age * twinkle.x) + int(drawn(start, TWINKLE_DRAW) % uint(TWINKLES));
    float chance = part_of(start_of(TWINKLE_TABLE, uint(sample_ & (TWINKLES - 1))), 0);
    return twinkle.y < chance ? vec2(0.0) : size * mix(twinkle.z, twinkle.w, chance);
}

float sign_of(uint start, int what) { return is(TUMBLES) && swing(start, what) < 0.0 ? -1.0 : 1.0; }

float angle_at(float part, float age, uint start) {
    float turns = spin.z + spin.w * swing(start, SPIN_DRAW);
    float turned_ = is(SPINS_BY_LIFE) ? TURN * turns * part : turns * age;
    return spin.x + spin.y * swing(start, ANGLE_DRAW) + turned_ * sign_of(start, SIGN_DRAW);
}

#ifdef FLAT
// Particles rotate in space: around x, then y, then z.
mat3 tumbled(uint start, float age) {
    vec3 a;
    for (int axis = 0; axis < 3; axis++) {
        float speed = mix(tumble_least[axis], tumble_most[axis], part_of(start, TUMBLE_DRAW + axis));
        a[axis] = speed * age * sign_of(start, TUMBLE_SIGN_DRAW + axis);
    }
    vec3 c = cos(a), s = sin(a);
    mat3 x = mat3(1.0, 0.0, 0.0, 0.0, c.x, s.x, 0.0, -s.x, c.x);
    mat3 y = mat3(c.y, 0.0, -s.y, 0.0, 1.0, 0.0, s.y, 0.0, c.y);
    mat3 z = mat3(c.z, s.z, 0.0, -s.z, c.z, 0.0, 0.0, 0.0, 1.0);
    return z * y * x;
}
#endif

// The particle whose birth is `back` before the newest.
Particle particle(int back) {
    Particle p;
    Birth birth;
    p.age = -1.0;
    p.life = 0.0;
#ifdef ASKED
    vec2 asked = texelFetch(asked_ages, texel(back), 0).xy;
    back = int(asked.x);
#endif
    if (!born(back, birth) || birth.age < 0.0) return p;
    uint start = birth.start;
    float age = birth.age, life = birth.lifespan + motion.w * swing(start, LIFE_DRAW);
#ifdef ASKED
    age = min(asked.y, life);
#endif
    if (!(life > 0.0) || age > life) return p;
    p.age = age;
    p.life = life;
    if (!travel(birth, p)) {
        p.age = -1.0;
        return p;
    }
    float part = p.age / life;
    p.color = vec4(ramp(color_ramp, part, vec3(1.0)), ramp(alpha_ramp, part, vec3(1.0)).x);
    p.size = size_at(part, p.age, start);
    p.angle = angle_at(part, p.age, start);
#ifdef TAIL
    p.cell = cell_at(tail_ramp, part, start);
#else
    p.cell = cell_at(head_ramp, part, start);
#endif
#ifdef FLAT
    p.axes = p.axes * tumbled(start, p.age);
#endif
    return p;
}
