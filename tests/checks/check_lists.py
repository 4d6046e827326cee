#!/usr/bin/env python3
"""Every source file is in the list of its CMakeLists.txt and nothing else is; --write brings the lists up to date.

CMake does not look for files itself (a list is a decision), so this check is what finds a forgotten one.
A list is a keyword alone on its line followed by deeper indented lines of one file each.
"""
import pathlib
import re
import sys

# (CMakeLists.txt, call it belongs to, keyword, folder to search, pattern, files which belong elsewhere)
LISTS = [
    ("framework", "weir_add_library(framework", "HEADERS", "framework", "weir/**/*.hpp", ()),
    ("framework", "weir_add_library(framework", "SOURCES", "framework", "weir/**/*.cpp", ()),
    ("framework/state/sqlite", "weir_add_library(sqlite", "HEADERS", "framework/state/sqlite", "weir/**/*.hpp", ()),
    ("framework/state/sqlite", "weir_add_library(sqlite", "SOURCES", "framework/state/sqlite", "weir/**/*.cpp", ()),
    ("framework/state/postgres", "weir_add_library(postgres", "HEADERS", "framework/state/postgres", "weir/**/*.hpp", ()),
    ("framework/state/postgres", "weir_add_library(postgres", "SOURCES", "framework/state/postgres", "weir/**/*.cpp", ()),
    ("framework/state/redis", "weir_add_library(redis", "HEADERS", "framework/state/redis", "weir/**/*.hpp", ()),
    ("framework/state/redis", "weir_add_library(redis", "SOURCES", "framework/state/redis", "weir/**/*.cpp", ()),
    ("framework/state/rocksdb", "weir_add_library(rocksdb", "HEADERS", "framework/state/rocksdb", "weir/**/*.hpp", ()),
    ("framework/state/rocksdb", "weir_add_library(rocksdb", "SOURCES", "framework/state/rocksdb", "weir/**/*.cpp", ()),
    ("operators", "weir_add_library(operators", "HEADERS", "operators", "weir/**/*.hpp", ()),
    ("operators", "weir_add_library(operators", "SOURCES", "operators", "weir/**/*.cpp", ()),
    ("transports/memory", "weir_add_library(memory", "HEADERS", "transports/memory", "weir/**/*.hpp", ()),
    ("transports/memory", "weir_add_library(memory", "SOURCES", "transports/memory", "weir/**/*.cpp", ()),
    ("transports/file", "weir_add_library(file", "HEADERS", "transports/file", "weir/**/*.hpp", ()),
    ("transports/file", "weir_add_library(file", "SOURCES", "transports/file", "weir/**/*.cpp", ()),
    ("transports/net", "weir_add_library(net", "HEADERS", "transports/net", "weir/**/*.hpp", ()),
    ("transports/net", "weir_add_library(net", "SOURCES", "transports/net", "weir/**/*.cpp", ()),
    ("transports/webhook", "weir_add_library(webhook", "HEADERS", "transports/webhook", "weir/**/*.hpp", ()),
    ("transports/webhook", "weir_add_library(webhook", "SOURCES", "transports/webhook", "weir/**/*.cpp", ()),
    ("transports/aws", "weir_add_library(aws", "HEADERS", "transports/aws", "weir/**/*.hpp", ()),
    ("transports/aws", "weir_add_library(aws", "SOURCES", "transports/aws", "weir/**/*.cpp", ()),
    ("transports/dynamodb", "weir_add_library(dynamodb", "HEADERS", "transports/dynamodb", "weir/**/*.hpp", ()),
    ("transports/dynamodb", "weir_add_library(dynamodb", "SOURCES", "transports/dynamodb", "weir/**/*.cpp", ()),
    ("transports/kinesis", "weir_add_library(kinesis", "HEADERS", "transports/kinesis", "weir/**/*.hpp", ()),
    ("transports/kinesis", "weir_add_library(kinesis", "SOURCES", "transports/kinesis", "weir/**/*.cpp", ()),
    ("transports/amqp", "weir_add_library(amqp", "HEADERS", "transports/amqp", "weir/**/*.hpp", ()),
    ("transports/amqp", "weir_add_library(amqp", "SOURCES", "transports/amqp", "weir/**/*.cpp", ()),
    ("transports/azure", "weir_add_library(azure", "HEADERS", "transports/azure", "weir/**/*.hpp", ()),
    ("transports/azure", "weir_add_library(azure", "SOURCES", "transports/azure", "weir/**/*.cpp", ()),
    ("transports/eventhubs", "weir_add_library(eventhubs", "HEADERS", "transports/eventhubs", "weir/**/*.hpp", ()),
    ("transports/eventhubs", "weir_add_library(eventhubs", "SOURCES", "transports/eventhubs", "weir/**/*.cpp", ()),
    ("transports/lambda", "weir_add_library(lambda", "HEADERS", "transports/lambda", "weir/**/*.hpp", ()),
    ("transports/lambda", "weir_add_library(lambda", "SOURCES", "transports/lambda", "weir/**/*.cpp", ()),
    ("host", "weir_add_library(status", "HEADERS", "host", "weir/**/*.hpp", ()),
    ("host", "weir_add_library(status", "SOURCES", "host", "weir/**/*.cpp", ()),
    ("apps/command_line", "weir_add_library(command_line", "HEADERS", "apps/command_line", "command_line/**/*.hpp", ()),
    ("apps/command_line", "weir_add_library(command_line", "SOURCES", "apps/command_line", "command_line/**/*.cpp", ()),
    ("apps/kinesis_access", "weir_add_library(kinesis_access", "HEADERS", "apps/kinesis_access", "kinesis_access/**/*.hpp", ()),
    ("apps/kinesis_access", "weir_add_library(kinesis_access", "SOURCES", "apps/kinesis_access", "kinesis_access/**/*.cpp", ()),
    ("apps/local_lambda", "weir_add_library(local_lambda", "HEADERS", "apps/local_lambda", "local_lambda/**/*.hpp", ()),
    ("apps/local_lambda", "weir_add_library(local_lambda", "SOURCES", "apps/local_lambda", "local_lambda/**/*.cpp", ()),
    ("apps/ticks", "weir_add_library(ticks_app", "HEADERS", "apps/ticks", "**/*.hpp", ()),
    ("apps/ticks", "weir_add_library(ticks_app", "SOURCES", "apps/ticks", "**/*.cpp", ("main.cpp",)),
    ("apps/ticks_lambda", "weir_add_library(ticks_lambda_app", "HEADERS", "apps/ticks_lambda", "**/*.hpp", ()),
    ("apps/ticks_lambda", "weir_add_library(ticks_lambda_app", "SOURCES", "apps/ticks_lambda", "**/*.cpp", ("main.cpp",)),
    ("apps/fraud", "weir_add_library(fraud_app", "HEADERS", "apps/fraud", "**/*.hpp", ()),
    ("apps/fraud", "weir_add_library(fraud_app", "SOURCES", "apps/fraud", "**/*.cpp", ("main.cpp",)),
    ("apps/nexmark", "weir_add_library(nexmark_app", "HEADERS", "apps/nexmark", "**/*.hpp", ()),
    ("apps/nexmark", "weir_add_library(nexmark_app", "SOURCES", "apps/nexmark", "**/*.cpp", ("main.cpp",)),
    ("apps/payments", "weir_add_library(payments_app", "HEADERS", "apps/payments", "**/*.hpp", ()),
    ("apps/payments", "weir_add_library(payments_app", "SOURCES", "apps/payments", "**/*.cpp", ("main.cpp",)),
    ("apps/results", "weir_add_library(results", "HEADERS", "apps/results", "results/**/*.hpp", ()),
    ("apps/results", "weir_add_library(results", "SOURCES", "apps/results", "results/**/*.cpp", ()),
    ("apps/weblog", "weir_add_library(weblog_app", "HEADERS", "apps/weblog", "**/*.hpp", ()),
    ("apps/weblog", "weir_add_library(weblog_app", "SOURCES", "apps/weblog", "**/*.cpp", ("main.cpp",)),
    ("apps/weir", "weir_add_library(weir_app", "HEADERS", "apps/weir", "**/*.hpp", ()),
    ("apps/weir", "weir_add_library(weir_app", "SOURCES", "apps/weir", "**/*.cpp", ("main.cpp",)),
    ("apps/bench", "weir_add_program(bench", "SOURCES", "apps/bench", "**/*.cpp", ()),
    ("examples", "weir_add_examples(\n", "SOURCES", "examples", "*.cpp", ()),
    ("tests/compile_fail", "weir_add_compile_fail(\n", "SOURCES", "tests/compile_fail", "*.cpp", ()),
    ("tests", "weir_add_test(framework_tests", "SOURCES", "tests", "framework/**/*.cpp", ("framework/state/",)),
    ("tests", "weir_add_test(operators_tests", "SOURCES", "tests", "operators/**/*.cpp", ()),
    ("tests", "weir_add_test(memory_tests", "SOURCES", "tests", "transports/memory/**/*.cpp", ()),
    ("tests", "weir_add_test(properties_tests", "SOURCES", "tests", "properties/**/*.cpp", ("properties/kinesis_delivery_test.cpp", "properties/kinesis_handover_test.cpp", "properties/lease_handover_test.cpp", "properties/hub_handover_test.cpp")),
    ("tests", "weir_add_test(file_tests", "SOURCES", "tests", "transports/file/**/*.cpp", ()),
    ("tests", "weir_add_test(net_tests", "SOURCES", "tests", "transports/net/**/*.cpp", ()),
    ("tests", "weir_add_test(amqp_tests", "SOURCES", "tests", "transports/amqp/**/*.cpp", ()),
    ("tests", "weir_add_test(azure_tests", "SOURCES", "tests", "transports/azure/**/*.cpp", ()),
    ("tests", "weir_add_test(eventhubs_tests", "SOURCES", "tests", "transports/eventhubs/**/*.cpp", ()),
    ("tests", "weir_add_test(lease_fleet_tests", "SOURCES", "tests", "leases/**/*.cpp", ("leases/worker.cpp",)),
    ("tests", "weir_add_test(hub_fleet_tests", "SOURCES", "tests", "hubs/**/*.cpp", ("hubs/worker.cpp",)),
    ("tests", "weir_add_test(webhook_tests", "SOURCES", "tests", "transports/webhook/**/*.cpp", ()),
    ("tests", "weir_add_test(aws_tests", "SOURCES", "tests", "transports/aws/**/*.cpp", ()),
    ("tests", "weir_add_test(dynamodb_tests", "SOURCES", "tests", "transports/dynamodb/**/*.cpp", ()),
    ("tests", "weir_add_test(kinesis_tests", "SOURCES", "tests", "transports/kinesis/**/*.cpp", ()),
    ("tests", "weir_add_test(kcl_tests", "SOURCES", "tests", "peers/kcl*.cpp", ()),
    ("tests", "weir_add_test(moto_tests", "SOURCES", "tests", "peers/moto*.cpp", ()),
    ("tests", "weir_add_test(status_tests", "SOURCES", "tests", "host/**/*.cpp", ()),
    ("tests", "weir_add_test(lambda_tests", "SOURCES", "tests", "transports/lambda/**/*.cpp", ()),
    ("tests", "weir_add_test(sqlite_tests", "SOURCES", "tests", "framework/state/sqlite/**/*.cpp", ()),
    ("tests", "weir_add_test(postgres_tests", "SOURCES", "tests", "framework/state/postgres/**/*.cpp", ()),
    ("tests", "weir_add_test(redis_tests", "SOURCES", "tests", "framework/state/redis/**/*.cpp", ()),
    ("tests", "weir_add_test(rocksdb_tests", "SOURCES", "tests", "framework/state/rocksdb/**/*.cpp", ()),
    ("tests", "weir_add_test(command_line_tests", "SOURCES", "tests", "apps/command_line/**/*.cpp", ()),
    ("tests", "weir_add_test(fraud_tests", "SOURCES", "tests", "apps/fraud/**/*.cpp", ()),
    ("tests", "weir_add_test(nexmark_tests", "SOURCES", "tests", "apps/nexmark/**/*.cpp", ()),
    ("tests", "weir_add_test(payments_tests", "SOURCES", "tests", "apps/payments/**/*.cpp", ()),
    ("tests", "weir_add_test(results_tests", "SOURCES", "tests", "apps/results/**/*.cpp", ()),
    ("tests", "weir_add_test(ticks_tests", "SOURCES", "tests", "apps/ticks/**/*.cpp", ()),
    ("tests", "weir_add_test(weblog_tests", "SOURCES", "tests", "apps/weblog/**/*.cpp", ()),
    ("tests", "weir_add_test(guarantees_tests", "SOURCES", "tests", "guarantees/**/*.cpp", ()),
    ("tests", "weir_add_test(crash_tests", "SOURCES", "tests", "crash/**/*.cpp", ()),
    ("tests", "weir_add_test(ticks_lambda_tests", "SOURCES", "tests", "apps/ticks_lambda/**/*.cpp", ()),
    ("tests", "weir_add_test(kinesis_apps_tests", "SOURCES", "tests", "apps/kinesis/**/*.cpp", ("apps/kinesis/shared_ticks_test.cpp",)),
    ("tests", "weir_add_test(local_lambda_tests", "SOURCES", "tests", "apps/local_lambda/**/*.cpp", ()),
    ("tests", "weir_add_test(weir_tests", "SOURCES", "tests", "apps/weir/**/*.cpp", ()),
]


