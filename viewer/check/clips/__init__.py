"""Rules for animations."""
