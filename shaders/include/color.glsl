// Display colours: the sRGB curve, distinct hues, a heat scale. All results except to_srgb's are linear.
vec3 to_srgb(vec3 linear) {
    vec3 low = linear * 12.92;
    vec3 high = 1.055 * pow(max(linear, vec3(0.0)), vec3(1.0 / 2.4)) - 0.055;
    return mix(high, low, lessThanEqual(linear, vec3(0.0031308)));
}

vec3 to_linear(vec3 srgb) {
    vec3 low = srgb / 12.92;
    vec3 high = pow((srgb + 0.055) / 1.055, vec3(2.4));
    return mix(high, low, lessThanEqual(srgb, vec3(0.04045)));
}

// Successive numbers get distant hues, because the golden ratio spreads them evenly.
vec3 distinct(int number) {
    if (number < 0) return vec3(0.08);
    float hue = fract(float(number) * 0.61803398875);
    float value = 0.95 - 0.18 * float(number % 3);
    vec3 pure = clamp(abs(fract(hue + vec3(0.0, 2.0, 1.0) / 3.0) * 6.0 - 3.0) - 1.0, 0.0, 1.0);
    return to_linear(value * mix(vec3(1.0), pure, 0.72));
}

// The heat scale from 0 to 1: grey-blue, blue, cyan, green, yellow, red.
vec3 heat(float amount) {
    if (amount <= 0.0) return to_linear(vec3(0.33, 0.37, 0.44));
    float hue = (1.0 - clamp(amount, 0.0, 1.0)) * 2.0 / 3.0;
    return to_linear(clamp(abs(fract(hue + vec3(0.0, 2.0, 1.0) / 3.0) * 6.0 - 3.0) - 1.0, 0.0, 1.0) * 0.92);
}
