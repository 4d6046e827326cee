#!/usr/bin/env python3
"""Refuses an #include against the arrows between modules, and third-party headers where they do not belong.

Arrows: operators -> framework, transports -> framework (and net and aws below them), host -> framework, apps -> all; operators and transports never see each other.
A module's PRIVATE_HEADERS, which are not installed, are for its own sources and for tests.
check_layers.py [ROOT] looks at a tree (default: this one); check_layers.py --self-test proves that wrong arrows are refused.
"""
import pathlib
import re
import sys
import tempfile

# Module: (folder with its include root, modules it may include, third-party it may include in public headers, and besides in .cpp files)
MODULES = {
    "framework": ("framework", (), ("boost/",), ("fmt/",)),
    "sqlite": ("framework/state/sqlite", ("framework",), ("boost/",), ("fmt/", "sqlite3.h")),
    "postgres": ("framework/state/postgres", ("framework",), ("boost/",), ("fmt/", "libpq-fe.h")),
    "redis": ("framework/state/redis", ("framework",), ("boost/",), ("fmt/", "hiredis/")),
    "rocksdb": ("framework/state/rocksdb", ("framework",), ("boost/",), ("fmt/", "rocksdb/")),
    "operators": ("operators", ("framework",), ("boost/",), ("fmt/",)),
    "memory": ("transports/memory", ("framework",), ("boost/",), ("fmt/",)),
    "file": ("transports/file", ("framework",), ("boost/",), ("fmt/", "simdjson.h", "zlib.h")),
    "net": ("transports/net", ("framework",), ("boost/",), ("fmt/", "nghttp2/", "openssl/")),
    "webhook": ("transports/webhook", ("framework", "net"), ("boost/",), ("fmt/",)),
    "aws": ("transports/aws", ("framework", "net"), ("boost/",), ("fmt/", "simdjson.h", "zlib.h")),
    "dynamodb": ("transports/dynamodb", ("framework", "net", "aws"), ("boost/",), ("fmt/", "simdjson.h")),
    "kinesis": ("transports/kinesis", ("framework", "net", "aws", "dynamodb"), ("boost/",), ("fmt/", "simdjson.h")),
    "amqp": ("transports/amqp", ("framework",), ("boost/",), ("fmt/",)),
    "azure": ("transports/azure", ("framework", "net"), ("boost/",), ("fmt/", "pugixml.hpp")),
    "eventhubs": ("transports/eventhubs", ("framework", "net", "amqp", "azure"), ("boost/",), ("fmt/",)),
    "status": ("host", ("framework",), ("boost/",), ()),
    "lambda": ("transports/lambda", ("framework", "net", "aws", "dynamodb", "kinesis"), ("boost/",), ("fmt/", "simdjson.h")),
}
PRODUCT = tuple(MODULES)
# Folders which use modules but are none. A test sees what its subject sees, and memory streams to drive it.
USERS = {
    "apps": PRODUCT,
    "examples": PRODUCT,
    "tests/framework/state/redis": ("framework", "redis"),
    "tests/framework/state/rocksdb": ("framework", "operators", "rocksdb"),
    "tests/framework/state/sqlite": ("framework", "sqlite"),
    "tests/framework/state/postgres": ("framework", "postgres"),
    "tests/framework": ("framework", "memory"),
    "tests/host": ("framework", "operators", "memory", "status"),
    "tests/operators": ("framework", "operators", "memory"),
    "tests/transports/memory": ("framework", "operators", "memory"),
    "tests/transports/file": ("framework", "operators", "file"),
    "tests/transports/net": ("framework", "net"),
    "tests/transports/aws": ("framework", "net", "aws"),
    "tests/transports/dynamodb": ("framework", "net", "aws", "dynamodb"),
    "tests/transports/kinesis": ("framework", "memory", "net", "aws", "dynamodb", "kinesis"),
    "tests/transports/amqp": ("framework", "amqp"),
    "tests/transports/azure": ("framework", "net", "azure"),
    "tests/transports/eventhubs": ("framework", "net", "amqp", "azure", "eventhubs"),
    "tests/transports/lambda": ("framework", "operators", "memory", "net", "aws", "dynamodb", "kinesis", "lambda"),
    "tests/transports/webhook": ("framework", "memory", "net", "webhook"),
    "tests": PRODUCT,
}
# Only these may use weir/testing/: the product does not depend on its own test kit. The memory transport plays its scripts.
TESTING = ("apps/bench", "apps/nexmark", "tests", "examples", "framework/weir/testing", "transports/memory", "transports/lambda/weir/testing")
THIRD_PARTY = ("boost/", "fmt/", "sqlite3.h", "libpq-fe.h", "hiredis/", "rocksdb/", "simdjson.h", "zlib.h", "openssl/", "nghttp2/", "pugixml.hpp", "CLI/", "benchmark/", "catch2/", "nlohmann/")
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)")')


