"""What clips do over time: how two clips differ, which keys pop, how fast bones turn, where feet stand."""
