// Text and numbers in drawings: markup in names is escaped, and numbers are short.
#include "subcore/program/report/markup.h"

#include <catch2/catch.hpp>

#include "subcore/program/report/drawing.h"

namespace markup_test {

using namespace subcore;
using Catch::Contains;

TEST_CASE("markup: text is escaped, whatever is in it") {
  const std::string nasty = "<a&b>\"c'\xC3\xA9";
  CHECK(escaped(nasty) == "&lt;a&amp;b&gt;&quot;c&#39;\xC3\xA9");
  CHECK(escaped(std::string("a\0b\x1B", 4)) ==
        "a\xEF\xBF\xBD"
        "b\xEF\xBF\xBD");
  CHECK(escaped("</script>") == "&lt;/script&gt;");
  CHECK(escaped("") == "");
  CHECK(characters("h\xC3\xA9\xE2\x82\xAC") == 3);
  Drawing drawing("d", nasty, 100);
  drawing.text(1, 2, nasty);
  CHECK_THAT(drawing.finish(50), Contains(escaped(nasty)) && !Contains("<a"));
}

TEST_CASE("markup: numbers have no more places than they need") {
  CHECK(px(12) == "12");
  CHECK(px(0.5) == "0.5");
  CHECK(px(-3.257) == "-3.26");
  CHECK(px(-0.001) == "0");
  CHECK(px(100) == "100");
}

}  // namespace markup_test
