#include "commands.hpp"
#include "confirm.hpp"
#include "text.hpp"

#include <weir/error.hpp>

#include <fmt/format.h>

#include <string>

namespace state_tool {
namespace {

std::string content_of(opened_store& store, weir::checkpoint_key const& key) {
  try {
    auto const found = store.load(key);
    return found ? content_text(*found) : "nothing any more";
  } catch (weir::error const& e) {
    if (e.code() != weir::errc::corrupt) throw;
    return std::string("damaged: ") + e.what();
  }
}

}  // namespace

int erase(opened_store& store, options const& o) {
  auto const key = select_one(store, o.which);
  fmt::print("{}\nbefore  {}\n", checkpoint_text(key), content_of(store, key));
  if (!o.yes && !confirm("Forget it and its state? The pipeline then begins where its source begins. Stop it before.")) return 1;
  store.erase(key);
  fmt::print("after   no checkpoint\n");
  return 0;
}

}  // namespace state_tool
