// Draws lines as quads, because drivers need not support lines thicker than one pixel. The outputs of mesh.vert are
// named line_….
uniform vec2 half_line;  // half the thickness, in clip space at w = 1

layout(lines) in;
layout(triangle_strip, max_vertices = 4) out;

in vec3 line_eye_position[];
in vec3 line_eye_normal[];
in vec4 line_vertex_color[];
in vec2 line_uv[];
in vec2 line_second_uv[];

out vec3 eye_position;
out vec3 eye_normal;
out vec4 vertex_color;
out vec2 uv;
out vec2 second_uv;

// The end `number` of the line, moved to the near plane by `part` of the line's length.
void corner(int number, float part, vec4 place, vec2 aside) {
    int other = 1 - number;
    eye_position = mix(line_eye_position[number], line_eye_position[other], part);
    eye_normal = mix(line_eye_normal[number], line_eye_normal[other], part);
    vertex_color = mix(line_vertex_color[number], line_vertex_color[other], part);
    uv = mix(line_uv[number], line_uv[other], part);
    second_uv = mix(line_second_uv[number], line_second_uv[other], part);
    gl_Position = place + vec4(aside * place.w, 0.0, 0.0);
    EmitVertex();
    gl_Position = place - vec4(aside * place.w, 0.0, 0.0);
    EmitVertex();
}

void main() {
    vec4 ends[2] = vec4[2](gl_in[0].gl_Position, gl_in[1].gl_Position);
    float before[2] = float[2](ends[0].z + ends[0].w, ends[1].z + ends[1].w);
    if (before[0] <= 0.0 && before[1] <= 0.0) return;
    float parts[2] = float[2](0.0, 0.0);
    for (int i = 0; i < 2; i++)
        if (before[i] < 0.0) parts[i] = before[i] / (before[i] - before[1 - i]);
    vec4 first = mix(ends[0], ends[1], parts[0]), last = mix(ends[1], ends[0], parts[1]);
    if (first.w <= 0.0 || last.w <= 0.0) return;
    vec2 way = (last.xy / last.w - first.xy / first.w) / half_line;  // in half thicknesses
    float size = length(way);
    way = size > 0.0 ? way / size : vec2(1.0, 0.0);
    vec2 aside = vec2(-way.y, way.x) * half_line;
    corner(0, parts[0], first, aside);
    corner(1, parts[1], last, aside);
    EndPrimitive();
}
