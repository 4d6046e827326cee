// What nearly every test includes, parsed once for all of them. Each test includes what it needs all the same.
#pragma once
#include <weir/error.hpp>
#include <weir/fused_stream.hpp>
#include <weir/stream.hpp>
#include <weir/task.hpp>
#include <weir/testing/run.hpp>
#include <weir/testing/simulation.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>
