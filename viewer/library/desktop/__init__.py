"""Integration into a Linux desktop: file types, a desktop entry, thumbnails."""
