# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A browser that a test drives: Debian's chromedriver, by the HTTP protocol of WebDriver (W3C)."""
import json
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from base64 import b64decode

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the member that names an element, by the protocol
KEYS = {"Enter": "\ue007", "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015",
        "Home": "\ue011", "End": "\ue010", "Tab": "\ue004"}


class BrowserError(Exception):
    pass


class Browser:
    """One headless window; used in a `with` statement."""

    def __init__(self, width=1400, height=1000):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.profile = tempfile.mkdtemp(prefix="page-test-")
        self.driver = subprocess.Popen(["chromedriver", f"--port={port}", "--log-level=SEVERE"], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
        self.root = f"http://127.0.0.1:{port}"
        self.session = None
        try:
            self._wait_for_driver()
            options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                                f"--user-data-dir={self.profile}", f"--window-size={width},{height}"]}
            capabilities = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
            answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
            self.session = "/session/" + answer["sessionId"]
            self.call("POST", self.session + "/timeouts", {"script": 300000, "pageLoad": 60000})
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.session:
            try:
                self.call("DELETE", self.session)
            except (BrowserError, OSError):
                pass
            self.session = None
        self.driver.terminate()
        self.driver.wait(timeout=20)
        shutil.rmtree(self.profile, ignore_errors=True)

    def _wait_for_driver(self):
        for _ in range(200):
            try:
                if self.call("GET", "/status")["ready"]:
                    return
            except OSError:
                pass
            time.sleep(0.1)
        raise BrowserError("chromedriver did not start within 20 s")

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.root + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=310) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise BrowserError(f"{value['error']}: {value['message'].splitlines()[0]}") from None

    def open(self, url):
        self.call("POST", self.session + "/url", {"url": url})

    def run(self, script, *arguments):
        """Runs the body of a function, which may `return`."""
        return self.call("POST", self.session + "/execute/sync", {"script": script, "args": list(arguments)})

    def wait_for(self, script, *arguments, seconds=20):
        """Runs a script until it returns a true value, and returns that."""
        end = time.monotonic() + seconds
        while True:
            value = self.run(script, *arguments)
            if value:
                return value
            if time.monotonic() > end:
                raise BrowserError(f"not within {seconds} s: {script} {arguments or ''}")
            time.sleep(0.02)

    def find(self, css):
        return self.call("POST", self.session + "/element", {"using": "css selector", "value": css})[ELEMENT]

    def type(self, css, text):
        self.call("POST", f"{self.session}/element/{self.find(css)}/value", {"text": text})

    def clear(self, css):
        self.run("const field = document.querySelector(arguments[0]); field.value = ''; "
                 "field.dispatchEvent(new Event('input', {bubbles: true}))", css)

    def click(self, css):
        self.call("POST", f"{self.session}/element/{self.find(css)}/click", {})

    def press(self, *keys):
        """Presses keys at the element that has the focus."""
        actions = []
        for key in keys:
            actions += [{"type": "keyDown", "value": KEYS.get(key, key)}, {"type": "keyUp", "value": KEYS.get(key, key)}]
        self.call("POST", self.session + "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def drag(self, css, x=0, button=True):
        """Moves the pointer to an element and, with `button` held, `x` pixels to the right."""
        origin = {ELEMENT: self.find(css)}
        actions = [{"type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": origin}]
        if button:
            actions.append({"type": "pointerDown", "button": 0})
            actions.append({"type": "pointerMove", "duration": 100, "x": x, "y": 0, "origin": "pointer"})
            actions.append({"type": "pause", "duration": 300})
            actions.append({"type": "pointerUp", "button": 0})
        source = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}
        self.call("POST", self.session + "/actions", {"actions": [source]})

    def devtools(self, command, **parameters):
        return self.call("POST", self.session + "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def messages(self):
        """Returns what the console says since the last call, from warnings up."""
        log = self.call("POST", self.session + "/se/log", {"type": "browser"})
        return [entry["message"] for entry in log if entry["level"] in ("SEVERE", "WARNING")]

    def screenshot(self, file):
        pathlib.Path(file).write_bytes(b64decode(self.call("GET", self.session + "/screenshot")))
