"""MPQ archives of World of Warcraft and other games of Blizzard."""
