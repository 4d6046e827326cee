"""C++ source as tokens and nested blocks: as much of the grammar as the checks beside this file need, and no more."""
import re

TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<doc>///[^\n]*)
  | (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<directive>(?<![^\n])[ \t]*\#(?:\\\n|[^\n])*)
  | (?P<text>(?:u8|[uUL])?R"(?P<mark>[^ ()\\\t\v\f\n]*)\((?:.|\n)*?\)(?P=mark)"|(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
  | (?P<number>\.?[0-9](?:'?[0-9a-zA-Z_.]|[eEpP][+-])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<sign>::|->\*?|\+\+|--|&&|\|\||<=>|[<>=!+\-*/%&|^]=|\.\.\.|.)
    """,
    re.X | re.S,
)


class Token:
    __slots__ = ("kind", "text", "line", "body", "braces")

    def __init__(self, kind, text, line):
        self.kind, self.text, self.line = kind, text, line
        self.body = None  # of a "block" token: its statements
        self.braces = None  # of a "block" token: what stands before it

    def __repr__(self):
        return self.text


def tokens(source):
    """Tokens without white space, ordinary comments and directives; doc comments stay. And: line -> its comment text."""
    found, comments, line = [], {}, 1
    for match in TOKEN.finditer(source):
        kind, text = match.lastgroup, match[0]
        if kind == "mark":
            kind = "text"
        if kind in ("comment", "doc"):
            comments[line + text.count("\n")] = text
        if kind not in ("space", "comment", "directive"):
            found.append(Token(kind, text, line))
        line += text.count("\n")
    return found, comments


BLOCK_WORDS = {"else", "do", "try", "const", "noexcept", "override", "final", "mutable", "constexpr", "consteval", "static"}
SCOPE_WORDS = {"namespace", "struct", "class", "enum", "union", "extern", "concept"}


def opens_block(before):
    """Whether a `{` after the tokens of its statement opens a block (a body or scope) and not a braced list."""
    if not before:
        return True
    last = before[-1].text
    if last in (";", "}", ":") or last in BLOCK_WORDS:
        return True
    if last == "]":  # a lambda without parameters; an element is not followed by a brace
        return is_introducer(before, match_back(before, len(before) - 1, "[", "]"))
    if last == ")":
        return True
    words = [t.text for t in before]
    if any(w in SCOPE_WORDS for w in words[skip_template(words):][:6]) and "=" not in words and "(" not in words[skip_template(words):]:
        return True
    return after_arrow(words) or after_requires(words)


def skip_template(words):
    """Index behind leading template<...> and attributes."""
    i = 0
    while i < len(words):
        if words[i] == "template" and i + 1 < len(words) and words[i + 1] == "<":
            depth, i = 0, i + 1
            while i < len(words):
                depth += {"<": 1, ">": -1}.get(words[i], 0)
                i += 1
                if depth == 0:
                    break
        else:
            break
    return i


def after_arrow(words):
    """`) -> type {`: only a type's tokens between the arrow and the brace."""
    for i in range(len(words) - 1, 0, -1):
        if words[i] == "->":
            return words[i - 1] in (")", "mutable", "noexcept", "const", "]", "&", "&&")
        if words[i] in (";", "=", "return", "co_return", "co_await", "co_yield"):
            return False
    return False


def after_requires(words):
    return "requires" in words and words[-1] != "," and "=" not in words[words.index("requires"):]


def match_back(toks, end, opening, closing):
    depth = 0
    for i in range(end, -1, -1):
        depth += {closing: 1, opening: -1}.get(toks[i].text, 0)
        if depth == 0:
            return i
    return 0


PREFIX_WORDS = {"return", "co_return", "co_await", "co_yield", "case", "else", "do", "throw", "in", "and", "or", "not"}


def is_introducer(toks, i):
    """Whether the `[` at i starts a lambda: not a subscript, attribute, structured binding, array bound."""
    if i + 1 < len(toks) and toks[i + 1].text == "[" or i > 0 and toks[i - 1].text == "[":
        return False
    if i == 0:
        return True
    before = toks[i - 1]
    if before.text in (")", "]", "}", "delete", "operator") or before.kind in ("text", "number", "block"):
        return False
    if before.kind == "name":
        return before.text in PREFIX_WORDS
    j = i - 1
    while j >= 0 and toks[j].text in ("&", "&&", "const"):
        j -= 1
    return not (j < i - 1 and j >= 0 and toks[j].text == "auto")


def statements(toks):
    """The statements of a block, each a list of tokens in which a nested block is one token of kind "block" with its own statements.

    A statement ends at `;` or after a block that is not inside parentheses or brackets (a lambda's body is inside an expression, and does not end it).
    """
    found, rest = parse(toks, 0)
    return found


def parse(toks, i):
    out, current, depth, lists = [], [], 0, []
    while i < len(toks):
        token = toks[i]
        text = token.text
        if text == "{":
            if not (lists and not current) and opens_block([t for t in current if t.kind != "doc"]) and not listing(current, lists):
                body, after = parse(toks, i + 1)
                block = Token("block", "{}", token.line)
                block.body = body
                expression = depth > 0 or lists or is_lambda(current)
                current.append(block)
                i = after
                if not expression and not continues(toks, after):
                    out.append(current)
                    current = []
                continue
            lists.append(len(current))
            current.append(token)
        elif text == "}":
            if not lists:
                if current:
                    out.append(current)
                return out, i + 1
            lists.pop()
            current.append(token)
        elif text == ";" and not lists:
            current.append(token)
            if depth == 0:
                out.append(current)
                current = []
        else:
            depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(text, 0)
            current.append(token)
            if text == ":" and depth == 0 and not lists and is_label(current):
                current = []
        i += 1
    if current:
        out.append(current)
    return out, i


def listing(current, lists):
    """A brace directly inside a braced list or after `,` `(` `=` or `return` is another list."""
    return bool(current) and (current[-1].text in ("(", ",", "=", "return", "co_return", "co_yield", "co_await", "?", "<<") or
                              (current[-1].text == "{" and bool(lists)))


def is_lambda(current):
    """Whether the block about to be added is the body of a lambda: its statement has an introducer after which nothing else was opened."""
    for i in range(len(current) - 1, -1, -1):
        text = current[i].text
        if text == "[" and is_introducer(current, i):
            return True
        if current[i].kind == "block" or text in (";", "="):
            return False
    return False


def continues(toks, i):
    """`} while (...)`, `} name;`, `} else`: what follows is rarely worth joining; only a call or member of a closure is."""
    return i < len(toks) and toks[i].text in ("(", ".", ",", ")")


def is_label(current):
    words = [t.text for t in current if t.kind != "doc"]
    return words[0] in ("case", "default", "public", "private", "protected") and (words[0] != "case" or "?" not in words)
