#pragma once

// All accumulators, for `aggregate`.
#include <weir/operators/accumulators/collect.hpp>
#include <weir/operators/accumulators/combined.hpp>
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/accumulators/distinct.hpp>
#include <weir/operators/accumulators/maximum.hpp>
#include <weir/operators/accumulators/mean.hpp>
#include <weir/operators/accumulators/minimum.hpp>
#include <weir/operators/accumulators/ohlcv.hpp>
#include <weir/operators/accumulators/quantile.hpp>
#include <weir/operators/accumulators/reduce.hpp>
#include <weir/operators/accumulators/sum.hpp>
#include <weir/operators/accumulators/top_n.hpp>
#include <weir/operators/accumulators/variance.hpp>
