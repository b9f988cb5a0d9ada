// Skinning: matrices of all bones in one table, three texels (rows) per bone. If joints are not bone numbers
// (MAPPED), each geometry's range of another table maps its joints to bones.
#include "texels.glsl"

uniform sampler2D skin_matrices;
#ifdef MAPPED
uniform isampler2D bone_maps;
#endif
uniform ivec2 bone_map;  // start of this geometry's map, and its number of joints

// The bone of a joint; -1 if it is not in the map or the skeleton.
int bone_of(float joint) {
    int bone = int(joint + 0.5);
    if (bone < 0 || bone >= bone_map.y) return -1;
#ifdef MAPPED
    bone = texelFetch(bone_maps, texel(bone_map.x + bone), 0).x;
#endif
    return bone < bone_count ? bone : -1;
}

// Three columns of four numbers are the rows of the 3x4 matrix: `position * matrix` applies it.
mat3x4 matrix_at(int place) {
    int row = place * BONE_TEXELS;
    return mat3x4(texelFetch(skin_matrices, texel(row), 0),
                  texelFetch(skin_matrices, texel(row + 1), 0),
                  texelFetch(skin_matrices, texel(row + 2), 0));
}

#ifdef INSTANCED
in vec3 in_poses;  // first bones of two poses in the table, and the weight of the second pose
#endif

mat3x4 bone_matrix(int bone) {
    if (bone < 0) return mat3x4(1.0);
#ifdef INSTANCED
    return matrix_at(int(in_poses.x) + bone) * (1.0 - in_poses.z) + matrix_at(int(in_poses.y) + bone) * in_poses.z;
#else
    return matrix_at(bone);
#endif
}

mat3x4 blended_matrix(vec4 joints, vec4 weights) {
    mat3x4 sum = mat3x4(0.0);
    for (int i = 0; i < 4; i++)
        if (weights[i] != 0.0) sum += weights[i] * bone_matrix(bone_of(joints[i]));
    return sum;
}
