// Compresses light as film does: soft shadows and highlights, and bright colours that become white.
// Source: Stephen Hill's fit of the Academy Color Encoding System (BakingLab, ACES.hlsl); 0.18 stays 0.18.
const mat3 TO_FILM = mat3(0.59719, 0.07600, 0.02840, 0.35458, 0.90834, 0.13383, 0.04823, 0.01566, 0.83777);
const mat3 FROM_FILM = mat3(1.60475, -0.10208, -0.00327, -0.53108, 1.10813, -0.07276, -0.07367, -0.00605, 1.07602);
const float FILM_SPEED = 1.462;

vec3 filmic(vec3 color) {
    vec3 film = TO_FILM * (max(color, 0.0) * FILM_SPEED);
    film = (film * (film + 0.0245786) - 0.000090537) / (film * (0.983729 * film + 0.4329510) + 0.238081);
    return clamp(FROM_FILM * film, 0.0, 1.0);
}
