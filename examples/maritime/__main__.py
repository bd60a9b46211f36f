"""`python -m examples.maritime`: make traffic, and say how much of its truth is recognised."""

import sys

from examples.maritime.command import main

sys.exit(main())
