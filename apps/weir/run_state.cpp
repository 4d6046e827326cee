#include "commands.hpp"

namespace state_tool {

int run_state(options const& o) {
  opened_store store(o.store, o.inside);
  switch (o.what) {
    case options::task::list: return o.schemas ? list_schemas(store, o) : list(store, o);
    case options::task::dump: return dump(store, o);
    case options::task::verify: return verify(store, o);
    case options::task::rewind: return rewind(store, o);
    case options::task::erase: return erase(store, o);
    case options::task::diff: break;
  }
  if (!o.other) return diff(store, store, o);
  opened_store other(*o.other, o.inside);
  return diff(store, other, o);
}

}  // namespace state_tool
