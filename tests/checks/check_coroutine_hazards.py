#!/usr/bin/env python3
"""Finds expressions which g++ 12 miscompiles: co_await or co_yield beside temporaries that it destroys twice.

In one full expression with co_await or co_yield these are refused:
- a lambda that captures by value (its closure is destroyed twice; captures by reference only are harmless),
- `?:` (its branches, when of a class type, are destroyed twice),
- a braced list (aggregates are destroyed twice, initializer lists do not compile),
- `new` (destroyed twice when the awaited value goes to a constructor).
Name the thing in a statement of its own before, and move it. Where it is known to be safe, say why in the line or the line above:
`// weir-hazard: both branches are int`.
check_coroutine_hazards.py [FILE...] (default: all of ours); --self-test runs the check against its own examples.
"""
import pathlib
import sys

import cpp_text

SUSPENDS = ("co_await", "co_yield")
CONTROL = ("if", "while", "for", "switch")


def expressions(statement):
    """The full expressions of a statement: the head of if/while/for/switch is one (three for a classic for), what it governs another."""
    part, depth, head = [], 0, None
    for i, token in enumerate(statement):
        if token.kind == "doc":
            continue
        text = token.text
        if head is None and text in CONTROL and token.kind == "name":
            if part:
                yield part
            part, head = [token], depth
            continue
        depth += {"(": 1, ")": -1}.get(text, 0)
        if text == ";" or head is not None and text == ")" and depth == head:
            yield part + [token]
            part = []
            head = head if text == ";" and depth > (head if head is not None else depth) else None
            continue
        part.append(token)
    if part:
        yield part


def captures_by_value(tokens, i):
    """Whether the lambda introduced at i holds a copy of something."""
    depth, item, items = 0, [], []
    for token in tokens[i + 1:]:
        text = token.text
        if depth == 0 and text in ("]", ","):
            items.append(item)
            item = []
            if text == "]":
                break
            continue
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(text, 0)
        item.append(text)
    return any(item and item[0] != "&" and item != ["this"] for item in items)


def hazards(expression):
    texts = [t.text for t in expression]
    if not any(s in texts for s in SUSPENDS):
        return
    for i, token in enumerate(expression):
        if token.text == "[" and cpp_text.is_introducer(expression, i) and captures_by_value(expression, i):
            yield token.line, "a lambda that captures by value"
        elif token.text == "?":
            yield token.line, "?:"
        elif token.text == "{" and token.kind == "sign":
            yield token.line, "a braced list"
        elif token.text == "new" and token.kind == "name":
            yield token.line, "new"


def walk(statements):
    for statement in statements:
        yield statement
        for token in statement:
            if token.body is not None:
                yield from walk(token.body)


def check_text(source):
    tokens, comments = cpp_text.tokens(source)
    for statement in walk(cpp_text.statements(tokens)):
        for expression in expressions(statement):
            first, last = expression[0].line, expression[-1].line
            if any("weir-hazard: " in comments.get(line, "") for line in range(first - 1, last + 1)):
                continue
            for line, what in hazards(expression):
                yield line, what


def self_test():
    examples = (pathlib.Path(__file__).parent / "hazard_examples.cpp").read_text()
    wanted = {n for n, line in enumerate(examples.splitlines(), 1) if line.rstrip().endswith("// refused")}
    found = {line for line, _ in check_text(examples)}
    for line in sorted(wanted - found):
        print(f"hazard_examples.cpp:{line}: not refused")
    for line in sorted(found - wanted):
        print(f"hazard_examples.cpp:{line}: refused by mistake")
    print(f"{len(wanted & found)} hazards refused")
    return 0 if wanted == found and wanted else 1


def main():
    if "--self-test" in sys.argv[1:]:
        return self_test()
    root = pathlib.Path(__file__).resolve().parents[2]
    files = [pathlib.Path(a).resolve() for a in sys.argv[1:]]
    if not files:
        files = [f for top in ("framework", "operators", "transports", "host", "apps", "examples", "tests") for f in sorted((root / top).rglob("*.?pp"))]
        files = [f for f in files if f.name != "hazard_examples.cpp"]
    bad = 0
    for file in files:
        for line, what in check_text(file.read_text(errors="replace")):
            path = file.relative_to(root) if file.is_relative_to(root) else file
            print(f"{path}:{line}: {what} in an expression with co_await or co_yield (g++ 12 destroys it twice): name it before, then move it")
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
