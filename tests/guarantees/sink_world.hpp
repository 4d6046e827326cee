#pragma once
#include <weir/eventhubs/record.hpp>
#include <weir/file/record.hpp>
#include <weir/guarantee.hpp>
#include <weir/kinesis/record.hpp>
#include <weir/pipeline_builder.hpp>
#include <weir/testing/delivery_trial.hpp>
#include <weir/testing/kept_outside.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weir::test {

/// A sink of the library, really used: rows are texts.
class sink_world : public testing::kept_outside {
public:
  /// Gives a pipeline the sink "out", or the topic "out".
  virtual void use(pipeline_builder<std::string>& pipeline, testing::delivery_trial& trial) = 0;
  virtual void use(pipeline_builder<file::record>& pipeline, testing::delivery_trial& trial) = 0;
  virtual void use(pipeline_builder<kinesis::record>& pipeline, testing::delivery_trial& trial) = 0;
  virtual void use(pipeline_builder<eventhubs::record>& pipeline, testing::delivery_trial& trial) = 0;
  /// What its type says.
  virtual guarantee declared() const = 0;
  virtual bool is_topic() const { return false; }
  /// Whether it is not a part of the trial.
  virtual bool is_outside() const { return true; }
  /// How many trials it takes at most, of one mishap each.
  virtual std::size_t trials() const { return 60; }
};

/// The one with that name in the README. Null: there is none. Throws what opening it throws; one that this machine lacks is reported as
/// skipped, and `skipped` is true.
std::unique_ptr<sink_world> world_of(std::string_view sink, bool& skipped);
/// The names of all.
std::vector<std::string> known_sinks();

}  // namespace weir::test