def under(path, folder):
    return path == folder or path.startswith(folder + "/")


def module_of(path):
    """The module a source file belongs to: the one with the longest folder above it."""
    found = [(len(folder), name) for name, (folder, *_) in MODULES.items() if under(path, folder)]
    return max(found)[1] if found else None


def owner_of(root, include):
    """The module which has the header <weir/...>, or nothing."""
    for name, (folder, *_) in MODULES.items():
        if (root / folder / include).is_file():
            return name
    return None


def private_headers(root, module):
    """The headers which the module's CMakeLists.txt does not install, as they are included."""
    lists = root / MODULES[module][0] / "CMakeLists.txt"
    return set(re.findall(r"\S+\.hpp", "".join(re.findall(r"PRIVATE_HEADERS((?:\s+\S+\.hpp)*)", lists.read_text())))) if lists.is_file() else set()


def check_file(root, path, report):
    module = module_of(path)
    public = path.endswith(".hpp") and module is not None
    inside = under(path, "tests") or (module and (not public or str(pathlib.PurePath(path).relative_to(MODULES[module][0])) in private_headers(root, module)))
    if module:
        folder, allowed, third, third_in_sources = MODULES[module]
        allowed = (module, *allowed)
    else:
        folder, allowed = None, next((see for place, see in USERS.items() if under(path, place)), ())
    for number, line in enumerate((root / path).read_text(errors="replace").splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        angled, quoted = match.groups()
        name = angled or quoted
        where = f"{path}:{number}"
        if quoted and module:
            target = ((root / path).parent / quoted).resolve()
            if not target.is_relative_to(root) or module_of(str(target.relative_to(root))) != module:
                report(f'{where}: "{quoted}" leaves the module {module}; write <weir/...> and link what has it')
            continue
        if name.startswith("weir/"):
            owner = owner_of(root, name)
            if name == "weir/weir.hpp" and module in ("framework", "operators"):
                report(f"{where}: <weir/weir.hpp> is for users; include what is used")
            elif owner is None:
                report(f"{where}: no module has <{name}>")
            elif owner not in allowed:
                report(f"{where}: {module or path.rsplit('/', 1)[0]} must not include <{name}> of {owner}; it may see {', '.join(allowed) or 'nothing'}")
            elif not inside and name in private_headers(root, owner):
                report(f"{where}: <{name}> is a private header of {owner} and not installed")
            elif name.startswith("weir/testing/") and not any(under(path, place) for place in TESTING):
                report(f"{where}: the product must not include the test kit <{name}>")
        elif module and any(name == t or (t.endswith("/") and name.startswith(t)) for t in THIRD_PARTY):
            fine = third if public else third + third_in_sources
            if not any(name == t or (t.endswith("/") and name.startswith(t)) for t in fine):
                why = "not in a header, which users would need it for" if public and name.startswith(third_in_sources) else f"not linked by {module}"
                report(f"{where}: <{name}> is {why}")


def check_tree(root):
    problems = []
    for top in ("framework", "operators", "transports", "host", "apps", "examples", "tests"):
        for file in sorted((root / top).rglob("*.?pp")):
            path = str(file.relative_to(root))
            if not under(path, "tests/consume"):
                check_file(root, path, problems.append)
    return problems


def self_test():
    """Each wrong arrow, alone in a small tree, is refused; the same tree without it is not."""
    headers = {
        "framework/weir/stream.hpp": "",
        "framework/weir/testing/run.hpp": '#include <weir/stream.hpp>\n',
        "framework/state/sqlite/weir/sqlite/store.hpp": "#include <weir/stream.hpp>\n",
        "operators/weir/operators/map.hpp": "#include <weir/stream.hpp>\n#include <boost/asio.hpp>\n",
        "transports/memory/weir/memory/source.hpp": "#include <weir/stream.hpp>\n",
        "transports/file/weir/file/source.hpp": "#include <weir/stream.hpp>\n",
        "transports/file/weir/file/source.cpp": "#include <zlib.h>\n#include <weir/file/inflater.hpp>\n",
        "transports/file/weir/file/inflater.hpp": "#include <weir/file/splitter.hpp>\n",
        "transports/file/weir/file/splitter.hpp": "",
        "transports/file/CMakeLists.txt": "HEADERS\n  weir/file/source.hpp\n  PRIVATE_HEADERS\n  weir/file/inflater.hpp\n  weir/file/splitter.hpp\n  SOURCES\n",
        "apps/ticks/main.cpp": "#include <weir/operators/map.hpp>\n#include <weir/file/source.hpp>\n",
        "tests/operators/map_test.cpp": "#include <weir/operators/map.hpp>\n#include <weir/testing/run.hpp>\n",
    }
    wrong = [
        ("framework/weir/stream.hpp", "#include <weir/operators/map.hpp>", "must not include"),
        ("framework/weir/stream.hpp", "#include <weir/sqlite/store.hpp>", "must not include"),
        ("framework/weir/stream.hpp", "#include <weir/testing/run.hpp>", "test kit"),
        ("operators/weir/operators/map.hpp", "#include <weir/file/source.hpp>", "must not include"),
        ("operators/weir/operators/map.hpp", "  #  include <weir/memory/source.hpp>", "must not include"),
        ("transports/file/weir/file/source.hpp", "#include <weir/operators/map.hpp>", "must not include"),
        ("transports/file/weir/file/source.hpp", "#include <weir/memory/source.hpp>", "must not include"),
        ("transports/memory/weir/memory/source.hpp", '#include "../../../../operators/weir/operators/map.hpp"', "leaves the module"),
        ("transports/file/weir/file/source.hpp", "#include <zlib.h>", "not in a header"),
        ("transports/file/weir/file/source.hpp", "#include <weir/file/inflater.hpp>", "not installed"),
        ("apps/ticks/main.cpp", "#include <weir/file/inflater.hpp>", "not installed"),
        ("operators/weir/operators/map.hpp", "#include <simdjson.h>", "not linked"),
        ("operators/weir/operators/map.hpp", "#include <weir/nothing.hpp>", "no module has"),
        ("tests/operators/map_test.cpp", "#include <weir/file/source.hpp>", "must not include"),
    ]
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        for path, text in headers.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        assert check_tree(root) == [], check_tree(root)
        for path, line, expected in wrong:
            (root / path).write_text(f"// first\n{line}\n{headers[path]}")
            problems = check_tree(root)
            assert len(problems) == 1 and problems[0].startswith(f"{path}:2: ") and expected in problems[0], (path, line, problems)
            (root / path).write_text(headers[path])
    print(f"{len(wrong)} wrong arrows refused")


def main():
    if "--self-test" in sys.argv[1:]:
        self_test()
        return 0
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]).resolve()
    problems = check_tree(root)
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
