#include "opened_store.hpp"

#include "open_store.hpp"

#include <weir/error.hpp>

#include <utility>

namespace state_tool {
namespace {

using command_line::store_kind;
using command_line::store_name;

found_store open(store_name const& name, store_options const& options, command_line::event_loop& loop) {
  switch (name.kind) {
    case store_kind::rocksdb: return open_rocksdb(name.place);
    case store_kind::postgres: return open_postgres(name.place, options.schema, loop);
    case store_kind::redis: return open_redis(name.place, options.space);
    case store_kind::dynamodb: return open_dynamodb(name.place);
    case store_kind::sqlite: break;
  }
  return open_sqlite(name.place);
}

}  // namespace

void refuse_not_built(std::string const& component) {
  throw weir::error(weir::errc::invalid_option, "weir: cannot open the store", "this program was built without " + component,
                    "build it with " + component + " in WEIR_COMPONENTS");
}

opened_store::opened_store(store_name const& name, store_options const& options) {
  auto found = open(name, options, loop_);
  name_ = std::move(found.name);
  place_ = std::move(found.place);
  store_ = std::move(found.store);
}

template <class Work> auto opened_store::named(Work work) {
  try {
    return loop_.run(work());
  } catch (weir::error& e) {
    if (std::string(e.what()).find(place_) == std::string::npos) e.with_detail(name_);
    throw;
  }
}

std::vector<weir::checkpoint_key> opened_store::keys() {
  return named([&] { return store_->keys(); });
}
std::vector<weir::checkpoint_listing> opened_store::list(std::string pipeline) {
  return named([&] { return store_->list(std::move(pipeline)); });
}
std::optional<weir::saved_checkpoint> opened_store::load(weir::checkpoint_key key) {
  return named([&] { return store_->load(std::move(key)); });
}
void opened_store::commit(weir::checkpoint_key key, weir::checkpoint_update update) {
  named([&] { return store_->commit(std::move(key), std::move(update)); });
}
void opened_store::erase(weir::checkpoint_key key) {
  named([&] { return store_->erase(std::move(key)); });
}

}  // namespace state_tool
