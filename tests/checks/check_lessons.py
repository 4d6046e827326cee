#!/usr/bin/env python3
"""Every row of the tables of lessons (tests/**/lessons.md) names tests that exist, or says why there are none.

The last cell of a row has names of tests in double quotes, each exactly as in its TEST_CASE; or it begins with "Not here: " and a reason, or with
"Open: " and what is missing, which may name tests that hold to a part of it. Rows are numbered from 1, and those behind them have a "+".
check_lessons.py --self-test tries it on small examples.
"""
import pathlib
import re
import sys

NAME = re.compile(r'TEST_CASE\(\s*"((?:[^"\\]|\\.)*)"')


def faults(table, tests):
    """What is wrong with a table, as lines of text."""
    out, number = [], 0
    for at, line in enumerate(table.splitlines(), 1):
        cells = [c.strip() for c in line.strip().strip("|").split("|")]
        if not line.startswith("|") or cells[0] in ("#", "---"):
            continue
        if cells[0] != "+":
            number += 1
            if cells[0] != str(number):
                out.append(f"{at}: the row is {cells[0]}, not {number}")
        last = cells[-1]
        names = re.findall(r'"([^"]*)"', last)
        if re.match("Not here|Open", last):
            if not re.match(r'(Not here|Open): [^\s"]', last):
                out.append(f"{at}: it does not say why (Not here: ...), or what is missing (Open: ...)")
        elif not names:
            out.append(f"{at}: it names no test, and has no reason (Not here: ..., or Open: ...)")
        out += [f'{at}: there is no test "{n}"' for n in names if n not in tests]
    return out if number else out + ["it has no rows"]


def self_test():
    head = "| # | what | tests |\n|---|---|---|\n"
    tests = {"a", "b, c"}
    assert faults(head + '| 1 | x | "a", "b, c" |\n| 2 | y | Not here: z |\n| + | x | "a" |\n', tests) == []
    assert faults(head + '| 1 | x | "d" |\n', tests) == ['3: there is no test "d"']
    assert faults(head + '| 2 | x | "a" |\n', tests) == ["3: the row is 2, not 1"]
    assert len(faults(head + "| 1 | x | |\n", tests)) == 1
    assert len(faults(head + "| 1 | x | Not here: |\n", tests)) == 1
    assert faults(head + '| 1 | x | Open: z |\n| 2 | y | Open: z; of it "a" |\n', tests) == []
    assert faults(head + '| 1 | x | Open: z; of it "d" |\n', tests) == ['3: there is no test "d"']
    assert len(faults(head + "| 1 | x | Open: |\n", tests)) == 1
    assert len(faults(head + '| 1 | x | Open: "a" |\n', tests)) == 1
    assert len(faults(head + '| 1 | x | Not here: "a" |\n', tests)) == 1
    assert faults(head, tests) == ["it has no rows"]
    assert NAME.findall('TEST_CASE("a", "[x]")\nTEST_CASE(\n    "b") TEST_CASE("say \\"c\\"")') == ["a", "b", 'say \\"c\\"']


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = pathlib.Path(__file__).resolve().parents[1]
    tests = {name for source in root.rglob("*_test.cpp") for name in NAME.findall(source.read_text())}
    tables = sorted(root.rglob("lessons.md"))
    found = [f"{t.relative_to(root.parent)}:{f}" for t in tables for f in faults(t.read_text(), tests)]
    if not tables:
        found.append("there are no tables of lessons")
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
