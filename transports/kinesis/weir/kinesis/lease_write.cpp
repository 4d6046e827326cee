#include <weir/kinesis/lease_write.hpp>

namespace weir::kinesis {

lease lease_write::after() const {
  lease out = before_;
  if (what_ == lease_write_kind::create || what_ == lease_write_kind::erase) return out;
  if (what_ != lease_write_kind::ask_for) ++out.counter;
  switch (what_) {
    case lease_write_kind::checkpoint:
      out.checkpoint = to_;
      out.owner_switches = 0;
      out.pending.reset();
      out.pending_state.clear();
      if (!children_.empty()) out.children = children_;
      break;
    case lease_write_kind::ask_for:
    case lease_write_kind::take:
      if (!out.owner.empty() && out.owner != worker_) ++out.owner_switches;
      out.checkpoint_owner = what_ == lease_write_kind::ask_for ? out.owner : std::string();
      out.owner = worker_;
      break;
    case lease_write_kind::hand_over:
    case lease_write_kind::evict: out.checkpoint_owner.clear(); break;
    case lease_write_kind::let_go: out.owner.clear(); break;
    default: break;
  }
  return out;
}

}  // namespace weir::kinesis
