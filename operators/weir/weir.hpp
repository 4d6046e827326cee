#pragma once

// Everything of the framework and all operators: `#include <weir/weir.hpp>`. Accumulators (`weir/operators/accumulators.hpp`, or each by
// itself), transports, stores, the Asio token (`weir/asio.hpp`, `weir/spawn.hpp`, `weir/awaitable.hpp`) and the testing kit have headers of
// their own. A file that only passes streams on needs `weir/stream.hpp` and compiles faster.
#include <weir/application.hpp>
#include <weir/async_scope.hpp>
#include <weir/console.hpp>
#include <weir/from.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/as_of_join.hpp>
#include <weir/operators/batch.hpp>
#include <weir/operators/dedup.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/filter.hpp>
#include <weir/operators/flat_map.hpp>
#include <weir/operators/for_each.hpp>
#include <weir/operators/global_window.hpp>
#include <weir/operators/heartbeat.hpp>
#include <weir/operators/inspect.hpp>
#include <weir/operators/interval_join.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/map.hpp>
#include <weir/operators/map_concurrent.hpp>
#include <weir/operators/merge.hpp>
#include <weir/operators/partition_by.hpp>
#include <weir/operators/prefetch.hpp>
#include <weir/operators/process.hpp>
#include <weir/operators/reduce.hpp>
#include <weir/operators/retry.hpp>
#include <weir/operators/scan.hpp>
#include <weir/operators/session_window.hpp>
#include <weir/operators/skip.hpp>
#include <weir/operators/sliding_window.hpp>
#include <weir/operators/split.hpp>
#include <weir/operators/take.hpp>
#include <weir/operators/take_while.hpp>
#include <weir/operators/throttle.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/operators/window.hpp>
#include <weir/operators/window_join.hpp>
#include <weir/operators/write_to.hpp>
#include <weir/reschedule.hpp>
#include <weir/sleep.hpp>
#include <weir/timeout.hpp>
#include <weir/timing.hpp>
#include <weir/when_all.hpp>
#include <weir/when_any.hpp>
