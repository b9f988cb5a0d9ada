// An edge of a few pixels around the area that `mask` covers.
uniform sampler2D mask;  // 1 where the selected geometry is
uniform vec2 radius;     // width of the edge, in fractions of the picture
uniform vec4 edge;       // sRGB, straight alpha

in vec2 place;

out vec4 color;          // premultiplied

const int TURNS = 12;

void main() {
    float around = 0.0;
    for (int i = 0; i < TURNS; i++) {
        float angle = 6.2831853 * float(i) / float(TURNS);
        around = max(around, texture(mask, place + vec2(cos(angle), sin(angle)) * radius).r);
    }
    float alpha = edge.a * around * (1.0 - texture(mask, place).r);
    if (alpha <= 0.0) discard;
    color = vec4(edge.rgb * alpha, alpha);
}
