#pragma once
#include "simulated_kinesis.hpp"
#include "support/told.hpp"

#include <weir/kinesis/options.hpp>
#include <weir/kinesis/source.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

namespace weir::test {

inline constexpr instant simulated_begin = 1'704'067'200'000'000'000;  // where virtual time begins

/// A stream "ticks" in a simulated Kinesis, and sources that read it.
class simulated_stream {
public:
  explicit simulated_stream(std::size_t shards, kinesis_protocol::options o = simulated_kinesis::limited())
      : service(std::make_shared<simulated_kinesis>(o)) {
    service->state.create("ticks", shards, simulated_begin);
  }
  kinesis_stream& stream() const { return service->state.stream("ticks"); }
  /// Puts records "first", "first + 1", ... into a shard, by a key that says which.
  void put(std::size_t shard, int first, int count, instant at = simulated_begin) const {
    for (int i = 0; i != count; ++i) stream().put(shard, "key of " + std::to_string(shard), std::to_string(first + i), at);
  }
  void split(std::size_t shard, instant at = simulated_begin) const {
    auto const& s = stream().shards().at(shard);
    stream().split(s.id(), middle_of(s.keys), at);
  }
  void merge(std::size_t shard, std::size_t adjacent, instant at = simulated_begin) const {
    stream().merge(stream().shards().at(shard).id(), stream().shards().at(adjacent).id(), at);
  }
  std::string id(std::size_t shard) const { return stream().shards().at(shard).id(); }

  kinesis::options options() const {
    kinesis::options o;
    o.stream = "ticks";
    o.limits = limits;
    o.service = service;
    o.seed = 7;
    return o;
  }

  std::shared_ptr<simulated_kinesis> service;
  std::shared_ptr<kinesis::read_limits> limits = std::make_shared<kinesis::read_limits>();
};

}  // namespace weir::test
