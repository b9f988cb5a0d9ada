// The quad of a particle. NUMBERED outputs its number. LIT outputs the studio's light, which is equal all over
// the quad, and position and normal for the lights of the file, which light both sides.
#include "frame.glsl"
#ifdef LIT
#include "light.glsl"
#endif

layout(points) in;
layout(triangle_strip, max_vertices = 4) out;

in vec3 middle[];
in vec3 right[];
in vec3 up[];
in vec4 dye[];
in vec4 cell[];
out vec2 uv;
out vec4 tint;
#ifdef NUMBERED
in uint own_number[];
flat out uint number;
#endif
#ifdef LIT
out vec3 eye_position;
flat out vec3 eye_normal;
flat out vec3 studio_light;

const vec4 DULL = vec4(0.0, 0.0, 0.0, 1.0);
#endif

void main() {
    if (right[0] == vec3(0.0) && up[0] == vec3(0.0)) return;
#ifdef LIT
    vec3 normal = cross(right[0], up[0]);
    normal = length(normal) > 0.0 ? normalize(normal) : vec3(0.0, 0.0, 1.0);
    vec3 to_eye = way_to_eye(middle[0]);
    if (dot(normal, to_eye) < 0.0) normal = -normal;
    vec3 light = lamp_light(normal, to_eye, vec3(1.0), DULL);
#endif
    for (int corner = 0; corner < 4; corner++) {
        bool last = corner > 1, below = (corner & 1) == 1;  // the first row of a texture is on top
        vec3 place = middle[0] + (last ? right[0] : -right[0]) + (below ? -up[0] : up[0]);
        gl_Position = projection * vec4(place, 1.0);
        uv = vec2(last ? cell[0].z : cell[0].x, below ? cell[0].w : cell[0].y);
        tint = dye[0];
#ifdef NUMBERED
        number = own_number[0];
#endif
#ifdef LIT
        eye_position = place;
        eye_normal = normal;
        studio_light = light;
#endif
        EmitVertex();
    }
    EndPrimitive();
}
