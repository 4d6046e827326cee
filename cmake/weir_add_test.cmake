# weir_add_test(name SOURCES <file>... LIBS <target>... [TIMEOUT <seconds>] [LABELS <label>...] [ENVIRONMENT <NAME=value>...])
#
# One Catch2 executable per module: linking is what costs. ctest runs it as one test called <name>; the cases in it are counted from its output.
include_guard()
include(weir_joined_sources)

function(weir_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "SOURCES;LIBS;LABELS;ENVIRONMENT")
  if(NOT arg_SOURCES)
    return()
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 900)  # under a sanitizer, on two busy cores
  endif()
  if(WEIR_JOIN_TESTS)
    weir_joined_sources(arg_SOURCES ${name} ${arg_SOURCES})
  endif()
  weir_add_program(${name} SOURCES ${arg_SOURCES} LIBS ${arg_LIBS} weir_test_main)
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)  # the names that tests give their helpers repeat
  if(arg_LIBS MATCHES "weir::")
    target_precompile_headers(${name} REUSE_FROM weir_test_headers)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Behind one, g++ 12 no longer knows which file is the main one, and warns of what it has inlined from the system's.
    target_compile_options(${name} PRIVATE -Wno-subobject-linkage -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "unit;${arg_LABELS}" ENVIRONMENT "${arg_ENVIRONMENT}")
endfunction()

# weir_add_check(name TIMEOUT <seconds> LABEL <label> COMMAND <command>...): a test which is not a Catch2 program.
function(weir_add_check name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT;LABEL" "COMMAND;ENVIRONMENT")
  add_test(NAME ${name} COMMAND ${arg_COMMAND} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABEL}" ENVIRONMENT "${arg_ENVIRONMENT}")
endfunction()
