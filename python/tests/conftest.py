# SPDX-License-Identifier: Apache-2.0
"""Files that pytest leaves to Tests/Tools/check-programs.sh, which has an environment with Harlequin, and time."""

collect_ignore = ["test_harlequin.py", "test_streams.py"]
