#!/usr/bin/env python3
"""Every link in a document (*.md) that leads to a file or a heading of this repository finds it.

check_links.py --self-test tries it on small examples.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)")


def without_code(text):
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors_of(text):
    """As GitHub makes them of headings."""
    out = set()
    for heading in re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M), flags=re.M):
        name = re.sub(r"[^\w\- ]", "", heading.strip().lower().replace("`", "")).replace(" ", "-")
        out.add(name if name not in out else name + "-1")
    return out


def faults(root, documents):
    out = []
    for document in documents:
        for target in LINK.findall(without_code((root / document).read_text())):
            if re.match(r"\w+:", target):
                continue
            path, _, anchor = target.partition("#")
            file = (root / document).parent / path if path else root / document
            if not file.exists():
                out.append(f"{document}: there is no {target}")
            elif anchor and anchor not in anchors_of(file.read_text()):
                out.append(f"{document}: there is no heading {target}")
    return out


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "a.md").write_text("# One: `two`\n[x](b.md) [y](b.md#its-heading) [z](#one-two) [w](https://example.com/none) `[q](none)`\n")
        (root / "b.md").write_text("# Its heading\n[x](c.md) [y](a.md#three)\n```\n[z](none)\n```\n")
        assert faults(root, ["a.md"]) == []
        assert faults(root, ["b.md"]) == ["b.md: there is no c.md", "b.md: there is no heading a.md#three"]


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = pathlib.Path(__file__).resolve().parents[2]
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"], cwd=root, capture_output=True, text=True)
    documents = listed.stdout.split() or [str(p.relative_to(root)) for p in root.glob("[!b]*/**/*.md")] + ["README.md"]
    found = faults(root, [d for d in documents if (root / d).exists()])
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)


main()
