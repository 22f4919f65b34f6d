"""Chromium without a window, over its two debugging pipes, with the part of the DevTools protocol that tests need."""
import base64
import json
import os
import select
import subprocess
import sys
import tempfile
import time


def fail(*words):
    """Ends the test, whose name stands before the words."""
    print(f"viewers/{os.path.splitext(os.path.basename(sys.argv[0]))[0]}:", *words, file=sys.stderr)
    sys.exit(1)


def same(found, expected, what):
    if found != expected:
        fail(f"{what}: {found}; expected {expected}")


class Browser:
    def __init__(self):
        self.profile = tempfile.TemporaryDirectory()
        to_browser, self.out = os.pipe()
        self.into, from_browser = os.pipe()
        arguments = ["chromium", "--headless", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu",
                     "--disable-dev-shm-usage", "--user-data-dir=" + self.profile.name]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")
        # The browser reads from 3 and writes to 4.
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec 3<&{to_browser} 4>&{from_browser}; exec "$@"', "bash"] + arguments,
            pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.rest, self.last, self.session, self.events = b"", 0, None, []
        target = self("Target.createTarget", url="about:blank")["targetId"]
        self.session = self("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self(domain + ".enable")

    def close(self):
        try:
            self.session = None
            self("Browser.close")
            self.process.wait(20)
        except Exception:
            self.process.kill()
            self.process.wait()
        self.profile.cleanup()

    def message(self, until):
        while b"\0" not in self.rest:
            if not select.select([self.into], [], [], max(0, until - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            more = os.read(self.into, 1 << 20)
            if not more:
                raise EOFError("the browser is gone")
            self.rest += more
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def __call__(self, method, **parameters):
        self.last += 1
        request = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        data = json.dumps(request).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        until = time.monotonic() + 60
        while True:
            answer = self.message(until)
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, url):
        loads = lambda: sum(e.get("method") == "Page.loadEventFired" for e in self.events)
        before = loads()
        self("Page.navigate", url=url)
        until = time.monotonic() + 60
        while loads() == before:
            self.events.append(self.message(until))

    def value(self, expression):
        answer = self("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(expression + ": " + json.dumps(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def wait(self, expression):
        """Until the expression is something."""
        for _ in range(1000):
            if self.value(f"Boolean({expression})"):
                return
            time.sleep(0.01)
        raise TimeoutError(expression)

    def window(self, width, height, dark):
        self("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self("Emulation.setEmulatedMedia",
             features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def click(self, element):
        """`element` is an expression; the pointer goes where it is seen."""
        x, y = self.value(f"(() => {{ const e = {element}; e.scrollIntoView({{block: 'center', inline: 'center'}});"
                          " const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            self("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def drag(self, x1, x2, y):
        for kind, x in (("mousePressed", x1), ("mouseMoved", x2), ("mouseReleased", x2)):
            self("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def key(self, key):
        code = {"Tab": 9, "Enter": 13}[key]
        text = {"text": "\r"} if key == "Enter" else {}
        self("Input.dispatchKeyEvent", type="keyDown", key=key, code=key, windowsVirtualKeyCode=code, **text)
        self("Input.dispatchKeyEvent", type="keyUp", key=key, code=key, windowsVirtualKeyCode=code)

    def picture(self, file):
        height = self.value("document.documentElement.scrollHeight")
        width = self.value("innerWidth")
        data = self("Page.captureScreenshot", captureBeyondViewport=True,
                    clip={"x": 0, "y": 0, "width": width, "height": height, "scale": 1})["data"]
        with open(file, "wb") as out:
            out.write(base64.b64decode(data))

    def pdf(self, file):
        with open(file, "wb") as out:
            out.write(base64.b64decode(self("Page.printToPDF", printBackground=False)["data"]))
