#pragma once
#include <weir/amqp/errc.hpp>

#include <boost/system/result.hpp>

namespace weir::amqp {

/// A value, or what the peer's bytes have wrong.
template <class T> using result = boost::system::result<T, errc>;

}  // namespace weir::amqp
