// The coverage of a pixel by a line, from the pixel's distance to the line's axis.
flat in vec2 start;
flat in vec2 end;
flat in float radius;
flat in vec4 stroke_color;
in vec2 here;

out vec4 color;        // premultiplied sRGB

void main() {
    vec2 along = end - start;
    float part = clamp(dot(here - start, along) / max(dot(along, along), 1e-6), 0.0, 1.0);
    float alpha = stroke_color.a * clamp(radius + 0.5 - distance(here, start + along * part), 0.0, 1.0);
    if (alpha <= 0.0) discard;
    color = vec4(stroke_color.rgb * alpha, alpha);
}
