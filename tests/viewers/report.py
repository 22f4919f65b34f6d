"""A report in Chromium, with a few platforms and with many:

* The report says what results.json says, and fetches nothing.
* The report can be sorted by pointer and keyboard.
* The report saves its figures, which open in librsvg and poppler.
* The report fits in windows of 400 to 2,000 pixels and on paper.

The script beside this file runs it."""
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

sys.dont_write_bytecode = True
import devtools  # beside this file
from devtools import fail, same

traces = os.path.join(os.path.abspath(sys.argv[1]), "scenarios", "traces")
pictures = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
subcore = os.path.abspath(os.environ["SUBCORE"])
work = tempfile.TemporaryDirectory()
os.chdir(work.name)


def run(*words):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout


def compare(folder, platforms, *names):
    words = [w for p in platforms for w in ("-p", p)] + [w for n in names for w in ("-t", os.path.join(traces, n))]
    run(subcore, "compare", *words, "-r", folder)
    with open(os.path.join(folder, "results.json")) as file:
        return json.load(file)


def require_drawing(picture):
    """A PNG of some size, not a blank page."""
    with open(picture, "rb") as file:
        head = file.read(24)
    width, height = int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")
    if width < 400 or height < 200 or os.path.getsize(picture) < 4000:
        fail(f"{picture}: {width} x {height} pixels, {os.path.getsize(picture)} bytes; expected a figure")


def check_figures():
    svgs = [f for f in os.listdir("figures") if f.endswith(".svg")]
    same(len(svgs), 11, "figures")
    for svg in svgs:
        name = os.path.join("figures", svg[:-4])
        run("rsvg-convert", "--output=" + name + ".svg.png", name + ".svg")
        run("pdftoppm", "-png", "-singlefile", name + ".pdf", name + ".pdf")
        for picture in (name + ".svg.png", name + ".pdf.png"):
            require_drawing(picture)
        if "read hits" not in run("pdftotext", name + ".pdf", "-") and "intervals" in name:
            fail(name + ".pdf: has no words on its axes")


def check_page(browser, runs):
    # The rows of the table of runs: [trace, platform, [exact numbers]].
    table = """[...document.querySelectorAll('#runs tbody tr')].map((row) => [row.cells[0].textContent,
      row.cells[1].textContent, [...row.cells].slice(2).map((c) => c.dataset.value ?? c.textContent)])"""
    heads = browser.value("[...document.querySelectorAll('#runs th')].map((h) => h.textContent)")
    first = {r["trace"]: r for r in runs if r["platform"] == runs[0]["platform"]}

    def column(name):
        return heads.index(name) - 2

    shown = browser.value(table)
    same(len(shown), len(runs), "rows")
    for trace, platform, numbers in shown:
        r = next(r for r in runs if (r["trace"], r["platform"]) == (trace, platform))
        for name, expected in (("cycles", r["cycles"]), ("IPC", r["ipc"]), ("read hits %", 100 * r["read_hit_ratio"]),
                               ("bank reads", r["bank_reads"]), ("bank writes", r["bank_writes"]),
                               ("cache writes", r["cache_writes"]), ("energy \u00b5J", 1e-6 * r["energy_pj"]["total"]),
                               ("IPC vs first", r["ipc"] / first[trace]["ipc"]),
                               ("energy vs first", r["energy_pj"]["total"] / first[trace]["energy_pj"]["total"])):
            same(float(numbers[column(name)]), float(expected), f"{platform} on {trace}: {name}")

    def head(name):
        return f"document.querySelectorAll('#runs th')[{heads.index(name)}]"

    def order():
        return [(trace, platform) for trace, platform, _ in browser.value(table)]

    def sorted_by(key, descending):
        return [(r["trace"], r["platform"]) for r in sorted(runs, key=key, reverse=descending)]

    # Sorted by pointer: a first click puts the largest number first, a second one the smallest.
    browser.click(head("IPC") + ".firstElementChild")
    same(order(), sorted_by(lambda r: r["ipc"], True), "by IPC")
    same(browser.value(head("IPC") + ".getAttribute('aria-sort')"), "descending", "aria-sort")
    browser.click(head("IPC") + ".firstElementChild")
    same(order(), sorted_by(lambda r: r["ipc"], False), "by IPC, again")
    # Sorted by keyboard.
    for _ in range(300):
        browser.key("Tab")
        if browser.value(f"document.activeElement === {head('cycles')}.firstElementChild"):
            break
    else:
        fail("no way to the head of a column by Tab")
    browser.key("Enter")
    same(order(), sorted_by(lambda r: r["cycles"], True), "by cycles")
    same(browser.value(head("IPC") + ".getAttribute('aria-sort')"), None, "aria-sort of the column before")
    browser.click(head("platform") + ".firstElementChild")
    same([p for _, p in order()], sorted(r["platform"] for r in runs), "by platform")

    # The numbers of a figure, opened by keyboard.
    browser.value("document.querySelector('#hits .numbers summary').focus()")
    browser.key("Enter")
    same(browser.value("document.querySelector('#hits .numbers').open"), True, "numbers are open")
    browser.wait("document.getElementById('hits_numbers')")
    hits = browser.value("""[...document.querySelectorAll('#hits_numbers tbody tr')].map((row) =>
      [...row.cells].map((c) => c.dataset.value ?? c.textContent))""")
    platforms = browser.value("[...document.querySelectorAll('#hits_numbers th')].map((h) => h.textContent)")
    for row in hits[1:]:  # behind the mean
        for platform, value in list(zip(platforms, row))[1:]:
            found = [r["read_hit_ratio"] for r in runs if (r["trace"], r["platform"]) == (row[0], platform)]
            same(value != "", found != [], f"hits of {platform} on {row[0]} are there")
            if found and abs(float(value) - 100 * found[0]) > 1e-9:
                fail(f"hits of {platform} on {row[0]}: {value}; expected {100 * found[0]}")


