// The births of an emitter that particles carry, in the CPU's list (render/effects/carried_resources.py).
uniform sampler2D carried_births;

vec4 listed(int birth, int place) { return texelFetch(carried_births, texel(birth * CARRIED_TEXELS + place), 0); }

bool born(int back, out Birth found) {
    vec4 head = listed(back, 0);  // age, lifespan, both halves of the first random index
    found.age = head.x;
    found.lifespan = head.y;
    found.start = uint(head.z) * HALF_WORD + uint(head.w);
    found.way = listed(back, 1);
    found.place = listed(back, 2);
    found.rows = mat3x4(listed(back, 3), listed(back, 4), listed(back, 5));
    found.speed = listed(back, 6).xyz;
    return true;
}

// The birth of the carrying particle, counted back from the newest.
int carrier(int back) { return int(listed(back, 6).w); }
