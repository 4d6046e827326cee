#!/usr/bin/env python3
"""No file of ours has more than 500 lines, but for those named here with their reason."""
import pathlib
import sys

LIMIT = 500
ALLOWED = {"tests/CMakeLists.txt": "one list of each test program's files, a file on a line"}  # path: reason
ENDINGS = {".hpp", ".cpp", ".py", ".sh", ".cmake", ".md"}
FOLDERS = ("framework", "operators", "transports", "host", "apps", "examples", "tests", "cmake", "docs", ".ci")


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    files = [f for folder in FOLDERS for f in sorted((root / folder).rglob("*")) if f.is_file()]
    bad = 0
    for file in files:
        if file.suffix not in ENDINGS and file.name not in ("CMakeLists.txt", "run"):
            continue
        path = str(file.relative_to(root))
        lines = file.read_text(errors="replace").count("\n")
        if lines > LIMIT and path not in ALLOWED:
            print(f"{path}:{LIMIT + 1}: {lines} lines; split it, or name it in tests/checks/check_size.py with the reason")
            bad += 1
    for path in ALLOWED:
        if not (root / path).is_file():
            print(f"tests/checks/check_size.py: {path} is allowed but does not exist")
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
