"""Pictures of models: frames, captions, comparisons."""
