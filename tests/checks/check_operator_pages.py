#!/usr/bin/env python3
"""docs/operators has a page for each public header of operators/, made of its doc comments, and nothing else; --write makes them anew.

A page has what a user meets: what is documented at namespace scope, and, of the operators' descriptions, the functions that change one.
check_operator_pages.py --self-test tries it on a small example.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADERS = ROOT / "operators/weir/operators"
PAGES = ROOT / "docs/operators"
SCOPE = re.compile(r"^(?:inline )?namespace ([\w:]*)\s*\{")


def signature_of(lines, at):
    """The declaration that begins there, without its body, and the line behind it."""
    out = []
    while at < len(lines):
        line = lines[at]
        at += 1
        if re.search(r"[^{}]\{|^\s*\{", line) and not re.search(r"=\s*\{\}", line):
            out.append(line[: line.index("{")].rstrip())
            break
        out.append(line)
        if line.rstrip().endswith((";", "}")):
            break
    text = "\n".join(out).rstrip()
    text = re.sub(r"\s*(?:=\s*default)?;$", "", text)
    return re.sub(r"\n?\s*:\s*\w+_\(.*", "", text, flags=re.S), at


def documented(source):
    """Of a header: (comment, signature, whether it changes a description), in its order."""
    lines, out, at, detail, description = source.splitlines(), [], 0, 0, False
    depth = 0
    while at < len(lines):
        line = lines[at]
        if scope := SCOPE.match(line):
            detail += scope.group(1) == "detail" or detail > 0
        elif line.startswith("}  // namespace"):
            detail = max(0, detail - 1)
        if detail and (named := re.match(r"\s*class (\w+)", line)):
            description = named.group(1).endswith("_description")
        elif detail and line.startswith("};"):
            description = False
        if not line.lstrip().startswith("///"):
            at += 1
            continue
        comment = []
        while lines[at].lstrip().startswith("///"):
            comment.append(re.sub(r"^\s*/// ?", "", lines[at]))
            at += 1
        signature, at = signature_of(lines, at)
        if detail == 0 or description:
            out.append(("\n".join(comment), signature, detail != 0))
    return out


def name_of(signature):
    words = re.sub(r"template\s*<[^;{]*?>\s*(?=(?:requires|class|struct|auto|stream|constexpr|inline|\w))", "", signature, count=1)
    words = re.sub(r"requires\b.*?\n(?=\s*\S)", "", words)
    found = re.search(r"(?:class|struct|enum class|enum|concept|using)\s+(?:\[\[\w+\]\]\s*)?(\w+)", words)
    if found:
        return found.group(1)
    found = re.search(r"(\w+)\s*(?:\(|=|$)", words)
    return found.group(1) if found else "?"


def dedent(text):
    lines = text.split("\n")
    least = min((len(l) - len(l.lstrip()) for l in lines if l.strip()), default=0)
    return "\n".join(l[least:] for l in lines)


def page(name, source):
    parts = documented(source)
    if not parts:
        return None
    out = [f"# {name}", "", f"`#include <weir/operators/{name}.hpp>`", ""]
    parts.sort(key=lambda p: (p[2], name_of(p[1]) != name))  # first what the header is called for, last what changes it
    for comment, signature, changes in parts:
        title = name_of(signature)
        out += [f"## {'.' if changes else ''}{title}", "", "```", dedent(signature), "```", "", comment, ""]
    return "\n".join(out).rstrip() + "\n"


def first_sentence(text):
    body = text.split("```\n", 2)[2].strip().split("\n\n")[0].replace("\n", " ")
    found = re.match(r"(.+?[.:])(?:\s|$)", body)
    return (found.group(1) if found else body).replace("|", "\\|").rstrip(":")


def pages():
    out = {}
    for header in sorted(HEADERS.glob("*.hpp")):
        text = page(header.stem, header.read_text())
        if text:
            out[header.stem + ".md"] = text
    index = ["# Operators", "", "A page each, made of the doc comments of its header. `#include <weir/weir.hpp>` has all of them.", "",
             "| header | what |", "|---|---|"]
    index += [f"| [{name[:-3]}]({name}) | {first_sentence(text)} |" for name, text in out.items()]
    out["README.md"] = "\n".join(index) + "\n"
    return out


def self_test():
    source = "namespace weir {\nnamespace detail {\nclass x_description {\n  /// Changes it.\n  auto more(int n) && { return n; }\n};\n/// Hidden.\nint y();\n}  // namespace detail\n\n/// Does it. Well.\n/// - a: b\ntemplate <class F> auto x(F f) {\n  return f;\n}\n}  // namespace weir\n"
    text = page("x", source)
    assert "## .more" in text and "auto more(int n) &&\n" in text and "Changes it." in text, text
    assert "Hidden" not in text or "class" in text, text
    assert "## x\n\n```\ntemplate <class F> auto x(F f)\n```\n\nDoes it. Well.\n- a: b\n" in text, text
    assert first_sentence(page("x", source)) == "Does it."


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    wanted = pages()
    there = {p.name: p.read_text() for p in PAGES.glob("*.md")}
    if sys.argv[1:] == ["--write"]:
        PAGES.mkdir(parents=True, exist_ok=True)
        for name in there.keys() - wanted.keys():
            (PAGES / name).unlink()
        for name, text in wanted.items():
            if there.get(name) != text:
                (PAGES / name).write_text(text)
        return
    wrong = sorted(n for n in wanted.keys() | there.keys() if wanted.get(n) != there.get(n))
    for name in wrong:
        print(f"docs/operators/{name}: it is not what the doc comments say; tests/checks/check_operator_pages.py --write")
    sys.exit(1 if wrong else 0)


main()
