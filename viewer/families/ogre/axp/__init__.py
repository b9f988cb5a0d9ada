"""AXP archives of 天龙八部 (TLBB)."""
