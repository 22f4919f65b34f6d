"""The manual's site in Chromium, on small and large windows, light and dark. Only tables and code scroll sideways, every text
can be read, and nothing is fetched from elsewhere. The script beside this file runs it."""
import pathlib
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import devtools  # beside this file

project = pathlib.Path(sys.argv[1]).resolve()
pictures = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
work = tempfile.TemporaryDirectory()
site = pathlib.Path(work.name) / "site"
failures = []

# Texts whose contrast with their background (WCAG 2) is below 4.5.
faint = """(() => {
  const number = (c) => c.match(/[\\d.]+/g).map(Number);
  const light = (c) => { const [r, g, b] = c.map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = (e) => { for (; e; e = e.parentElement) { const c = number(getComputedStyle(e).backgroundColor);
    if (c.length === 3 || c[3] === 1) return c; } return [255, 255, 255]; };
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const e = texts.currentNode.parentElement;
    if (!texts.currentNode.textContent.trim() || !e.getClientRects().length || e.closest('script')) continue;
    const a = light(number(getComputedStyle(e).color)), b = light(behind(e));
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) found.push(e.tagName + ' "' + texts.currentNode.textContent.trim().slice(0, 40) + '" ' + contrast.toFixed(2));
  }
  return found;
})()"""


def check(browser, page, width, dark):
    where = f"{page.name} at {width} pixels, {'dark' if dark else 'light'}"
    browser.window(width, 900, dark)
    browser.events.clear()
    browser.open(page.as_uri())
    if browser.value("document.documentElement.scrollWidth") > width:
        wide = browser.value(f"""[...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > {width} + 1 &&
          !e.closest('.wide, pre')).slice(0, 3).map((e) => e.tagName + ' ' + e.textContent.slice(0, 40))""")
        failures.append(f"{where}: scrolls sideways: {wide}")
    for text in browser.value(faint):
        failures.append(f"{where}: {text}; expected a contrast of 4.5")
    if page.name == "index.html":  # letters are drawn for the width that a picture has by itself
        for picture in browser.value("""[...document.querySelectorAll('main img')].filter((i) => i.clientWidth < 0.9 * i.naturalWidth)
          .map((i) => i.src.split('/').pop() + ' is ' + i.naturalWidth + ' pixels wide and shown at ' + i.clientWidth)"""):
            failures.append(f"{where}: {picture}")
    for e in browser.events:
        url = e.get("params", {}).get("request", {}).get("url", "file:")
        if not url.startswith(("file:", "data:")):
            failures.append(f"{where}: fetches {url}")
    if pictures:
        browser.picture(pictures / f"{page.stem}_{width}_{'dark' if dark else 'light'}.png")


def check_search(browser, words, expected):
    """Typing `words` into a page that is a file finds the page that is expected."""
    browser.window(1000, 900, False)
    browser.open((site / "tour.html").as_uri())
    browser.value("document.getElementById('mkdocs-search-query').focus()")
    browser.value(f"""document.getElementById('mkdocs-search-query').value = '{words}'""")
    until, links = time.monotonic() + 30, []
    while not links and time.monotonic() < until:
        links = browser.value("[...document.querySelectorAll('#mkdocs-search-results a')].map((a) => a.href)")
        time.sleep(0.1)
    there = [link.split("/")[-1] for link in links]
    if not any(link.startswith(expected) for link in there[:3]):
        failures.append(f"search for {words}: {there[:5]}; expected {expected} among the first three")
    if any(not (site / link.split("#")[0]).exists() for link in there):
        failures.append(f"search for {words}: {there}; expected pages that are there")


subprocess.run([project / "scripts/manual", site], check=True, stdout=subprocess.DEVNULL)
if pictures:
    pictures.mkdir(parents=True, exist_ok=True)
pages = sorted(site.glob("*.html"))
browser = devtools.Browser()
try:
    for page in pages:
        for width in (400, 900, 1600):
            for dark in (False, True):
                check(browser, page, width, dark)
    for words, expected in (("sthld", "glossary.html"), ("heat map", "python.html"), ("near cach", "limit.html")):
        check_search(browser, words, expected)
finally:
    browser.close()
for f in failures:
    print("viewers/manual:", f, file=sys.stderr)
print(f"{len(pages)} pages at three widths, light and dark")
sys.exit(1 if failures or len(pages) < 20 else 0)
