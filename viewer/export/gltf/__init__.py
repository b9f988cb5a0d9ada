"""glTF 2.0: a model with its skeleton, its clips and its materials as other programs read them."""
