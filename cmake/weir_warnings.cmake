# weir_warnings(target): the warnings of our own code. They are PRIVATE: who uses Weir keeps their own.
include_guard()

function(weir_warnings target)
  set(warnings
      -Wall -Wextra -Wpedantic -Wconversion -Woverloaded-virtual -Wold-style-cast -Wcast-align -Wextra-semi -Wimplicit-fallthrough -Wformat=2
      # Option structs are written with designators, and what is not named has its default.
      -Wno-missing-field-initializers)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # A constructor's parameter may have the name of the public member it sets. maybe-uninitialized is wrong about coroutine frames and
    # about Boost in g++ 12, and free-nonheap-object about a vector that it has inlined whole; the sanitizers know better.
    list(APPEND warnings -Wshadow=local -Wduplicated-cond -Wlogical-op -Wsuggest-override -Wno-maybe-uninitialized -Wno-free-nonheap-object)
  else()
    # libstdc++ 12 warns of itself in std::stable_sort.
    list(APPEND warnings -Wno-deprecated-declarations)
  endif()
  if(WEIR_WERROR)
    list(APPEND warnings -Werror)
  endif()
  target_compile_options(${target} PRIVATE ${warnings})
endfunction()
