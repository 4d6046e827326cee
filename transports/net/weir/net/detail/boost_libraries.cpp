// The one translation unit that holds the bodies of what this module uses of Boost, beside Asio and Beast.
#include <boost/asio/ssl/impl/src.hpp>
#include <boost/url/src.hpp>
