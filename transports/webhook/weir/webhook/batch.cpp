#include <weir/webhook/batch.hpp>

#include <weir/error.hpp>

#include <utility>

namespace weir::webhook {
namespace {

// `around`: bytes that come with the row.
void check(std::string_view json, std::size_t around, std::size_t most_bytes) {
  if (json.empty()) throw error(errc::malformed, "webhook: cannot send a row", "its encoder made no text of it");
  if (json.size() <= most_bytes && most_bytes - json.size() >= around) return;
  throw error(errc::too_large, "webhook: cannot send a row",
              "it has " + std::to_string(json.size()) + " bytes, more than a request may have",
              "raise most_bytes if the receiver allows it");
}

}  // namespace

batch batch_of_one(std::string json, std::string identity, std::size_t most_bytes) {
  check(json, 0, most_bytes);
  if (identity.empty()) throw error(errc::malformed, "webhook: cannot send a row", "it does not say who it is: its identity is empty");
  batch out;
  out.body = std::move(json);
  out.identity = std::move(identity);
  out.rows = 1;
  return out;
}

void batcher::add(std::string_view json) {
  check(json, form_ == body_form::array ? 2 : 1, most_bytes_);  // the brackets, or the line break
  if (form_ == body_form::lines && json.find('\n') != std::string_view::npos)
    throw error(errc::malformed, "webhook: cannot send a row", "its encoder made more than one line of it",
                "encode without line breaks, or send arrays");
  std::size_t const closing = form_ == body_form::array ? 1 : 0;
  if (open_.rows == most_rows_ || (open_.rows != 0 && open_.body.size() + 1 + json.size() + closing > most_bytes_)) close();
  if (form_ == body_form::array) open_.body += open_.rows == 0 ? '[' : ',';
  open_.body += json;
  if (form_ == body_form::lines) open_.body += '\n';
  ++open_.rows;
}

void batcher::close() {
  if (open_.rows == 0) return;
  if (form_ == body_form::array) open_.body += ']';
  closed_.push_back(std::exchange(open_, batch()));
}

std::vector<batch> batcher::take() {
  close();
  return std::exchange(closed_, {});
}

}  // namespace weir::webhook
