"""`python -m understudy.cli` is the same as `understudy`."""

import sys

from understudy.cli import main

sys.exit(main())
