// Tables in textures, TABLE_WIDTH texels per row (gpu/table.py).
ivec2 texel(int index) { return ivec2(index & (TABLE_WIDTH - 1), index >> TABLE_SHIFT); }
