# weir_add_library(name
#   ROOT <include root>          headers are given, included and installed relative to it (default: the current folder)
#   HEADERS <file>...            of a component: installed, and each that is not in a folder "detail" verified to compile alone
#                                (all_verify_interface_header_sets), unless a source of its name includes it first, which proves the same
#   PRIVATE_HEADERS <file>...    used by SOURCES only; not installed
#   SOURCES <file>...            none makes a header-only library
#   PUBLIC <target>...           seen by users, PRIVATE <target>... by SOURCES only
#   COMPONENT <name>             find_package(weir COMPONENTS <name>); without it the library is internal and not installed
#   DEPENDS <package>...         find_package calls a user of the installed library has to repeat
#   PKGCONFIG <module>...        the same for users of pkg-config
#   NEEDS <component>...         of ours, beside framework, which it links)
#
# Makes the target weir_<name> with the alias weir::<name>, which is also its name after installation.
include_guard()
include(weir_joined_sources)
include(weir_warnings)
include(GNUInstallDirs)

# weir_remember(component what value...): notes for weir_install, which writes the package files once everything is known.
function(weir_remember component what)
  set_property(GLOBAL APPEND PROPERTY weir_${component}_${what} ${ARGN})
endfunction()

# weir_included_first(out ROOT headers... ): those of the headers that the source beside them, of the same name, includes in front of all else.
function(weir_included_first out root)
  set(found "")
  foreach(header IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH header NORMALIZE)
    cmake_path(REPLACE_EXTENSION header LAST_ONLY cpp OUTPUT_VARIABLE source)
    if(NOT EXISTS "${source}")
      continue()
    endif()
    file(STRINGS "${source}" first REGEX "^#include" LIMIT_COUNT 1)
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY "${root}" OUTPUT_VARIABLE name)
    if(first STREQUAL "#include <${name}>")
      list(APPEND found "${header}")
    endif()
  endforeach()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

function(weir_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ROOT;COMPONENT" "HEADERS;PRIVATE_HEADERS;SOURCES;PUBLIC;PRIVATE;DEPENDS;PKGCONFIG;NEEDS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "weir_add_library(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_ROOT)
    set(arg_ROOT "${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
  set(target weir_${name})

  if(arg_SOURCES)
    set(interface PUBLIC)
    add_library(${target})
    target_sources(${target} PRIVATE ${arg_SOURCES} ${arg_PRIVATE_HEADERS})
    target_link_libraries(${target} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
    weir_warnings(${target})
  else()
    set(interface INTERFACE)
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE ${arg_PUBLIC})
  endif()
  add_library(weir::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_compile_features(${target} ${interface} cxx_std_20)
  set(details "${arg_HEADERS}")
  list(FILTER details INCLUDE REGEX "(^|/)detail/")
  list(FILTER arg_HEADERS EXCLUDE REGEX "(^|/)detail/")
  weir_included_first(proved "${arg_ROOT}" ${arg_HEADERS})
  list(TRANSFORM arg_HEADERS PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  if(proved)
    list(REMOVE_ITEM arg_HEADERS ${proved})
  endif()
  set(file_sets "")
  if(arg_HEADERS)
    target_sources(${target} ${interface} FILE_SET HEADERS BASE_DIRS "${arg_ROOT}" FILES ${arg_HEADERS})
    if(arg_COMPONENT)
      set_target_properties(${target} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON INTERFACE_HEADER_SETS_TO_VERIFY HEADERS)
    endif()
    list(APPEND file_sets FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT ${arg_COMPONENT})
  endif()
  if(proved)
    target_sources(${target} ${interface} FILE_SET proved TYPE HEADERS BASE_DIRS "${arg_ROOT}" FILES ${proved})
    list(APPEND file_sets FILE_SET proved DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT ${arg_COMPONENT})
  endif()
  if(details)
    target_sources(${target} ${interface} FILE_SET details TYPE HEADERS BASE_DIRS "${arg_ROOT}" FILES ${details})
    list(APPEND file_sets FILE_SET details DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT ${arg_COMPONENT})
  endif()

  if(arg_COMPONENT AND WEIR_INSTALL)
    install(TARGETS ${target} EXPORT weir-${arg_COMPONENT}
            ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT ${arg_COMPONENT}
            LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT ${arg_COMPONENT}
            RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT ${arg_COMPONENT}
            ${file_sets})
    weir_remember(${arg_COMPONENT} targets ${target})
    weir_remember(${arg_COMPONENT} packages ${arg_DEPENDS})
    weir_remember(${arg_COMPONENT} pkgconfig ${arg_PKGCONFIG})
    weir_remember(${arg_COMPONENT} needs ${arg_NEEDS})
    set_property(GLOBAL APPEND PROPERTY weir_components ${arg_COMPONENT})
  endif()
endfunction()

# weir_component(name folder): an optional library, built when WEIR_COMPONENTS asks for it.
function(weir_component name folder)
  if(WEIR_COMPONENTS STREQUAL "all" OR name IN_LIST WEIR_COMPONENTS)
    add_subdirectory(${folder})
  endif()
endfunction()

# weir_add_program(name SOURCES <file>... LIBS <target>... [COMPONENT <name>] [JOINED_FOR_TIDY]): an executable with our warnings; installed
# when COMPONENT is given. JOINED_FOR_TIDY: clang-tidy gets several of its sources at once, as most of its work is the headers.
function(weir_add_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "JOINED_FOR_TIDY" "COMPONENT" "SOURCES;LIBS")
  if(arg_JOINED_FOR_TIDY AND WEIR_TIDY)
    weir_add_joined_objects(${name} SOURCES ${arg_SOURCES} LIBS ${arg_LIBS})
    return()
  endif()
  add_executable(${name})
  target_sources(${name} PRIVATE ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBS})
  target_compile_features(${name} PRIVATE cxx_std_20)
  weir_warnings(${name})
  if(arg_COMPONENT AND WEIR_INSTALL)
    install(TARGETS ${name} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT ${arg_COMPONENT})
  endif()
endfunction()
