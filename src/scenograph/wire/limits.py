"""Numeric limits shared by the service, its clients and its surfaces. R-LIMIT-1."""

from __future__ import annotations

MAX_REVISION = 2**53 - 1  # the largest integer that every JSON reader keeps exact
OPERATIONS = 1_000  # of a batch
TITLE_LENGTH = 500  # characters, as for all lengths here
MESSAGE_LENGTH = 500
PROBLEM_LENGTH = 500
SOURCE_NAME_LENGTH = 200
KEY_NAME_LENGTH = 100
COMMENT_LENGTH = 4_000
COMMENT_COORDINATE = 1_000_000  # px from the origin, either way
SELECTED = 50  # ids told of a selection
TAB_LENGTH = 40
EMAIL_LENGTH = 254  # RFC 5321, 4.5.3.1.3
ICON_QUERY_LENGTH = 128
SEARCH_LENGTH = 200  # of titles and ids
SOURCE_BYTES = 1 << 20
MIN_SCALE, MAX_SCALE = 0.1, 8.0
