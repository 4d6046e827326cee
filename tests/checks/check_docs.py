#!/usr/bin/env python3
"""Every public name at namespace scope of a public header has a `///` comment, and marked code in documents is code that compiles.

A header is public unless it is below a folder `detail`; so is a name outside namespaces `detail`. One comment serves all overloads of a name in a file.
In *.md, a ```cpp block right after `<!-- from examples/NAME.cpp -->` must be the code of a region of that file between the lines
`// [readme` and `// readme]`, and every such region must be a block of README.md; white space is free, so that a document may break lines its way.
check_docs.py --self-test tries both on small examples.
"""
import pathlib
import re
import sys

import cpp_text

FOLDERS = ("framework", "operators", "transports", "host")
DECLARES = {"class", "struct", "enum", "union", "concept", "using"}


def words_of(statement):
    """The words of a declaration without doc comments, attributes, template<...> and requires-clauses before its name."""
    words = [t.text for t in statement if t.kind != "doc"]
    out, i = [], 0
    while i < len(words):
        if words[i] == "template" and words[i + 1: i + 2] == ["<"]:
            i += cpp_text.skip_template(words[i:])
        elif words[i] == "[" and words[i + 1: i + 2] == ["["]:
            i = words.index("]", i) + 2
        else:
            out.append(words[i])
            i += 1
    return out


def declared(statement):
    """The name which a statement at namespace scope introduces, or nothing where there is none that wants a comment."""
    words = words_of(statement)
    raw = [t.text for t in statement if t.kind != "doc"]
    if not words or words == [";"] or words[0] in ("namespace", "extern", "static_assert", "friend") or words[:2] == ["using", "namespace"]:
        return None
    if raw[:3] == ["template", "<", ">"]:
        return None  # an explicit specialization
    if words[0] == "inline" and words[1:2] == ["namespace"]:
        return None
    if words[0] == "requires":
        words = words[next((i for i, w in enumerate(words) if w in DECLARES or w in ("inline", "constexpr", "auto", "task", "stream")), 0):]
    if words[0] in DECLARES:
        names = [w for w in words[1:] if w not in ("class", "struct", "final", "alignas")]
        name = names[0] if names else None
        if words[0] in ("class", "struct", "enum", "union") and (len(names) < 2 or names[1] in (";", "<")):
            return None  # a forward declaration or a partial specialization
        return name if name and re.fullmatch(r"\w+", name) else None
    if "operator" in words:
        return None  # an operator says what it does by being one
    before = words[: next((i for i, w in enumerate(words) if w in ("(", "=", "{", "{}", ";")), len(words))]
    if "->" in words and len(before) == 1:
        return None  # a deduction guide
    name = before[-1] if before else None
    if name is None or not re.fullmatch(r"[A-Za-z_]\w*", name) or len(before) == 1 or "::" in before[-2:]:
        return None
    return name


def undocumented(source):
    toks, _ = cpp_text.tokens(source)
    missing, documented = {}, set()

    def scope(statements):
        for statement in statements:
            words = [t.text for t in statement if t.kind != "doc"]
            if "namespace" in words[:2] and statement[-1].body is not None:
                if "detail" not in words and (words[1:2] == ["weir"] or inside):
                    inside.append(words)
                    scope(statement[-1].body)
                    inside.pop()
                continue
            name = declared(statement) if inside else None
            if name is None:
                continue
            if statement[0].kind == "doc":
                documented.add(name)
            else:
                missing.setdefault(name, statement[0].line)

    inside = []
    scope(cpp_text.statements(toks))
    return sorted((line, name) for name, line in missing.items() if name not in documented)


REGION = re.compile(r"^[ \t]*// \[readme\b[^\n]*\n(.*?)^[ \t]*// readme\][ \t]*$", re.M | re.S)
QUOTE = re.compile(r"^<!-- from (\S+) -->\n+```cpp\n(.*?)^```[ \t]*$", re.M | re.S)
BLOCK = re.compile(r"^```cpp\n(.*?)^```[ \t]*$", re.M | re.S)


def code(text):
    """The text without white space: what is compared."""
    return "".join(text.split())


def unquoted_regions(readme, source):
    """Whether each marked region of an example is a block of the README; gives the lines of those which are not."""
    blocks = {code(block) for block in BLOCK.findall(readme)}
    for match in REGION.finditer(source):
        if code(match[1]) not in blocks:
            yield source.count("\n", 0, match.start()) + 1


def stale_quotes(document, read):
    """(line, file) of every marked block which is not a region of its file; read(path) gives a file's text or nothing."""
    for match in QUOTE.finditer(document):
        source = read(match[1])
        if code(match[2]) not in [code(region) for region in REGION.findall(source or "")]:
            yield document.count("\n", 0, match.start()) + 1, match[1]


def check_tree(root):
    problems = []
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*.hpp")):
            path = file.relative_to(root)
            if "detail" in path.parts:
                continue
            for line, name in undocumented(file.read_text()):
                problems.append(f"{path}:{line}: {name} has no /// comment")

    def read(path):
        return (root / path).read_text() if (root / path).is_file() else None

    for file in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        if file.is_file():
            for line, source in stale_quotes(file.read_text(), read):
                problems.append(f"{file.relative_to(root)}:{line}: this block is not a region `// [readme` ... `// readme]` of {source}")
    for file in sorted((root / "examples").glob("*.cpp")):
        for line in unquoted_regions(read("README.md") or "", file.read_text()):
            problems.append(f"{file.relative_to(root)}:{line}: README.md has no ```cpp block with the code of this region")
    return problems


HEADER = """
#pragma once
namespace weir {
class forward;
namespace detail { class hidden {}; }
/// Said.
class documented { void member(); };
class bare {};
template <class T> requires std::movable<T> class bare_template : public base<T> { int x{1}; };
template <class T> class bare_template<T*> {};
/// One for both.
int overload(int);
int overload(long);
inline constexpr int bare_constant = 3;
template <class F> [[nodiscard]] auto bare_function(F f) { return f; }
template <class F> bare(F) -> bare;
bool operator==(documented const&, documented const&);
using bare_alias = int;
template <class T> concept bare_concept = requires(T t) { t.x(); };
/// Said.
enum class color { red, green };
enum class bare_enum { red };
namespace testing { struct bare_nested { int x; }; }
}
template <> struct std::hash<weir::documented> { int x; };
"""


def self_test():
    names = [name for _, name in undocumented(HEADER)]
    expected = ["bare", "bare_template", "bare_constant", "bare_function", "bare_alias", "bare_concept", "bare_enum", "bare_nested"]
    assert names == expected, names
    example = "int main() {\n  // [readme\n  int x = 1;\n\n  if (x) run();\n  // readme]\n}\n"
    block = "# Title\n<!-- from examples/a.cpp -->\n```cpp\n{}```\n"
    good, bad = "int x = 1;\n\nif (x) run();\n", "int x = 2;\n"
    assert list(stale_quotes(block.replace("{}", good), {"examples/a.cpp": example}.get)) == []
    assert list(stale_quotes(block.replace("{}", bad), {"examples/a.cpp": example}.get)) == [(2, "examples/a.cpp")]
    assert list(stale_quotes(block.replace("{}", good), {}.get)) == [(2, "examples/a.cpp")]
    assert list(unquoted_regions(block.replace("{}", good), example)) == []
    assert list(unquoted_regions(block.replace("{}", bad), example)) == [2]
    print(f"{len(names)} undocumented names and 2 blocks that differ found")


def main():
    if "--self-test" in sys.argv[1:]:
        self_test()
        return 0
    problems = check_tree(pathlib.Path(__file__).resolve().parents[2])
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
