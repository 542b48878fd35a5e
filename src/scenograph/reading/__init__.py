"""Sources of other tools, read into scene documents. Pure: text in, document and diagnostics out."""
