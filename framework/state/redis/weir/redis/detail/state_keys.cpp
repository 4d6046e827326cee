#include <weir/redis/detail/state_keys.hpp>

#include <weir/detail/escaped_name.hpp>

namespace weir::redis::detail {
std::string index_of(std::string const& space, std::string const& pipeline) {
  return space + ":{" + weir::detail::escaped_name(pipeline) + "}";
}

state_keys::state_keys(std::string const& space, checkpoint_key const& key)
    : member(weir::detail::escaped_name(key.stream) + ":" + weir::detail::escaped_name(key.partition)),
      index(index_of(space, key.pipeline)) {
  std::string const base = index + ":" + member;
  head = base + ":head";
  state = base + ":state";
  order = base + ":order";
}

std::string index_pattern(std::string const& space) { return space + ":{*}"; }

std::optional<std::string> pipeline_of(std::string const& space, std::string_view index) {
  std::string const begin = space + ":{";
  if (!index.starts_with(begin) || !index.ends_with('}')) return std::nullopt;
  return weir::detail::unescaped_name(index.substr(begin.size(), index.size() - begin.size() - 1));
}

std::optional<checkpoint_key> key_of(std::string const& pipeline, std::string_view member) {
  auto const colon = member.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  auto stream = weir::detail::unescaped_name(member.substr(0, colon)), partition = weir::detail::unescaped_name(member.substr(colon + 1));
  if (!stream || !partition) return std::nullopt;
  return checkpoint_key(pipeline, *std::move(stream), *std::move(partition));
}

}  // namespace weir::redis::detail
