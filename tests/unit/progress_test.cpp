#include "subcore/program/runs/progress.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "subcore/base/text_width.h"

namespace progress_test {

using namespace subcore;

namespace {

// A standard error whose clock and window are set by hand.
struct Screen {
  explicit Screen(bool terminal) : is_terminal(terminal) {}
  ProgressOutput output() {
    return {is_terminal, [this] { return width; }, [this] { return now; },
            [this](std::string_view text) { writes.emplace_back(text); }};
  }
  std::string last() const { return writes.empty() ? "" : writes.back(); }

  bool is_terminal;
  std::size_t width = 80;
  double now = 1000;
  std::vector<std::string> writes;
};

}  // namespace

TEST_CASE("a progress bar has the time left") {
  Screen screen(true);
  ProgressBar bar("subcore", screen.output());
  bar.show(0, "0/4 bow on bfs");
  CHECK(screen.writes.empty());  // at most ten a second
  screen.now += 0.5;
  bar.show(0.005, "0/4 bow on bfs");
  CHECK(screen.last() == "subcore [.............................]   0 %  1 s  0/4 bow on bfs");
  screen.now += 9.5;
  bar.show(0.25, "1/4 bow on bfs");
  CHECK(screen.last() == "subcore [#######......................]  25 %  10 s, 30 s left  1/4 bow on bfs");
  screen.now += 990;
  bar.show(0.25, "1/4 bow on bfs");
  CHECK_THAT(screen.last(), Catch::Contains("  17 min, 50 min left  "));
  screen.now += 9000;
  bar.show(0.5, "1/4 bow on bfs");
  CHECK_THAT(screen.last(), Catch::Contains("  2 h 46 min, 2 h 46 min left  "));
}

TEST_CASE("a progress bar stays within the window, whatever it is and is called") {
  Screen screen(true);
  ProgressBar bar("subcore", screen.output());
  const std::string long_name(200, 'x');
  std::string wide_name;
  for (int i = 0; i < 60; ++i) wide_name += "\xe6\xbc\xa2\xc3\xa9";  // a wide character and a narrow one
  for (const std::size_t width : {200u, 120u, 80u, 60u, 50u, 40u, 20u, 5u, 1u})
    for (const std::string& name : {long_name, wide_name, std::string("a")}) {
      screen.width = width;
      screen.now += 1;
      bar.hide();
      bar.show(0.5, name);
      INFO(width << ": " << screen.last());
      CHECK(text_width(screen.last()) < width);
      bar.hide();
    }
  screen.width = 0;  // unknown
  screen.now += 1;
  bar.show(0.5, long_name);
  CHECK(text_width(screen.last()) == 79);
}

TEST_CASE("a window that has become narrower is cleared of all lines that the bar takes there") {
  Screen screen(true);
  ProgressBar bar("subcore", screen.output());
  screen.now += 1;
  bar.show(0.5, std::string(100, 'x'));
  REQUIRE(text_width(screen.last()) == 79);
  screen.width = 30;
  bar.hide();
  CHECK(screen.last() == "\r\x1b[2A\x1b[J");
  screen.now += 1;
  bar.show(0.5, "x");
  screen.now += 1;
  bar.show(0.5, "x");
  CHECK(screen.writes[screen.writes.size() - 2] == "\r\x1b[J");
}

TEST_CASE("the bar makes way for what is printed, and at the end") {
  Screen screen(true);
  {
    ProgressBar bar("subcore", screen.output());
    hide_progress();
    CHECK(screen.writes.empty());
    screen.now += 1;
    bar.show(0.5, "x");
    hide_progress();
    CHECK(screen.last() == "\r\x1b[J");
    hide_progress();
    CHECK(screen.writes.size() == 2);
    screen.now += 1;
    bar.show(0.6, "x");
  }
  CHECK(screen.last() == "\r\x1b[J");
  const std::size_t before = screen.writes.size();
  hide_progress();  // the bar is gone
  CHECK(screen.writes.size() == before);
}

TEST_CASE("without a terminal progress is a line a minute") {
  Screen screen(false);
  {
    ProgressBar bar("subcore", screen.output());
    for (int tenth = 0; tenth < 1500; ++tenth) {
      screen.now += 0.1;
      bar.show(tenth / 3000.0, "2/7 malekeh on bfs");
    }
  }
  REQUIRE(screen.writes.size() == 2);
  CHECK(screen.writes[0] == "subcore: 20 % after 60 s, 4 min left: 2/7 malekeh on bfs\n");
  CHECK_THAT(screen.writes[1], Catch::Contains(" after 2 min, ") && Catch::Contains("\n"));
}

}  // namespace progress_test
