#pragma once
#include <weir/file/source.hpp>
#include <weir/testing/run.hpp>

#include "support/temporary_folder.hpp"

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir::test {

template <class T, class Decode> task<> decode_all(stream<file::record> records, Decode* decode, std::vector<T>* out) {
  while (file::record* const r = co_await records.next()) out->push_back((*decode)(*r));
}

/// What `decode` makes of every record of the only file of `o`. Throws what reading throws.
template <class Decode> auto decoded(file::options const& o, Decode&& decode) {
  std::vector<std::decay_t<std::invoke_result_t<Decode&, file::record const&>>> out;
  file::source source(o);
  testing::run(decode_all(source.open(o.paths.front(), std::nullopt), &decode, &out));
  return out;
}

/// What a decoder with selected fields, `make(policy)`, makes of the lines of a file of NDJSON, "input.ndjson", with `text` in it.
template <class Make> auto decoded_lines(Make make, std::string const& text, file::broken_line_policy policy = {}) {
  temporary_folder const folder;
  auto const decoder = make(policy);
  file::options o;
  o.paths = {folder.write("input.ndjson", text)};
  o.format = file::format::ndjson;
  o.fields = decoder.names();
  o.on_broken_line = policy;
  return decoded(o, decoder);
}

/// `line` with one part of it replaced.
inline std::string with_other(std::string line, std::string const& part, std::string const& other) {
  return line.replace(line.find(part), part.size(), other);
}

}  // namespace weir::test
