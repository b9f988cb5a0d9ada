"""What a WoW model draws: geometry, views, skeleton, materials."""
