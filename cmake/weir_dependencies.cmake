# The third-party libraries Weir is built from, each found where it is needed. Nothing is downloaded.
# Boost is checked first and by hand: Debian 12's default is 1.74, and what goes wrong with it is far from clear.
include_guard()
set(WEIR_BOOST_VERSION 1.81)

find_package(Boost ${WEIR_BOOST_VERSION} CONFIG QUIET)
if(NOT Boost_FOUND)
  find_package(Boost ${WEIR_BOOST_VERSION} MODULE QUIET)
endif()
if(NOT Boost_FOUND)
  find_path(WEIR_OTHER_BOOST boost/version.hpp)
  set(found "none was found")
  if(WEIR_OTHER_BOOST)
    file(STRINGS "${WEIR_OTHER_BOOST}/boost/version.hpp" line REGEX "^#define BOOST_LIB_VERSION ")
    string(REGEX REPLACE ".*\"([0-9_]+)\".*" "\\1" version "${line}")
    string(REPLACE "_" "." version "${version}")
    set(found "${version} was found in ${WEIR_OTHER_BOOST}")
  endif()
  message(FATAL_ERROR "weir: Boost >= ${WEIR_BOOST_VERSION} is needed, ${found}; on Debian 12 install libboost1.81-dev "
                      "(libboost-dev is 1.74 there), elsewhere point Boost_ROOT at a newer Boost")
endif()
find_package(Threads REQUIRED)
