#!/usr/bin/env python3
"""summary.py RESULTS.xml COUNTS: counts test cases in ctest's JUnit file, lists the skipped ones with their reasons.

A Catch2 program is one test for ctest but holds many cases: they are counted from what it printed. Any other test counts as one.
"""
import re
import sys
import xml.etree.ElementTree

ALL_PASSED = re.compile(r"^All tests passed \(.*?\bin (\d+) test cases?\)", re.M)
SOME_FAILED = re.compile(r"^test cases: *(.*)$", re.M)


def count(case):
    """passed, failed and the lines of skipped cases of one ctest test."""
    output = case.findtext("system-out") or ""
    skipped = [line.removeprefix("SKIPPED: ") for line in output.splitlines() if line.startswith("SKIPPED: ")]
    broken = case.get("status") == "fail" or case.find("failure") is not None
    if case.get("status") in ("notrun", "disabled") or case.find("skipped") is not None:
        return (0, 0, skipped or [f"{case.get('name')}: not run"])
    passed, failed = 0, 0
    if match := ALL_PASSED.search(output):
        passed = int(match[1])
    elif match := SOME_FAILED.search(output):
        numbers = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|skipped)", match[1])}
        passed, failed = numbers.get("passed", 0), numbers.get("failed", 0)
    elif not broken:
        return (0 if skipped else 1, 0, skipped)
    if broken and not failed:
        failed = 1  # killed, timed out, or found wanting by a sanitizer at its end
    return (max(0, passed - len(skipped)), failed, skipped)


def main():
    passed, failed, skipped = 0, 0, []
    for case in xml.etree.ElementTree.parse(sys.argv[1]).getroot().iter("testcase"):
        p, f, s = count(case)
        passed, failed, skipped = passed + p, failed + f, skipped + s
    for line in skipped:
        print(f"skipped: {line}")
    with open(sys.argv[2], "w") as counts:
        counts.write(f"{passed} {failed} {len(skipped)}\n")
    print(f"{passed} passed, {failed} failed, {len(skipped)} skipped")
    return 1 if failed or passed + len(skipped) == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
