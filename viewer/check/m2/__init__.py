"""Rules for World of Warcraft models."""
