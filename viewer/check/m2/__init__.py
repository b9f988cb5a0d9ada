"""Rules for what World of Warcraft models declare."""
