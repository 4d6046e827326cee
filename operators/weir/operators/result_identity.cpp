#include <weir/operators/result_identity.hpp>

#include <boost/container_hash/hash.hpp>

namespace weir {

std::string result_identity::row_key() const {
  std::string out;
  detail::append_encoded(out, pipeline_);
  out += '/';
  detail::append_encoded(out, operator_);
  return out + '/' + key_ + '/' + std::to_string(window_.start) + '/' + std::to_string(window_.end);
}

std::string result_identity::text() const { return row_key() + '/' + std::to_string(revision_); }

std::size_t hash_value(result_identity const& id) noexcept {
  std::size_t seed = 0;
  boost::hash_combine(seed, id.pipeline_);
  boost::hash_combine(seed, id.operator_);
  boost::hash_combine(seed, id.key_);
  boost::hash_combine(seed, id.window_.start);
  boost::hash_combine(seed, id.window_.end);
  boost::hash_combine(seed, id.revision_);
  return seed;
}

}  // namespace weir
