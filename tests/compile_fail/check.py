#!/usr/bin/env python3
"""check.py FILE COMPILER [FLAGS...]: a file with `// error: TEXT` in its first lines must not compile, and the compiler's output must contain
every such TEXT. A file without must compile: the control that shows the harness itself is right.

A compiler cache does not keep failures, so what passed is remembered here: the same preprocessed text and command are not tried again."""
import hashlib
import pathlib
import subprocess
import sys


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)


def identity(source, command):
    """A hash of everything the outcome depends on, or nothing where the file cannot be preprocessed."""
    preprocessed, version = run(*command, "-E", str(source)), run(command[0], "--version")
    parts = [*command, version.stdout, preprocessed.stdout, source.read_text(), pathlib.Path(__file__).read_text()]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest() if preprocessed.returncode == 0 else None


def problem(source, command):
    """What is wrong with the outcome, or nothing."""
    expected = [line.removeprefix("// error:").strip() for line in source.read_text().splitlines()[:10] if line.startswith("// error:")]
    compiler = pathlib.Path(command[0]).name
    outcome = run(*command, "-c", str(source), "-o", "/dev/null")
    output = outcome.stdout + outcome.stderr
    if not expected:
        return None if outcome.returncode == 0 else f"has to compile, but {compiler} refuses it:\n{output}"
    if outcome.returncode == 0:
        return f"must not compile, but {compiler} accepts it"
    missing = [text for text in expected if text not in output]
    return f'{compiler} refuses it without saying "{missing[0]}", but:\n{output[:4000]}' if missing else None


def main():
    source, command = pathlib.Path(sys.argv[1]), sys.argv[2:]
    memory = pathlib.Path(f"{source.stem}.{pathlib.Path(command[0]).name}.passed")  # in the build folder
    key = identity(source, command)
    if key and memory.is_file() and memory.read_text() == key:
        return 0
    if wrong := problem(source, command):
        print(f"{source.name}: {wrong}")
        return 1
    if key:
        memory.write_text(key)
    return 0


if __name__ == "__main__":
    sys.exit(main())
