#!/usr/bin/env python3
"""check.py FILE COMPILER [FLAGS...]: a file with `// error: TEXT` in its first lines must not compile, and the compiler's output must contain
every such TEXT. A file without must compile: the control that shows the harness itself is right."""
import pathlib
import subprocess
import sys


def main():
    source, command = pathlib.Path(sys.argv[1]), sys.argv[2:]
    head = source.read_text().splitlines()[:10]
    expected = [line.removeprefix("// error:").strip() for line in head if line.startswith("// error:")]
    run = subprocess.run([*command, "-std=c++20", "-c", str(source), "-o", "/dev/null"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    output = run.stdout + run.stderr
    compiler = pathlib.Path(command[0]).name
    if not expected:
        if run.returncode == 0:
            return 0
        print(f"{source.name}: has to compile, but {compiler} refuses it:\n{output}")
        return 1
    if run.returncode == 0:
        print(f"{source.name}: must not compile, but {compiler} accepts it")
        return 1
    missing = [text for text in expected if text not in output]
    if missing:
        print(f'{source.name}: {compiler} refuses it without saying "{missing[0]}", but:\n{output[:4000]}')
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
