#include "bar_input.hpp"

#include "hub_ticks.hpp"

#include <command_line/input_file.hpp>

#include <utility>
#include <vector>

namespace ticks {
namespace {

bool names_csv(std::string path) {
  if (path.ends_with(".gz")) path.resize(path.size() - 3);
  return path.ends_with(".csv");
}

bar_input look_at_file(options const& o) {
  std::vector<command_line::output_name> const outputs{{command_line::file_of(o.bars), "--bars"},
                                                       {command_line::file_of(o.checkpoints()), "--checkpoint"},
                                                       {o.events, "--events"},
                                                       {o.late, "--late"},
                                                       {o.dead_letters, "--on-broken-line"}};
  auto file = command_line::look_at_input("ticks", o.input, "ticks", outputs);
  bar_input input;
  input.path = std::move(file.path);
  input.origin = bar_origin{"files", "file " + input.path};
  input.csv = o.format == options::input_format::csv || (o.format == options::input_format::by_name && names_csv(input.path));
  input.total = file.size;
  return input;
}

}  // namespace

bar_input look_at_input(options const& o) {
  if (o.from == options::source::file) return look_at_file(o);
  bar_input input;
  if (o.from == options::source::kinesis) {
    input.origin = bar_origin{"streams", "kinesis " + o.kinesis.stream};
    return input;
  }
  if (o.from == options::source::eventhubs) {
    input.origin = bar_origin{"event hubs", "eventhubs " + hub_name(o)};
    return input;
  }
  input.origin = bar_origin{"the built-in " + o.made.identity(), "built-in " + o.made.identity()};
  if (o.count != 0) input.total = o.count;
  return input;
}

}  // namespace ticks
