#include <weir/amqp/detail/composite.hpp>
#include <weir/amqp/terminus.hpp>

namespace weir::amqp {

result<source_terminus> read_source(encoded_view field) noexcept { return detail::read_composite<source_terminus>(field); }
result<target_terminus> read_target(encoded_view field) noexcept { return detail::read_composite<target_terminus>(field); }

}  // namespace weir::amqp