def check_saving(browser, url):
    """Each figure's buttons save files of its name that say what the figure shows and open elsewhere."""
    most_at_once = 9  # Chromium saves some ten files of a page until the page is opened anew
    os.mkdir("saved")
    browser("Browser.setDownloadBehavior", behavior="allow", downloadPath=os.path.abspath("saved"))
    figures = browser.value("[...document.querySelectorAll('figure')].map((f) => f.id)")
    same(len(figures), 11, "figures on the page")
    same(browser.value("[...document.querySelectorAll('.tools')].map((t) => [...t.children].map((b) => b.textContent).join())"),
         ["SVG,PDF,CSV"] * 11, "buttons")
    for number, figure in enumerate(figures):
        if number % (most_at_once // 3) == 0:
            browser.open(url)
        here = f"document.getElementById('{figure}')"
        browser.value(f"for (let d = {here}; d = d.parentElement.closest('details'); ) {{ d.open = true; d.dataset.test = ''; }}")
        files = {ending: os.path.join("saved", f"{figure}.{ending}") for ending in ("svg", "pdf", "csv")}
        for place, file in enumerate(files.values()):
            browser.click(here + f".querySelector('.tools').children[{place}]")
            for _ in range(1000):
                if os.path.exists(file) and os.path.getsize(file):
                    break
                time.sleep(0.01)
            else:
                fail(f"{figure}: its button has saved {os.listdir('saved')}; expected {file}")
        words = [e.text for e in xml.etree.ElementTree.parse(files["svg"]).iter("{http://www.w3.org/2000/svg}text")]
        same(words, browser.value(f"[...{here}.querySelectorAll('.wide svg text')].map((t) => t.textContent)"),
             f"words in {files['svg']}")
        with open(files["svg"]) as svg:
            same("var(" in svg.read(), False, f"{files['svg']} has colours of the page")
        run("rsvg-convert", "--output=" + files["svg"] + ".png", files["svg"])
        require_drawing(files["svg"] + ".png")
        for ending in ("pdf", "csv"):
            with open(files[ending], "rb") as saved, open(os.path.join("figures", f"{figure}.{ending}"), "rb") as written:
                same(numbers_of(saved.read(), ending), numbers_of(written.read(), ending), f"{figure}.{ending}")
    browser.value("for (const d of document.querySelectorAll('[data-test]')) d.open = false;")


def numbers_of(content, ending):
    """The file as it is; of CSV its cells, for JavaScript and Python do not write all numbers alike."""
    if ending != "csv":
        return content

    def cell(text):
        try:
            return float(text)
        except ValueError:
            return text
    return [[cell(c) for c in row] for row in csv.reader(content.decode().splitlines())]


def colours(browser):
    return browser.value("[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color, "
                         "getComputedStyle(document.querySelector('.wide svg text')).fill]")


def check_themes(browser):
    browser.window(1400, 900, dark=False)
    light = colours(browser)
    browser.window(1400, 900, dark=True)
    dark = colours(browser)
    if any(a == b for a, b in zip(light, dark)):
        fail(f"light is {light}, dark {dark}; expected all to differ")
    button = "document.getElementById('theme')"
    same(browser.value(button + ".innerText"), "Light", "the theme's button")
    browser.click(button)
    same(colours(browser), light, "colours after the theme's button")
    same(browser.value(button + ".innerText"), "Dark", "the theme's button, used")
    browser.click(button)
    same(colours(browser), dark, "colours after the theme's button, again")
    browser.value("delete document.documentElement.dataset.theme")
    check_widths(browser, "report")


def check_widths(browser, name):
    """Nothing but tables is wider than its window, and letters of figures are no smaller than 8 pixels."""
    for width in (400, 700, 1400, 2000):
        for is_dark in (False, True):
            browser.window(width, 900, is_dark)
            wide = browser.value("document.documentElement.scrollWidth")
            if wide > width:
                fail(f"{name}: the page is {wide} pixels wide in a window of {width}")
            smallest = browser.value("""Math.min(...[...document.querySelectorAll('svg.chart')].filter((s) => s.getClientRects().length)
              .flatMap((s) => [...s.querySelectorAll('text')].map((t) =>
                parseFloat(getComputedStyle(t).fontSize) * s.getBoundingClientRect().width / s.viewBox.baseVal.width)))""")
            if not 8 <= smallest <= 20:
                fail(f"{name}: the smallest letters of figures are of {smallest} pixels in a window of {width}; expected 8 to 20")
            if pictures:
                browser.picture(os.path.join(pictures, f"{name}_{width}_{'dark' if is_dark else 'light'}.png"))


def require_silence(browser, url):
    """Nothing in the console, and nothing asked for but the page."""
    complaints = [e for e in browser.events if e.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded",
                                                                  "Runtime.consoleAPICalled")]
    same(complaints, [], "the browser's console")
    asked = [e["params"]["request"]["url"] for e in browser.events if e.get("method") == "Network.requestWillBeSent"]
    same({a for a in asked if not a.startswith(("data:", "blob:"))}, {url}, "what the browser asked for")
    browser.events.clear()


