// What all geometries of a frame share (render/blocks.py holds the same layout).
layout(std140) uniform Frame {
    mat4 view;         // the file's axes -> eye space: x right, y up, z towards the viewer
    mat4 projection;   // eye space -> clip space
    mat4 eye_to_world; // eye space -> viewer space, directions only
    int shading;       // SHADING_*
    int chosen_bone;   // -1: none
    int bone_count;    // how many skin matrices there are
    float handedness;  // 1 where bitangents are cross(tangent, normal) * w (left-handed files), else -1
    int light_count;        // lights of the file that shine in place of the studio's
    vec4 light_places[4];   // eye space; w is 1 for a point, 0 for where a directional light comes from
    vec4 light_diffuse[4];  // w: where it begins to fade
    vec4 light_ambient[4];  // w: where it has faded
};

const int SHADING_LIT = 0;
const int SHADING_UNLIT = 1;
const int SHADING_NORMALS = 2;
const int SHADING_UV = 3;
const int SHADING_WEIGHTS = 4;
const int SHADING_BONES = 5;
const int SHADING_SILHOUETTE = 6;
