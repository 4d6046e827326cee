#include <weir/lambda/kafka_record.hpp>

#include <weir/error.hpp>
#include <weir/lambda/detail/json_members.hpp>
#include <weir/lambda/detail/json_value.hpp>

#include <charconv>

namespace weir::lambda {
namespace {

// A byte as Java has them: from -128 to 127.
bool append_byte(std::string& to, std::string_view digits) {
  int byte = 0;
  auto const [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), byte);
  if (failed != std::errc() || end != digits.data() + digits.size() || byte < -128 || byte > 255) return false;
  to += static_cast<char>(byte);
  return true;
}

}  // namespace

// [{"name":[118,-36]}]
std::vector<kafka_header> kafka_record::headers() const {
  std::vector<kafka_header> out;
  if (is_.headers.empty()) return out;
  bool fine = true;
  fine &= detail::each_element(is_.headers, [&](std::string_view header) {
    fine &= detail::each_member(header, [&](std::string_view name, std::string_view bytes) {
      kafka_header& h = out.emplace_back();
      h.name = name;
      if (!bytes.empty()) fine &= detail::each_element(bytes, [&](std::string_view byte) { fine &= append_byte(h.value, byte); });
    });
  });
  if (fine) return out;
  throw error(errc::malformed, "lambda: cannot read the headers of a record of Kafka", "they are not [{\"name\":[1,-2]}]")
      .with_partition(std::string(is_.topic) + "-" + std::to_string(is_.partition))
      .with_position(is_.position.text());
}

}  // namespace weir::lambda
