"""The endpoints, a module for each subject, listed in `http.routes`."""
