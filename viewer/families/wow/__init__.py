"""World of Warcraft: models, pictures, archives, tables, and the looks of creatures and characters."""