def many_runs(platforms, traces):
    """A file of runs of so many platforms and traces: those of one run, called otherwise, with other numbers."""
    with open("one/results.json") as file:
        first = json.load(file)[0]
    many = [{**first, "platform": f"platform_{p}", "system": f"platform_{p}", "trace": f"trace_{t}",
             "ipc": 1 + p / platforms + t / traces} for p in range(platforms) for t in range(traces)]
    with open(f"{platforms}x{traces}.json", "w") as file:
        json.dump(many, file)
    return file.name


def check_paper(browser, names):
    browser.pdf("page.pdf")
    text = run("pdftotext", "page.pdf", "-")
    for name in names:
        if name not in text:
            fail("on paper there is no figure of " + name)
    # Dark text on white paper, though the window is dark.
    browser("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    same(colours(browser)[1:], ["rgb(0, 0, 0)"] * 2, "colours of text on paper")
    browser("Emulation.setEmulatedMedia", media="")


runs = compare("one", ("baseline", "malekeh"), "hotspot", "bfs")
runs += [r for r in compare("two", ("baseline", "bow_wr"), "bfs") if r["platform"] == "bow_wr"]
run(subcore, "report", "one", "two", "-o", "report.html", "--figures", "figures")
check_figures()
url = "file://" + os.path.abspath("report.html")
browser = devtools.Browser()
try:
    browser.window(1400, 900, dark=False)
    browser.open(url)
    check_page(browser, runs)
    check_saving(browser, url)
    check_themes(browser)
    check_paper(browser, ("hotspot", "bfs"))
    require_silence(browser, url)
    for platforms, traces in ((8, 6), (24, 16)):
        name = f"{platforms}x{traces}"
        run(subcore, "report", many_runs(platforms, traces), "-o", name + ".html")
        url = "file://" + os.path.abspath(name + ".html")
        browser.open(url)
        check_widths(browser, name)
        require_silence(browser, url)
finally:
    browser.close()