def wanted(root, folder, pattern, elsewhere, private):
    base = root / folder
    names = sorted(str(p.relative_to(base)) for p in base.glob(pattern))
    return [n for n in names if n not in private and not any(n == e or (e.endswith("/") and n.startswith(e)) for e in elsewhere)]


def block(text, call, keyword):
    """The span of the listed lines after `keyword` in `call`, the indentation of a line, and what is listed."""
    start = text.index(call)
    match = re.compile(r"^( *)" + keyword + r" *\n((?:\1  +\S+\.[ch]pp *\n)*)", re.M).search(text, start)
    if match is None:
        return None
    return match.span(2), match[1] + "  ", match[2].split()


def main():
    write = "--write" in sys.argv[1:]
    root = pathlib.Path(__file__).resolve().parents[2]
    bad = 0
    for folder, call, keyword, source, pattern, elsewhere in LISTS:
        path = root / folder / "CMakeLists.txt"
        text = path.read_text()
        private = block(text, call, "PRIVATE_HEADERS")
        names = wanted(root, source, pattern, elsewhere, private[2] if private and keyword == "HEADERS" else ())
        (begin, end), indent, listed = block(text, call, keyword)
        if listed == names:
            continue
        if write:
            path.write_text(text[:begin] + "".join(f"{indent}{n}\n" for n in names) + text[end:])
            continue
        for name in sorted(set(names) - set(listed)):
            print(f"{folder}/CMakeLists.txt: {keyword} of {call.split('(')[-1].strip() or call.split('(')[0]} does not list {name}; run tests/checks/check_lists.py --write")
        for name in sorted(set(listed) - set(names)):
            print(f"{folder}/CMakeLists.txt: {keyword} of {call.split('(')[-1].strip() or call.split('(')[0]} lists {name}, which does not exist")
        if sorted(listed) == names:
            print(f"{folder}/CMakeLists.txt: {keyword} of {call.split('(')[-1].strip() or call.split('(')[0]} is not sorted")
        bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
