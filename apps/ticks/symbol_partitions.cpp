#include "symbol_partitions.hpp"

#include <weir/error.hpp>

#include <fmt/format.h>

namespace ticks {

symbol_partitions::reading::~reading() {
  erase_if(all_.owners_, [this](auto const& entry) { return entry.second == partition_; });
}

void symbol_partitions::reading::claim(symbol const& name) {
  auto const [owner, first] = all_.owners_.try_emplace(name, partition_);
  if (first || owner->second == partition_) return;
  throw weir::error(
      weir::errc::misuse, "ticks: cannot make a bar",
      fmt::format("ticks of {} come in {} and in {}, and a bar is made of one partition", name.view(), owner->second, partition_),
      "put all ticks of a symbol under one partition key, such as the symbol (weir kinesis put --key-field symbol)");
}

}  // namespace ticks
