// The shadow on the ground: the blurred layers of height above it absorb the light that reaches it.
uniform sampler2D layers;          // its red channel is the lowest layer
uniform sampler2D blurred_layers;  // the other channels are the higher layers
uniform float level;               // mip level of `layers` that is read
uniform vec4 densities;            // of the layers
uniform float darkest;             // largest opacity

in vec2 place;

out vec4 color;                    // premultiplied

void main() {
    vec4 covered = vec4(textureLod(layers, place, level).r, texture(blurred_layers, place).gba);
    float alpha = darkest * (1.0 - exp(-dot(densities, covered)));
    if (alpha < 1.0 / 512.0) discard;  // skips blending, the slowest part, of invisible pixels
    color = vec4(0.0, 0.0, 0.0, alpha);
}
