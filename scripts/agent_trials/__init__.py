"""Work for agents at the tool server, as data, with checks that need no judge."""
