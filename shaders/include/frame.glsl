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
    vec4 light_positions[MOST_LIGHTS];   // eye space; w is 1 for a point, 0 for where a directional light comes from
    vec4 light_diffuse[MOST_LIGHTS];  // w: where it begins to fade
    vec4 light_ambient[MOST_LIGHTS];  // w: where it has faded
};

// Programs for one shading and one kind of light define these, and leave out the others.
#ifndef SHADING
#define SHADING shading
#endif
#ifndef FILE_LIGHTS
#define FILE_LIGHTS (light_count > 0)
#endif
