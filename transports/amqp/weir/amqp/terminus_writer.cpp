#include <weir/amqp/detail/composite.hpp>
#include <weir/amqp/encoder.hpp>
#include <weir/amqp/terminus_writer.hpp>

namespace weir::amqp {
namespace {

template <class Terminus> std::string encoded_terminus(Terminus const& of) {
  std::string out;
  encoder to(out);
  detail::write_composite(to, of);
  return out;
}

}  // namespace

std::string encoded(source_terminus const& of) { return encoded_terminus(of); }
std::string encoded(target_terminus const& of) { return encoded_terminus(of); }

std::string encoded_source(std::string_view address) {
  source_terminus of;
  of.address = address;
  return encoded(of);
}

std::string encoded_target(std::string_view address) {
  target_terminus of;
  of.address = address;
  return encoded(of);
}

}  // namespace weir::amqp
