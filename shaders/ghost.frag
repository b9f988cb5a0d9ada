// The surface of a ghost: one colour, denser where the surface turns away from the viewer.
uniform vec4 ghost_color;

in vec3 eye_position;
in vec3 eye_normal;

out vec4 color;

void main() {
    vec3 normal = dot(eye_normal, eye_normal) > 0.01 ? eye_normal : cross(dFdx(eye_position), dFdy(eye_position));
    float facing = abs(dot(normalize(normal), normalize(eye_position)));
    color = vec4(ghost_color.rgb * (0.55 + 0.45 * facing), ghost_color.a * (1.0 - 0.45 * facing));
}
