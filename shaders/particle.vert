// Every particle: four vertices of a quad. TAIL draws it along its way; SORTED takes them in the order of a table;
// NUMBERED passes its number on; LIT what light needs, where it is and looks to; CAPTURED makes a vertex of each,
// for `bake` and for sorting. What an emitter is, as far as it costs: WORLD, SPLINE, FLAT. CARRIED ones are born of
// other particles; ASKED takes those of a table.
#include "frame.glsl"
#include "particle.glsl"

#ifdef CAPTURED
out vec2 alive;          // age and life; an age below 0: nothing is there
out vec3 position;
out vec3 velocity;
out vec4 color;
out vec2 size;
out float angle;
out float cell;
out vec3 tail;
out float depth;         // along the line of sight, the farthest is the lowest

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

#ifdef SORTED
uniform isampler2D particle_order;
#endif
uniform float unit_length;  // of the file's axes in eye space
uniform int spot;           // 1: the picture is missing, and each particle shows a whole spot

out vec2 uv;
out vec4 tint;
#ifdef NUMBERED
flat out uint number;
#endif
#ifdef LIT
out vec3 eye_position;
flat out vec3 eye_normal;
#endif

const float SHORT = 1e-4;  // of a tail on the screen, in half sizes: it is seen from its end
const float DOT = 0.05;    // what is seen of it then

// Two directions across the line of sight, as long as half the quad.
void facing(Particle p, out vec3 right, out vec3 up) {
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

void main() {
#ifdef SORTED
    int back = texelFetch(particle_order, texel(gl_VertexID >> 2), 0).x;
#else
    int back = gl_VertexID >> 2;
#endif
    Particle p = particle(back);
    uv = vec2(0.0);
    tint = vec4(0.0);
#ifdef LIT
    eye_position = vec3(0.0);
    eye_normal = vec3(0.0);
#endif
#ifdef NUMBERED
#ifdef CARRIED
    number = counts.x - uint(carrier(back));
#else
    number = counts.x - uint(back);
#endif
#endif
    if (p.age < 0.0) {
        gl_Position = vec4(0.0, 0.0, 2.0, 1.0);  // behind everything
        return;
    }
    ivec2 corner = ivec2(gl_VertexID >> 1 & 1, gl_VertexID & 1);  // the first row of a picture is above
    vec2 side = vec2(corner.x * 2 - 1, 1 - corner.y * 2);
    vec3 middle = (view * vec4(p.position, 1.0)).xyz, right, up;
#ifdef TAIL
    vec3 end = (view * vec4(p.tail, 1.0)).xyz, along = end - middle;
    float width = p.size.x * unit_length, reach = length(along.xy);
    if (reach > SHORT * width) {
        up = along / 2.0;
        middle += up;
        right = vec3(along.y, -along.x, 0.0) / reach * width;
    } else {
        right = vec3(width * DOT, 0.0, 0.0);
        up = vec3(0.0, width * DOT, 0.0);
    }
#else
    facing(p, right, up);
#endif
    vec3 place = middle + right * side.x + up * side.y;
    gl_Position = projection * vec4(place, 1.0);
#ifdef LIT
    eye_position = place;
    eye_normal = unit(cross(right, up));
#endif
    ivec2 picture = ivec2(p.cell % grid.y, p.cell / grid.y % grid.x);
    uv = spot == 1 ? vec2(corner) : (vec2(picture) + vec2(corner)) / vec2(grid.y, grid.x);
    tint = p.color;
}
#endif
