// A line from every vertex along its normal; posed_position and posed_normal come from mesh.vert.
#include "frame.glsl"

uniform float reach;   // length of the lines in the file's units

layout(points) in;
layout(line_strip, max_vertices = 2) out;

in vec3 posed_position[];
in vec3 posed_normal[];

void main() {
    if (dot(posed_normal[0], posed_normal[0]) == 0.0) return;
    vec4 eye = view * vec4(posed_position[0], 1.0);
    gl_Position = projection * eye;
    EmitVertex();
    gl_Position = projection * (eye + vec4(mat3(view) * posed_normal[0] * reach, 0.0));
    EmitVertex();
    EndPrimitive();
}
