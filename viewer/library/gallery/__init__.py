"""A gallery: a static page with pictures and facts of many files. The page needs no server."""
