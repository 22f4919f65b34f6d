"""A page of `subcore timeline --html` in Chromium:

* The page says of instructions what the terminal's table says.
* The page moves by pointer, wheel and keyboard, and finds what is asked for.
* The page fetches nothing, and fits on small and large windows.

The script beside this file runs it."""
import ast
import base64
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import devtools  # beside this file
from devtools import fail, same

project = os.path.abspath(sys.argv[1])
traces = os.path.join(project, "scenarios", "traces")
pictures = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
subcore = os.path.abspath(os.environ["SUBCORE"])
work = tempfile.TemporaryDirectory()
os.chdir(work.name)


def timeline(*words):
    return subprocess.run([subcore, "timeline", *words], check=True, stdout=subprocess.PIPE, text=True).stdout


def frame(browser):
    browser.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def open_page(browser):
    browser.open("file://" + os.path.abspath("page.html"))
    for _ in range(1000):
        frame(browser)
        if browser.value("drawn !== 0 && !dirty"):  # nor does a new size want another picture
            return
    fail("the page draws nothing")


def point(browser, x, y, kinds=("mouseMoved",)):
    for kind in kinds:
        browser("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="none" if kind == "mouseMoved" else "left", clickCount=1)
    frame(browser)


def picture(browser, name):
    if pictures:  # a picture of the window as it is, because a larger one would be another window for the page
        with open(os.path.join(pictures, name + ".png"), "wb") as out:
            out.write(base64.b64decode(browser("Page.captureScreenshot")["data"]))


def check_groups(browser):
    """The page has the groups of causes, and their colours on light paper, of the Python package's figures."""
    def constant(file, name):
        with open(os.path.join(project, "python", "subcore", file)) as text:
            tree = ast.parse(text.read())
        return next(ast.literal_eval(n.value) for n in tree.body if isinstance(n, ast.Assign) and n.targets[0].id == name)
    groups = {g[0]: [c[0] for c in browser.value("data.causes") if c[2] == n] for n, g in enumerate(browser.value("data.groups"))}
    colours = {g[0]: g[1] for g in browser.value("data.groups")}
    in_figures = constant("compare.py", "STALL_GROUPS")
    for group, causes in in_figures.items():
        same(set(groups[group]), set(causes) - {"no_warp", "drained"}, "causes of " + group)
        same(colours[group], constant("looks.py", "STALLS")[group][0], "the colour of " + group)
    same(set(groups) - set(in_figures), {"not selected"}, "groups that figures do not have")


def check_words(browser, platform):
    """The card over a cycle of a row tells of the instruction that issues there, as the table does."""
    words = ["-p", platform, "-t", os.path.join(traces, "hotspot"), "--to", "300"]
    timeline(*words, "--html", "page.html")
    table = timeline(*words, "--rows", "10000").splitlines()
    width = next(line for line in table if line.startswith("cycle ")).index("2")
    browser.window(1400, 900, dark=False)
    open_page(browser)
    checked = 0
    for line in table[::7]:
        found = re.match(r"(w\d+) (0x[0-9a-f]+) (\S+)", line)
        if not found or "I" not in line[width:]:
            continue
        begin, issue = (2 + line.index(c, width) - width for c in (line[width:].strip()[0], "I"))
        browser.value(f"kept = null; show({issue} - 20, {issue} + 20)")
        x, y = browser.value(f"""(() => {{ const slot = slots.find((s) => s.warps.some((w) => 'w' + w.number === '{found[1]}'));
          const row = layout.find((r) => r.slot === slot), box = rows_canvas.getBoundingClientRect();
          return [box.x + x_of({issue} + 0.5), box.y + RULER + row.y - scroller.scrollTop + NAMES + 5]; }})()""")
        point(browser, x, y)
        said = browser.value("card.innerText")
        for expected in (f"{found[1]} in s", f"cycle {issue}", "issue in ", f"{found[2]} {found[3]}", f"{begin}\tfetched",
                         f"{issue}\tissues to collector "):
            if expected not in said:
                fail(f"{platform}: {line[:40]} in cycle {issue}: the page says {said!r}; expected '{expected}'")
        checked += 1
    if checked < 10:
        fail(f"{platform}: only {checked} instructions of the table were looked at")


def check_moves(browser):
    view, cycles = "[from, to]", browser.value("[first, last]")
    show_all = "show(first, last)"
    browser.value(show_all)
    same(browser.value(view), cycles, "all cycles in view")
    x, y = browser.value("(() => { const b = rows_canvas.getBoundingClientRect(); return [b.x + b.width / 2, b.y + 60]; })()")
    browser("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=-600)
    frame(browser)
    near = browser.value(view)
    if not cycles[0] < near[0] < near[1] < cycles[1]:
        fail(f"after the wheel {near} are in view")
    browser.drag(x, x - 200, y)
    frame(browser)
    moved = browser.value(view)
    if not (moved[0] > near[0] and abs((moved[1] - moved[0]) - (near[1] - near[0])) < 0.01):
        fail(f"dragged to the left: {moved} are in view after {near}")
    browser.value("rows_canvas.focus()")
    for kind in ("keyDown", "keyUp"):
        browser("Input.dispatchKeyEvent", type=kind, key="0", code="Digit0", windowsVirtualKeyCode=48)
    same(browser.value(view), cycles, "all cycles in view after the key 0")
    # A click on its name opens a row, and a click on an instruction keeps it.
    y = browser.value("(() => { const b = rows_canvas.getBoundingClientRect(); return b.y + RULER + layout.find((r) => r.slot).y + 20; })()")
    point(browser, 20, y, ("mousePressed", "mouseReleased"))
    same(browser.value("slots.map((s) => s.open)")[:2], [True, False], "the first row's instructions are shown")
    browser.value("show(100, 140)")
    frame(browser)
    x, y = browser.value("""(() => { const l = slots[0].lives.find((i) => i.begin > 100), b = rows_canvas.getBoundingClientRect();
      return [b.x + x_of(l.begin + 1), b.y + RULER + layout.find((r) => r.slot).y + NAMES + BAND + GAP + l.lane * LANE + 5]; })()""")
    point(browser, x, y, ("mouseMoved", "mousePressed", "mouseReleased"))
    point(browser, 5, 5)
    same(browser.value("[card.hidden, kept !== null]"), [False, True], "an instruction is kept")
    picture(browser, "timeline_kept")
    # The page finds what the reader asks for, or says what there is.
    for word, expected in (("w4", "w4 is in s1 of sm_0.sub_core_0"), ("w1", "no warp w1 here; there are 8, w0 to w28"),
                           ("s99", "no slot s99 here; there are s0 to s7"), ("100000", "no cycle 100000 here; there are 0 to 300"),
                           ("0x10", None), ("0xfff0", "no instruction at 0xfff0 issues here"), ("x", "'x'; expected a cycle")):
        said = browser.value(f"go('{word}')")
        if expected is not None and not said.startswith(expected) or expected is None and "issues it in cycle" not in said:
            fail(f"asked for {word}: {said}; expected {expected}")
    browser.click("element('legend').children[0]")
    same(browser.value("lit"), 0, "the group that is lit")


def check_looks(browser):
    for width in (400, 700, 1400, 2000):
        for is_dark in (False, True):
            browser.window(width, 800, is_dark)
            open_page(browser)
            wide, colours, theme = browser.value("""[document.documentElement.scrollWidth,
              new Set(new Uint32Array(rows_canvas.getContext('2d').getImageData(LABEL, 0, rows_canvas.width - LABEL, rows_canvas.height).data.buffer)).size,
              document.documentElement.dataset.theme]""")
            same(theme, "dark" if is_dark else "light", "the theme")
            if wide > width:
                fail(f"the page is {wide} pixels wide in a window of {width}")
            if colours < 8:
                fail(f"at {width} pixels the rows have {colours} colours")
            picture(browser, f"timeline_{width}_{'dark' if is_dark else 'light'}")


browser = devtools.Browser()
try:
    for platform in ("nvidia_turing", "malekeh"):
        check_words(browser, platform)
    check_groups(browser)
    check_moves(browser)
    check_looks(browser)
    complaints = [e for e in browser.events if e.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded",
                                                                  "Runtime.consoleAPICalled")]
    same(complaints, [], "the browser's console")
    asked = {e["params"]["request"]["url"] for e in browser.events if e.get("method") == "Network.requestWillBeSent"}
    same(asked, {"file://" + os.path.abspath("page.html")}, "what the browser asked for")
finally:
    browser.close()
