// Tables in textures, 2048 texels a row (gpu/table.py).
ivec2 texel(int index) { return ivec2(index & 2047, index >> 11); }
