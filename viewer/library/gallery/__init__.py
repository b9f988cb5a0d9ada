"""A gallery: a static page with pictures and facts of many files, which needs no server."""
