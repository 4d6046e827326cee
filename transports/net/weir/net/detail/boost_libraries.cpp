// The one translation unit that holds the bodies of what this module uses of Boost, beside Asio's own (BOOST_ASIO_SEPARATE_COMPILATION,
// BOOST_BEAST_SEPARATE_COMPILATION).
#include <boost/asio/ssl/impl/src.hpp>
#include <boost/beast/src.hpp>
#include <boost/url/src.hpp>
