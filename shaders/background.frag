// A soft gradient, darker at the bottom, with a little noise against banding.
in float height;

out vec4 color;

uniform vec3 below;
uniform vec3 above;

void main() {
    float noise = fract(sin(dot(gl_FragCoord.xy, vec2(12.9898, 78.233))) * 43758.5453) - 0.5;
    color = vec4(mix(below, above, smoothstep(0.0, 1.0, height)) + noise / 255.0, 1.0);
}
