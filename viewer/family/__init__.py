"""What a family of engines can give: formats, archives, places, decoders of pictures, looks, rules, pages."""
