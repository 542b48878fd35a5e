"""Storage of scenes, keys and accounts: records, the Store protocol with its promises, and the backends."""
