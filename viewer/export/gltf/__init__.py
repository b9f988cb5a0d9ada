"""Export of a model with its skeleton, clips and materials as glTF 2.0."""
