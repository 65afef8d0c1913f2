"""Looks at pages of a documentation archive in headless Chromium: .ci/pages runs it.

For each page, at 1300 and 400 pixels and in dark mode, it takes a screenshot and finds: code that is cut off, a page that is wider than the
window, pictures that are not loaded, errors in the console, and pages that are not there.
"""

import base64
import functools
import http.server
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

import websocket

ARCHIVE, SCREENSHOTS = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])

# Pages that there must be, whatever else there is.
PAGES = [
    "/",
    "/documentation/",
    "/documentation/countersign/",
    "/documentation/countersign/alandscapefromnothing/",
    "/documentation/countersign/keystoneintensteps/",
    "/documentation/countersign/thespeclanguage/",
    "/documentation/countersign/session/",
    "/tutorials/countersigntutorials/",
    "/tutorials/countersign/asignedinrequest/",
    "/tutorials/countersign/atourofthelanguage/",
    "/documentation/sapmobileservices/",
    "/documentation/sapmobileservices/samlobserver/",
    "/documentation/oauth/",
    "/documentation/oauth/authorizationcodeobserver/",
    "/documentation/keystone/keystonepasswordobserver/",
    "/documentation/countersigntesting/",
]
# Width, height, colour scheme.
VIEWS = [(1300, 900, "light"), (1300, 900, "dark"), (400, 800, "light")]
# How long a page may take to be shown.
LIMIT = 15

# What is wrong with the page as it is shown, as a list of texts.
LOOK = r"""
(() => {
    const problems = [], wide = document.documentElement.clientWidth >= 1000;
    const title = document.querySelector("h1");
    if (!title || !title.textContent.trim()) problems.push("no title");
    if (/can.t be found|not found/i.test(title ? title.textContent : "")) problems.push("the page is not there");
    for (const image of document.images) {
        const style = getComputedStyle(image);
        if (style.display === "none" || style.visibility === "hidden") continue;
        if (!image.complete || image.naturalWidth === 0) problems.push("not loaded: " + image.src);
        if (!image.alt && image.closest("main")) problems.push("no alternative text: " + image.src);
        const room = image.closest("main");
        if (room && image.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
            problems.push("a picture is cut off: " + image.src);
    }
    if (wide && !matchMedia("(prefers-color-scheme: dark)").matches) for (const code of document.querySelectorAll("main pre")) {
        if (code.clientWidth === 0) continue;
        for (let box = code; box && box.tagName !== "MAIN"; box = box.parentElement) {
            const style = getComputedStyle(box);
            if (style.overflowX !== "visible" && box.scrollWidth > box.clientWidth + 1) {
                const lines = code.innerText.split("\n");
                const longest = lines.reduce((a, b) => b.length > a.length ? b : a, "");
                problems.push("code is cut off (" + box.scrollWidth + " in " + box.clientWidth + " pixels, " + longest.length
                    + " columns): " + longest.trim());
                break;
            }
        }
    }
    const page = document.documentElement;
    if (page.scrollWidth > page.clientWidth + 1) {
        const outside = [...document.querySelectorAll("main *")].filter(e => e.getBoundingClientRect().right > page.clientWidth + 1);
        const first = outside.find(e => !outside.includes(e.parentElement));
        problems.push("the page is " + page.scrollWidth + " pixels wide"
            + (first ? ": <" + first.tagName.toLowerCase() + " class=\"" + first.className + "\"> " + first.textContent.trim().slice(0, 60) : ""));
    }
    return problems;
})()
"""

# Whether the page is shown, pictures included.
READY = r"""
(() => {
    const title = document.querySelector("#app h1");
    return document.readyState === "complete" && !!title && title.textContent.trim() !== ""
        && [...document.images].every(image => image.complete || image.loading === "lazy");
})()
"""


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


class Navigated(Exception):
    """A script's page was replaced by another one before it was done: a page that leads elsewhere, or one whose navigation was under way."""


