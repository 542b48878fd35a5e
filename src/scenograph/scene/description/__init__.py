"""Every member of documents and operations, described once: reading, validation, schemas, reference come from it."""
