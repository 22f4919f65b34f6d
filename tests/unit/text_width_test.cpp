#include "subcore/base/text_width.h"

#include <catch2/catch.hpp>

namespace text_width_test {

using namespace subcore;

TEST_CASE("the width of a text is what a terminal makes of it") {
  CHECK(text_width("") == 0);
  CHECK(text_width("plain") == 5);
  CHECK(text_width("caf\xc3\xa9") == 4);
  CHECK(text_width("cafe\xcc\x81") == 4);              // a combining accent
  CHECK(text_width("\xe6\xbc\xa2\xe5\xad\x97") == 4);  // two wide characters
  CHECK(text_width("\xf0\x9f\x9a\x80") == 2);
  CHECK(text_width("caf\xe9") == 4);   // no UTF-8
  CHECK(text_width("\xe6\xbc") == 2);  // cut
}

TEST_CASE("a text is never cut within a character") {
  CHECK(cut("plain", 9) == "plain");
  CHECK(cut("plain", 3) == "pla");
  CHECK(cut("\xe6\xbc\xa2\xe5\xad\x97", 3) == "\xe6\xbc\xa2");
  CHECK(cut("caf\xc3\xa9s", 4) == "caf\xc3\xa9");
  CHECK(cut_at_word("one, two and three", 18) == "one, two and three");
  CHECK(cut_at_word("one, two and three", 17) == "one, two and ...");
  CHECK(cut_at_word("one, two and three", 11) == "one ...");
  CHECK(cut_at_word("one, two", 3).size() <= 4);
}

TEST_CASE("long names are shortened and stay distinct") {
  CHECK(shortened("rtx2060_malekeh", 15) == "rtx2060_malekeh");
  CHECK(shortened("rtx2060_malekeh", 9) == "rtx2~ekeh");
  CHECK(shortened("rtx2060_malekeh", 8) == "rtx2~keh");
  CHECK(shortened("rtx2060_malekeh", 1) == "~");
  CHECK(shortened("\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2\xe5\xad\x97", 6) == "\xe6\xbc\xa2~\xe5\xad\x97");
  using Names = std::vector<std::string>;
  CHECK(shortened(Names{"abcdXXefgh", "abcdYYefgh", "short", "abcd~efgh"}, 9) ==
        Names{"abcdXXe~2", "abcdYYe~2", "short", "abcd~efgh"});
  CHECK(shortened(Names{"abcdXXefgh", "abcdYYefgh", "abcdXXefgh"}, 9) ==
        Names{"abcd~efgh", "abcdYYe~2", "abcd~efgh"});
  CHECK(padded("caf\xc3\xa9", 6) == "caf\xc3\xa9  ");
  CHECK(padded_left("caf\xc3\xa9", 6) == "  caf\xc3\xa9");
  CHECK(padded("long", 2) == "long");
}

TEST_CASE("parts are folded into lines, none of them broken") {
  using Parts = std::vector<std::string>;
  CHECK(folded(Parts{}, ", ", 2, 10).empty());
  CHECK(folded(Parts{"one 1", "two 2", "three 3"}, ", ", 2, 80) == "  one 1, two 2, three 3\n");
  CHECK(folded(Parts{"one 1", "two 2", "three 3"}, ", ", 2, 15) == "  one 1, two 2,\n  three 3\n");
  CHECK(folded(Parts{"one 1", "two 2", "three 3"}, ", ", 2, 14) == "  one 1,\n  two 2,\n  three 3\n");
  CHECK(folded("one  two\nthree ", 1, 8) == " one two\n three\n");
  CHECK(folded(Parts{"longer than that"}, ", ", 2, 9) == "  longer than that\n");
}

}  // namespace text_width_test
