// The data of all geometries in a frame (layout: render/mesh/material_block.py).
layout(std140) uniform Frame {
    mat4 view;         // the file's axes -> eye space: x right, y up, z towards the viewer
    mat4 projection;   // eye space -> clip space
    mat4 eye_to_world; // eye space -> viewer space, directions only
    int shading;       // SHADING_*
    int chosen_bone;   // -1: none
    int bone_count;    // the number of skin matrices
    float handedness;  // 1 where bitangents are cross(tangent, normal) * w (left-handed files), else -1
    int light_count;        // number of the file's lights, which replace the studio's lights
    vec4 light_positions[MOST_LIGHTS];   // eye space; w: 1 for a position, 0 for the direction to the light
    vec4 light_diffuse[MOST_LIGHTS];  // w: the distance at which it begins to fade
    vec4 light_ambient[MOST_LIGHTS];  // w: the distance at which it has faded
};

// Programs for one shading and one kind of light define these as constants.
#ifndef SHADING
#define SHADING shading
#endif
#ifndef FILE_LIGHTS
#define FILE_LIGHTS (light_count > 0)
#endif
