"""The endpoints: one small module a subject, listed in `http.routes`."""
