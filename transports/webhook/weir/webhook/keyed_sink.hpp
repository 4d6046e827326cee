#pragma once
#include <weir/guarantee.hpp>
#include <weir/outside_write.hpp>
#include <weir/webhook/options.hpp>
#include <weir/webhook/receiver.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::webhook {

/// A `sink` of rows that know who they are: each is a request of its own, whose key is made of pipeline, URL, `options::name` and the
/// row's identity, and of nothing else.
/// ```cpp
/// webhook::keyed_sink<bar> const hook({.url = "https://example.com/bars"}, to_json, [](bar const& b) { return b.symbol + b.minute; });
/// ```
/// Guarantee: idempotent, where the receiver drops keys that it knows, or replaces what it has under them. A receiver that remembers keys
/// for a day only, does so for a day only. One request per row, one after the other: for results, not for floods of them.
/// Otherwise like `sink`. The body is the row alone, as application/json; `form` and `most_rows` have no say.
template <class Row> class keyed_sink {
public:
  using row_type = Row;
  static constexpr std::string_view kind = "webhook";
  static constexpr guarantee promises = guarantee::idempotent;

  /// `json_of(row)` as for `sink`. `identity_of(row)`: a text that no other row has, and this one has again when it comes again; not empty
  /// (`errc::malformed`). Throws `errc::invalid_option`.
  template <class JsonOf, class IdentityOf> keyed_sink(options o, JsonOf json_of, IdentityOf identity_of)
      : to_(std::make_shared<receiver const>(std::move(o))), json_of_(std::move(json_of)), identity_of_(std::move(identity_of)) {}

  /// The rows of one commit.
  std::shared_ptr<outside_write> write(std::vector<Row> rows) const {
    std::vector<batch> all;
    all.reserve(rows.size());
    for (Row const& row : rows) all.push_back(batch_of_one(json_of_(row), identity_of_(row), to_->chosen().most_bytes));
    return receiver::write(to_, std::move(all));
  }

private:
  std::shared_ptr<receiver const> to_;
  std::function<std::string(Row const&)> json_of_, identity_of_;
};

}  // namespace weir::webhook
