"""The pages of docs/gallery: scenes that show everything there is, made from the vocabulary itself."""
