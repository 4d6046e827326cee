// Catch2 of whatever major version the machine has: 2 is one header, 3 is many.
#pragma once
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#define WEIR_CATCH_VERSION 3
#else
#include <catch2/catch.hpp>
#define WEIR_CATCH_VERSION 2
#endif
