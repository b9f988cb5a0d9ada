// How open the surroundings of each surface are: nearby surfaces above its tangent plane close them.
// Source: McGuire, Mara and Luebke, "Scalable ambient obscurance".
uniform sampler2D surfaces;  // normal in eye space, distance from the eye's plane (0: no surface)
uniform mat4 projection;     // eye space -> clip space
uniform float reach;         // surfaces farther away than this close nothing
uniform float darkness;

out vec4 color;

const int SAMPLES = 14;
const float TURNS = 5.0, TAU = 6.2831853, LARGEST = 0.25;  // of the picture's height
const float LIFT = 0.02;                                   // of the reach: unevenness that closes nothing

vec3 position(ivec2 texel, float away) {
    vec2 at = (vec2(texel) + 0.5) / vec2(textureSize(surfaces, 0)) * 2.0 - 1.0;
    float w = projection[3][3] - projection[2][3] * away;
    vec2 shift = vec2(projection[2].x, projection[2].y) * away - vec2(projection[3].x, projection[3].y);
    return vec3((at * w + shift) / vec2(projection[0].x, projection[1].y), -away);
}

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy), last = textureSize(surfaces, 0) - 1;
    vec4 surface = texelFetch(surfaces, here, 0);
    if (surface.w == 0.0) { color = vec4(1.0, 0.0, reach, 1.0); return; }
    vec3 middle = position(here, surface.w);
    float w = projection[3][3] - projection[2][3] * surface.w, height = float(last.y + 1);
    float radius = clamp(0.5 * height * projection[1].y * reach / w, 2.0, LARGEST * height);
    float start = float((here.x & 3) * 4 + (here.y & 3) * 5 & 15) / 16.0;  // the blur averages 4 x 4 pixels
    float closed = 0.0;
    for (int i = 0; i < SAMPLES; i++) {
        float share = (float(i) + start) / float(SAMPLES), angle = TAU * (share * TURNS + start);
        ivec2 there = here + ivec2(round(vec2(cos(angle), sin(angle)) * max(share * radius, 1.0)));
        float away = texelFetch(surfaces, clamp(there, ivec2(0), last), 0).w;
        if (away == 0.0) continue;
        vec3 towards = position(there, away) - middle;
        float squared = dot(towards, towards), near = max(1.0 - squared / (reach * reach), 0.0);
        float rise = dot(towards, surface.xyz) - LIFT * reach;
        closed += near * near * near * max(rise, 0.0) * reach / (squared + 0.01 * reach * reach);
    }
    color = vec4(clamp(1.0 - darkness * closed / float(SAMPLES), 0.0, 1.0), surface.w, reach, 1.0);
}
