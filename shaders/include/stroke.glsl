// A thick line with round ends, in pixels; a dot if both ends are equal. It is a strip of four vertices.
uniform vec2 size;     // size of the picture in pixels

flat out vec2 start;   // pixels from the lower left corner
flat out vec2 end;
flat out float radius; // pixels
flat out vec4 stroke_color;  // sRGB, straight alpha
out vec2 here;

void stroke(vec2 from, vec2 to, float thick, vec4 color) {
    vec2 along = to - from;
    float length_ = length(along);
    along = length_ > 0.0 ? along / length_ : vec2(1.0, 0.0);
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    vec2 margin = (corner * 2.0 - 1.0) * (thick + 1.0);
    here = mix(from, to, corner.x) + along * margin.x + vec2(-along.y, along.x) * margin.y;
    start = from;
    end = to;
    radius = thick;
    stroke_color = color;
    gl_Position = vec4(here / size * 2.0 - 1.0, 0.0, 1.0);
}
