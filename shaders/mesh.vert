// Every mesh vertex: applies morphs, skin and camera. SHAPED, MORPHED, SKINNED, NORMAL_MAP and SECOND_UV are features
// of the geometry. INSTANCED draws copies, each with a transform and a colour; NUMBERED outputs their numbers;
// DISTANCES outputs the distances of the vertices from the vertices of another model.
// `bake` captures posed_position and posed_normal, in the file's axes.
#include "frame.glsl"
#include "color.glsl"
#ifdef SKINNED
#include "skin.glsl"
#endif
#ifdef MORPHED
#include "morph.glsl"
#endif
#ifdef SHAPED
#include "shape.glsl"
#endif

#ifdef THICK_LINES  // thick_lines.geom copies these
#define eye_position line_eye_position
#define eye_normal line_eye_normal
#define vertex_color line_vertex_color
#define uv line_uv
#define second_uv line_second_uv
#endif

in vec3 in_position;
in vec3 in_normal;
in vec4 in_tangent;
in vec4 in_color0;
in vec2 in_uv0;
#ifdef SECOND_UV
in vec2 in_second_uv;
#endif
#ifdef SKINNED
in vec4 in_joints;
in vec4 in_weights;
#endif

#ifdef INSTANCED
in vec4 in_row0;  // rows of the matrix from the instance's axes to the model's axes
in vec4 in_row1;
in vec4 in_row2;
in vec4 in_dye;   // sRGB, straight alpha
out vec4 dye;
#endif
#ifdef DISTANCES
in float in_distance;  // share of the largest distance; negative if the vertex has no counterpart
#endif
#ifdef NUMBERED
in uint in_number;
flat out uint number;
#endif

out vec3 posed_position;
out vec3 posed_normal;

// Each output slows software renderers down, so weights and distances use the vertex colour.
out vec3 eye_position;
out vec3 eye_normal;
out vec4 vertex_color;
out vec2 uv;
out vec2 second_uv;
#ifdef NORMAL_MAP
out vec3 eye_tangent;
out vec3 eye_bitangent;
#endif

// A zero vector stays zero: the fragment shader then uses the face's normal.
vec3 unit(vec3 v) {
    float squared = dot(v, v);
    return squared > 0.0 ? v * inversesqrt(squared) : v;
}

#ifdef SKINNED
// The colours of SHADING_WEIGHTS and SHADING_BONES.
vec3 influence_color() {
    float chosen = 0.0, sum = 0.0, strongest = 0.0;
    int dominant = -1;
    for (int i = 0; i < 4; i++) {
        int bone = bone_of(in_joints[i]);
        float weight = in_weights[i];
        sum += weight;
        if (bone == chosen_bone) chosen += weight;
        if (weight > strongest) { strongest = weight; dominant = bone; }
    }
    if (SHADING == SHADING_BONES) return distinct(dominant);
    if (chosen_bone >= 0) return heat(chosen);
    return abs(sum - 1.0) < 0.01 ? vec3(0.25, 0.5, 0.25) : vec3(0.9, 0.05, 0.05);
}
#endif

void main() {
    vec3 position = in_position;
    vec3 normal = in_normal;
    vec3 tangent = in_tangent.xyz;
#ifdef SHAPED
    take_shape(position, normal);
#endif
#ifdef MORPHED
    add_morphs(position, normal, tangent);
#endif
    bool influences = SHADING == SHADING_WEIGHTS || SHADING == SHADING_BONES;
    vertex_color = influences ? vec4(heat(0.0), 1.0) : in_color0;
#ifdef SKINNED
    mat3x4 skin = blended_matrix(in_joints, in_weights);
    position = vec4(position, 1.0) * skin;
    normal = vec4(normal, 0.0) * skin;
    tangent = vec4(tangent, 0.0) * skin;
    if (influences) vertex_color.rgb = influence_color();
#endif
#ifdef DISTANCES
    vertex_color = vec4(max(in_distance, 0.0), step(0.0, in_distance), 0.0, 1.0);
#endif
#ifdef INSTANCED
    mat3x4 place = mat3x4(in_row0, in_row1, in_row2);
    position = vec4(position, 1.0) * place;
    normal = vec4(normal, 0.0) * place;
    tangent = vec4(tangent, 0.0) * place;
    dye = in_dye;
#endif
#ifdef NUMBERED
    number = in_number;
#endif
    posed_position = position;
    posed_normal = unit(normal);

    vec4 eye = view * vec4(position, 1.0);
    eye_position = eye.xyz;
    eye_normal = unit(mat3(view) * posed_normal);
#ifdef NORMAL_MAP
    tangent = unit(tangent);
    eye_tangent = mat3(view) * tangent;
    eye_bitangent = mat3(view) * cross(tangent, posed_normal) * in_tangent.w * handedness;
#endif
    uv = in_uv0;
#ifdef SECOND_UV
    second_uv = in_second_uv;
#else
    second_uv = in_uv0;
#endif
    gl_Position = projection * eye;
    gl_PointSize = 4.0;
}
