"""Where the labels of lines stand."""
