// The one translation unit that holds the bodies of Boost.Beast (BOOST_BEAST_SEPARATE_COMPILATION).
#include <boost/beast/src.hpp>
