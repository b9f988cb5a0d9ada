// A bone: an octahedron from head to tail with a sphere at its head. Each bone is an instance.
uniform mat4 view;         // the file's axes -> eye space
uniform mat4 projection;   // eye space -> clip space
uniform float pixel;       // the height of a pixel where w is 1, in units of the file

in vec3 in_corner;         // octahedron: y along the bone 0..1, x and z across it; sphere: radius 1
in float in_joint;         // 1: the vertex belongs to the sphere
in vec3 in_edge;           // barycentric coordinates, to find the edges

in vec3 in_head;           // the file's axes
in vec3 in_tail;
in vec3 in_side;           // direction of the octahedron's side: of length 1, not along the bone
in float in_radius;        // half the width of the octahedron
in float in_chosen;        // 1: the selected bone, -1: a bone of a marked group
in vec3 in_color;          // the colour of a bone that is not chosen

out vec3 place;            // eye space
out vec3 outward;          // eye space, only for the sphere
out vec3 edge;
out float width;           // half the width of the octahedron in pixels
flat out float joint;
flat out float chosen;
flat out vec3 plain;

const float THINNEST = 2.0;  // the smallest half width in pixels
const float JOINT = 0.62;    // the radius of the sphere, in widths of the octahedron
const float FRONT = 0.1;     // the share of the depth range, at the front, that only the skeleton uses

void main() {
    float w = (projection * view * vec4(in_head, 1.0)).w;
    float radius = max(in_radius, THINNEST * pixel * w);
    vec3 along = in_tail - in_head;
    vec3 y = normalize(along);
    vec3 z = normalize(cross(in_side, y));
    vec3 x = cross(y, z);
    vec3 across = (x * in_corner.x + z * in_corner.z) * radius;
    vec3 sphere = mat3(x, y, z) * in_corner;
    vec3 position = in_head + (in_joint > 0.5 ? sphere * radius * JOINT : across + along * in_corner.y);

    vec4 eye = view * vec4(position, 1.0);
    place = eye.xyz;
    outward = mat3(view) * sphere;
    edge = in_edge;
    width = in_corner.y > 0.0 && in_corner.y < 1.0 ? radius / (pixel * w) : 0.0;
    joint = in_joint;
    chosen = in_chosen;
    plain = in_color;
    gl_Position = projection * eye;
    gl_Position.z = gl_Position.z * FRONT - gl_Position.w * (1.0 - FRONT);
}
