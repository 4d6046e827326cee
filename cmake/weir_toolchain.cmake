# What a build as the top project adds to its environment: a compiler cache and a fast linker where present.
# Nothing here changes what the code means, and none of it happens when Weir is a part of another project.
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang|AppleClang)$")
  message(FATAL_ERROR "weir: unknown compiler ${CMAKE_CXX_COMPILER_ID}: g++ 12 or clang 16 and newer are supported")
endif()
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

include(CheckLinkerFlag)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

find_program(WEIR_CCACHE ccache)
mark_as_advanced(WEIR_CCACHE)
if(WEIR_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # What ccache asks for before it keeps what was compiled with a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${WEIR_CCACHE}")
endif()

if(NOT CMAKE_EXE_LINKER_FLAGS MATCHES "-fuse-ld")
  foreach(linker IN ITEMS mold lld)
    check_linker_flag(CXX "-fuse-ld=${linker}" WEIR_LINKER_${linker})
    if(WEIR_LINKER_${linker})
      add_link_options("-fuse-ld=${linker}")
      break()
    endif()
  endforeach()
endif()
