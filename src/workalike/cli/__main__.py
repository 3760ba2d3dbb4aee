"""`python -m workalike.cli` is the same as `workalike`."""

import sys

from workalike.cli import main

sys.exit(main())
