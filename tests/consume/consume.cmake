# cmake -D STEP=<install|find_package|subdirectory|pkgconfig> ... -P consume.cmake: see CMakeLists.txt beside this file.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(status)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\nfailed (${status}):\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

if(STEP STREQUAL "install")
  file(REMOVE_RECURSE "${PREFIX}" "${PREFIX}-at-first")
  # Installed in one place and moved to another: nothing in it may name where it was.
  foreach(component IN ITEMS framework operators file)
    run("${CMAKE_COMMAND}" --install "${WEIR_BUILD}" --prefix "${PREFIX}-at-first" --component ${component})
  endforeach()
  file(RENAME "${PREFIX}-at-first" "${PREFIX}")
  file(GLOB_RECURSE texts "${PREFIX}/*.cmake" "${PREFIX}/*.pc" "${PREFIX}/*.hpp")
  foreach(text IN LISTS texts)
    file(STRINGS "${text}" lines REGEX "${WEIR_SOURCE}|${WEIR_BUILD}|at-first")
    if(lines)
      message(FATAL_ERROR "${text} names a folder of the build: ${lines}")
    endif()
  endforeach()
  return()
endif()

set(build "${WORK}/${STEP}")
file(REMOVE_RECURSE "${build}")
# With the flags of the build, so that the compiler cache has most of what is compiled here.
run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/${STEP}" -B "${build}" -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${CXX}"
    "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}" "-DCMAKE_CXX_FLAGS_${CONFIG}=${FLAGS}" "-DWEIR_WERROR=${WERROR}"
    "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}" "-DCMAKE_PREFIX_PATH=${PREFIX}" "-DWEIR_SOURCE=${WEIR_SOURCE}" "-DPC_PATH=${PREFIX}/${LIBDIR}/pkgconfig")
run("${CMAKE_COMMAND}" --build "${build}")
run("${build}/consumer")
if(NOT output STREQUAL "2 4 6\n")
  message(FATAL_ERROR "the consumer printed \"${output}\"")
endif()
