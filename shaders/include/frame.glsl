// The data of all geometries in a frame (layout: render/mesh/material_block.py).
layout(std140) uniform Frame {
    mat4 view;         // the file's axes -> eye space: x right, y up, z towards the viewer
    mat4 projection;   // eye space -> clip space
    mat4 eye_to_world; // eye space -> viewer space, directions only
    int shading;       // SHADING_*
    int chosen_bone;   // -1: none
    int bone_count;    // the number of skin matrices
    float handedness;  // 1 where bitangents are cross(tangent, normal) * w (left-handed files), else -1
    int light_count;   // the number of lamps, or of the file's lights
    int light_kind;    // LIGHT_*
    int tone;          // TONE_*
    float exposure;    // factor of all light
    vec4 sky;          // linear colour of the light from above the lamps; w is unused
    vec4 ground;       // the same from below
    vec4 light_positions[MOST_LIGHTS];   // eye space; w: 1 for a position, 0 for the direction to a light or lamp
    vec4 light_diffuse[MOST_LIGHTS];  // w: the distance at which a light of the file begins to fade
    vec4 light_ambient[MOST_LIGHTS];  // only of the file; w: the distance at which the light has faded
};

// Programs for one shading and one kind of light define these as constants.
#ifndef SHADING
#define SHADING shading
#endif
#ifndef LIGHT
#define LIGHT light_kind
#endif
