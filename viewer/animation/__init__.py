"""Pure functions of time: sampled tracks and poses; and the clock."""
