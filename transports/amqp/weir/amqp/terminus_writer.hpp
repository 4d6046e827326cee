#pragma once
#include <weir/amqp/terminus.hpp>

#include <string>
#include <string_view>

namespace weir::amqp {

/// The encodings for `link_options::source` and `link_options::target`.
std::string encoded(source_terminus const& of);
std::string encoded(target_terminus const& of);
/// Those that have an address and nothing else; empty: none either.
std::string encoded_source(std::string_view address);
/// The same of a target.
std::string encoded_target(std::string_view address);

}  // namespace weir::amqp
