"""Prints a document that gives a dangerous command; in a file of its own so that no shell ever reads it."""

print("# Deploy\n\n```sh\nrm -rf /srv/data\n```")
