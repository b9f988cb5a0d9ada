// Every particle, computed once; `particle.geom` makes its quad. TAIL draws it along its path; NUMBERED outputs its
// number; CAPTURED outputs its values, for `bake` and for sorting. WORLD, SPLINE and FLAT are the costly features
// of an emitter. CARRIED: other particles emit these particles. ASKED: a table lists the particles.
#include "frame.glsl"
#include "particle.glsl"

#ifdef CAPTURED
out vec2 alive;          // age and lifespan; no particle if the age is negative
out vec3 position;
out vec3 velocity;
out vec4 color;
out vec2 size;
out float angle;
out float cell;
out vec3 tail;
out float depth;         // along the line of sight; farther particles have lower values

void main() {
    Particle p = particle(gl_VertexID);
    alive = vec2(p.age, p.life);
    bool there = p.age >= 0.0;
    position = there ? p.position : vec3(0.0);
    velocity = there ? p.velocity : vec3(0.0);
    color = there ? p.color : vec4(0.0);
    size = there ? p.size : vec2(0.0);
    angle = there ? p.angle : 0.0;
    cell = there ? float(p.cell) : 0.0;
    tail = there ? p.tail : vec3(0.0);
    depth = there ? (view * vec4(p.position, 1.0)).z : 0.0;
    gl_Position = vec4(0.0);
}
#else

uniform float unit_length;  // length of the file's unit in eye space
uniform int spot;           // 1: the texture is missing, and each particle is a spot

out vec3 middle;            // eye space, as the half extents of the quad below
out vec3 right;             // `right` and `up` are 0 without a particle
out vec3 up;
out vec4 dye;
out vec4 cell;              // cell of the texture: its first and its last corner
#ifdef NUMBERED
out uint own_number;
#endif

const float SHORT = 1e-4;  // a tail that is shorter on the screen, in half sizes, is seen from its end
const float DOT = 0.05;    // the length that such a tail gets

#ifdef TAIL
// The quad from the particle's position to the end of its tail.
void along_its_way(Particle p) {
    vec3 along = (view * vec4(p.tail, 1.0)).xyz - middle;
    float width = p.size.x * unit_length, reach = length(along.xy);
    if (reach > SHORT * width) {
        up = along / 2.0;
        middle += up;
        right = vec3(along.y, -along.x, 0.0) / reach * width;
    } else {
        right = vec3(width * DOT, 0.0, 0.0);
        up = vec3(0.0, width * DOT, 0.0);
    }
}
#else
// The quad that faces the viewer, or lies in the particle's own plane.
void facing(Particle p) {
    vec2 along = vec2(cos(p.angle), sin(p.angle));
    if (is(LINE)) {
        vec2 way = -(mat3(view) * p.velocity).xy;
        if (length(way) > 0.0) along = normalize(way);
    }
    right = vec3(along, 0.0);
    up = vec3(-along.y, along.x, 0.0);
#ifdef FLAT
    mat3 axes = mat3(view) * p.axes / unit_length;
    right = axes[0] * cos(p.angle) + axes[1] * sin(p.angle);
    up = axes[1] * cos(p.angle) - axes[0] * sin(p.angle);
#endif
    right *= p.size.x * unit_length;
    up *= p.size.y * unit_length;
}
#endif

void main() {
    Particle p = particle(gl_VertexID);
    gl_Position = vec4(0.0);
    middle = right = up = vec3(0.0);
    dye = cell = vec4(0.0);
#if defined(NUMBERED) && defined(CARRIED)
    own_number = counts.x - uint(carrier(gl_VertexID));
#elif defined(NUMBERED)
    own_number = counts.x - uint(gl_VertexID);
#endif
    if (p.age < 0.0) return;
    middle = (view * vec4(p.position, 1.0)).xyz;
#ifdef TAIL
    along_its_way(p);
#else
    facing(p);
#endif
    vec2 picture = vec2(p.cell % grid.y, p.cell / grid.y % grid.x), pictures = vec2(grid.y, grid.x);
    cell = spot == 1 ? vec4(0.0, 0.0, 1.0, 1.0) : vec4(picture / pictures, (picture + 1.0) / pictures);
    dye = p.color;
}
#endif