class Chromium:
    """A headless browser, by the DevTools protocol."""

    def __init__(self):
        program = next(p for p in map(shutil.which, ["chromium", "chromium-browser", "google-chrome"]) if p)
        self.profile = tempfile.mkdtemp()
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--no-first-run", "--disable-background-networking", "--disable-component-update",
             "--remote-debugging-port=0", "--remote-allow-origins=*", f"--user-data-dir={self.profile}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port_file, end = pathlib.Path(self.profile) / "DevToolsActivePort", time.time() + 60
        while not (port_file.exists() and port_file.read_text().count("\n") >= 1):
            if time.time() > end or self.process.poll() is not None:
                sys.exit("Chromium does not start")
            time.sleep(0.05)
        port = port_file.read_text().split("\n")[0]
        pages = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json"))
        url = next(page["webSocketDebuggerUrl"] for page in pages if page["type"] == "page")
        self.socket = websocket.create_connection(url, timeout=60)
        self.number, self.errors = 0, []
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(domain + ".enable")

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == self.number:
                if "error" in message:
                    if "navigated" in message["error"]["message"]:
                        raise Navigated
                    sys.exit(f"{method}: {message['error']}")
                return message["result"]
            self.note(message)

    def note(self, message):
        kind, values = message.get("method"), message.get("params", {})
        if kind == "Runtime.exceptionThrown":
            details = values["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif kind == "Runtime.consoleAPICalled" and values["type"] in ("error", "assert"):
            self.errors.append(" ".join(str(a.get("value", a.get("description", ""))) for a in values["args"]))
        elif kind == "Log.entryAdded" and values["entry"]["level"] == "error":
            self.errors.append(f"{values['entry']['text']} {values['entry'].get('url', '')}")

    def evaluate(self, script, awaits=False):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=awaits)
        if "exceptionDetails" in result:
            sys.exit(f"a script of this check has failed: {result['exceptionDetails']}")
        return result["result"].get("value")

    def until(self, script, limit=LIMIT):
        end = time.time() + limit
        while time.time() < end:
            try:
                if self.evaluate(script):
                    return True
            except Navigated:
                pass
            time.sleep(0.05)
        return False

    def found(self, script, limit=5):
        """The problems that a script still finds after a while: a page takes another variant of a picture some time after its colours."""
        end = time.time() + limit
        while (problems := self.evaluate(script)) and time.time() < end:
            time.sleep(0.05)
        return problems

    def look(self, url, view, picture, loads=True):
        """The problems of a page, of which a screenshot is taken; without `loads`, of the page that is shown."""
        width, height, scheme = view
        self.errors.clear()
        self.size(width, height)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme},
                                                           {"name": "prefers-reduced-motion", "value": "reduce"}])
        if loads:
            self.call("Page.navigate", url="about:blank")
            self.call("Page.navigate", url=url)
        problems = [] if self.until(READY) else ["not shown within %d seconds" % LIMIT]
        # Pictures further down are loaded when they are scrolled to.
        self.evaluate("for (const image of document.images) image.loading = 'eager'")
        self.until("[...document.images].every(image => image.complete)", 5)
        problems += self.found(LOOK)
        if scheme == "dark":
            problems += self.found(DARK)
        # Of a long page the first part, which is less in dark mode. The steps of a tutorial are laid out by the height of the window, which stays.
        full = min(self.evaluate("document.documentElement.scrollHeight"), 1800 if scheme == "dark" else 4500)
        if "/tutorials/" in url:
            shot = self.call("Page.captureScreenshot", format="png", optimizeForSpeed=True, captureBeyondViewport=True,
                             clip={"x": 0, "y": 0, "width": width, "height": full, "scale": 1})
        else:
            self.size(width, full)
            self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))", awaits=True)
            shot = self.call("Page.captureScreenshot", format="png", optimizeForSpeed=True)
        picture.write_bytes(base64.b64decode(shot["data"]))
        return problems + [f"console: {error}" for error in dict.fromkeys(self.errors)]

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


# In dark mode the page is dark, and so is the variant of each picture that has one.
DARK = r"""
(() => {
    const problems = [];
    const colour = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
    const shown = colour.length > 3 && colour[3] === 0 ? getComputedStyle(document.documentElement).backgroundColor.match(/\d+/g).map(Number) : colour;
    if (shown[0] + shown[1] + shown[2] > 300) problems.push("the page is light in dark mode");
    // A table of contents of tutorials is dark in either mode, and takes the light variants.
    if (!document.querySelector(".tutorials-overview")) for (const image of document.images) {
        const dark = [...(image.closest("picture") || image).querySelectorAll("source")].some(s => s.srcset.includes("~dark"));
        if (dark && !image.currentSrc.includes("~dark")) problems.push("the light variant of a picture: " + image.currentSrc);
    }
    return problems;
})()
"""


def pages(everything=False):
    """The pages that there must be, and articles: all of the runtime's catalog but pages of messages, of which it is the first, and the first
    three of some landscapes; or every article of the archive."""
    found, counts = list(PAGES), {}
    for file in sorted(ARCHIVE.glob("data/documentation/*/*.json")):
        if json.loads(file.read_text()).get("metadata", {}).get("role") not in ("article", "collectionGroup"):
            continue
        module = file.parent.name
        group = "messages" if re.fullmatch(r"cs\d{4}.*", file.stem) else module
        counts[group] = counts.get(group, 0) + 1
        most = {"countersign": 1000, "messages": 1, "sapmobileservices": 3, "oauth": 3, "keystone": 3}.get(group, 0)
        if everything or counts[group] <= most:
            found.append("/" + str(file.relative_to(ARCHIVE / "data").with_suffix("")) + "/")
    return list(dict.fromkeys(found))


def main():
    shutil.rmtree(SCREENSHOTS, ignore_errors=True)
    SCREENSHOTS.mkdir(parents=True)
    handler = functools.partial(QuietHandler, directory=str(ARCHIVE))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    chosen = sys.argv[3:] or pages()
    if chosen == ["all"]:
        chosen = pages(everything=True)
    browser, failed = Chromium(), 0
    try:
        for page in chosen:
            name = page.strip("/").replace("/", ".") or "root"
            for view in VIEWS:
                width, _, scheme = view
                picture = SCREENSHOTS / f"{name}-{width}{'-dark' if scheme == 'dark' else ''}.png"
                for problem in browser.look(
                        f"http://127.0.0.1:{server.server_port}{page}", view, picture, loads=scheme == "light"):
                    failed += 1
                    print(f"{page} ({width}, {scheme}): {problem}", file=sys.stderr)
    finally:
        browser.close()
        server.shutdown()
    print(f"{len(chosen)} pages, {len(chosen) * len(VIEWS)} screenshots in {SCREENSHOTS}")
    if failed:
        sys.exit(f"{failed} problems")


main()
