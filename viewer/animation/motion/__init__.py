"""What clips do over time: how two clips differ."""
