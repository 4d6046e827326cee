# Run by weir_embed_page: writes the source that has the files in it.
cmake_minimum_required(VERSION 3.25)
file(GLOB files "${FOLDER}/*.html" "${FOLDER}/*.css" "${FOLDER}/*.js")
list(SORT files)

if(NPM AND MODULES)
  set(place "${INTO}.npm")
  file(MAKE_DIRECTORY "${place}")
  file(COPY "${FOLDER}/package.json" "${FOLDER}/package-lock.json" DESTINATION "${place}")
  execute_process(COMMAND "${NPM}" ci --ignore-scripts --no-audit --no-fund WORKING_DIRECTORY "${place}" RESULT_VARIABLE failed OUTPUT_QUIET
                  ERROR_VARIABLE why)
  if(failed)
    message(NOTICE "weir: the page ${PATH} is built without what npm has, which failed: ${why}")
  else()
    foreach(module IN LISTS MODULES)
      list(APPEND files "${place}/node_modules/${module}")
    endforeach()
  endif()
elseif(MODULES)
  message(NOTICE "weir: the page ${PATH} is built without what npm has, which is not installed")
endif()

set(arrays "")
set(table "")
set(number 0)
foreach(file IN LISTS files)
  cmake_path(GET file FILENAME name)
  cmake_path(GET file EXTENSION LAST_ONLY kind)
  if(kind STREQUAL ".html")
    set(type "text/html; charset=utf-8")
  elseif(kind STREQUAL ".css")
    set(type "text/css; charset=utf-8")
  else()
    set(type "text/javascript; charset=utf-8")
  endif()
  file(READ "${file}" bytes HEX)
  string(REGEX REPLACE "(................................................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "constexpr unsigned char file_${number}[] = {\n${bytes}};\n")
  string(APPEND table "    {\"${PATH}/${name}\", \"${type}\", file_${number}},\n")
  math(EXPR number "${number} + 1")
endforeach()
string(REGEX MATCH "^(.*)::([^:]*)$" matched "${FUNCTION}")
file(WRITE "${INTO}" "// Made by cmake/weir_embed_files.cmake.
#include <weir/status/asset.hpp>

namespace ${CMAKE_MATCH_1} {
namespace {

${arrays}
constexpr weir::status::asset all[] = {
${table}};

}  // namespace

std::span<weir::status::asset const> ${CMAKE_MATCH_2}();
std::span<weir::status::asset const> ${CMAKE_MATCH_2}() { return all; }

}  // namespace ${CMAKE_MATCH_1}
")
