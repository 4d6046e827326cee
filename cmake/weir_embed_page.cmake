# weir_embed_page(target FUNCTION <namespace::name> FOLDER <folder> PATH <path> MODULES <file in node_modules>...)
#
# Puts the files of a folder with web pages into a library, as what std::span<weir::status::asset const> FUNCTION() gives: /PATH/FILE. What
# they need from npm (package-lock.json says which versions) comes at build time; where npm or the network is missing, the library is built
# without, and the pages do with less.
include_guard()

find_program(WEIR_NPM npm)
mark_as_advanced(WEIR_NPM)

function(weir_embed_page target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FUNCTION;FOLDER;PATH" "MODULES")
  set(folder "${CMAKE_CURRENT_SOURCE_DIR}/${arg_FOLDER}")
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${target}_page_assets.cpp")
  set(script "${PROJECT_SOURCE_DIR}/cmake/weir_embed_files.cmake")
  file(GLOB files "${folder}/*")
  add_custom_command(
    OUTPUT "${source}"
    COMMAND "${CMAKE_COMMAND}" "-DFOLDER=${folder}" "-DINTO=${source}" "-DFUNCTION=${arg_FUNCTION}" "-DPATH=${arg_PATH}"
            "-DMODULES=${arg_MODULES}" "-DNPM=${WEIR_NPM}" -P "${script}"
    DEPENDS ${files} "${script}"
    COMMENT "Embedding the page ${arg_PATH}"
    VERBATIM)
  target_sources(${target} PRIVATE "${source}")
  set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
