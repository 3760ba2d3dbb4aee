#!/bin/sh
# The browser as the driver starts it: with shorten.py where its reports go.
exec "$WORKALIKE_PYTHON" -I -S "${0%/*}/shorten.py" "$@"
