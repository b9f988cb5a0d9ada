"""Rigscope in the file manager of a Linux desktop: file types, an entry, thumbnails."""
