//! A real browser, driven over its DevTools protocol: JSON messages that end in a zero byte, on pipes 3 and 4.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// The browser answers in milliseconds; on a busy machine starting it takes seconds.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page open.
pub struct Browser {
    child: Child,
    commands: ChildStdin,
    messages: Receiver<Value>,
    events: Vec<Value>,
    session: Option<String>,
    last_id: u64,
    _profile: TempDir,
}

/// How a page is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Pixels across.
    pub width: u32,
    /// The theme.
    pub is_dark: bool,
    /// `screen` or `print`.
    pub medium: &'static str,
}

impl Browser {
    /// Starts Chromium. Without it the test fails and says what to install: a page that no browser opened is not checked.
    pub fn start() -> Self {
        assert!(
            Command::new("chromium").arg("--version").output().is_ok_and(|output| output.status.success()),
            "Chromium is missing. Install it with: sudo apt-get install chromium"
        );
        let profile = TempDir::new().unwrap();
        // The shell only puts our two pipes where the browser looks for them. No sandbox: it opens nothing but our pages.
        let mut child = Command::new("sh")
            .args(["-c", "exec chromium \"$@\" 3<&0 4>&1 >/dev/null 2>&1", "sh"])
            .args([
                "--headless=new",
                "--remote-debugging-pipe",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
            ])
            .args(["--disable-dev-shm-usage", "--hide-scrollbars", "--disable-background-networking"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let commands = child.stdin.take().unwrap();
        let mut answers = BufReader::new(child.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut message = Vec::new();
            while answers.read_until(0, &mut message).is_ok_and(|bytes| bytes > 0) {
                message.pop();
                let Ok(value) = serde_json::from_slice(&message) else { break };
                if sender.send(value).is_err() {
                    break;
                }
                message.clear();
            }
        });
        let events = Vec::new();
        let mut browser =
            Self { child, commands, messages, events, session: None, last_id: 0, _profile: profile };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let session = browser.call("Target.attachToTarget", attach);
        browser.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Asks something and waits for its answer; events that come before it are kept.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.last_id += 1;
        let mut message = json!({"id": self.last_id, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.commands.write_all(format!("{message}\0").as_bytes()).unwrap();
        let end = Instant::now() + PATIENCE;
        loop {
            let message = self.next(end, method);
            if message["id"] == json!(self.last_id) {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
        }
    }

    fn next(&mut self, end: Instant, wanted: &str) -> Value {
        let message = self.messages.recv_timeout(end.saturating_duration_since(Instant::now()));
        let message = message.unwrap_or_else(|why| panic!("the browser did not answer {wanted}: {why}"));
        if !message["method"].is_null() {
            self.events.push(message.clone());
        }
        message
    }

    /// Opens a file and waits until it is there. Returns what went wrong on the way, as the console would say it, and
    /// everything that was fetched beside the file itself.
    pub fn open(&mut self, file: &Path, look: Look) -> Vec<String> {
        let scheme = if look.is_dark { "dark" } else { "light" };
        self.call(
            "Emulation.setDeviceMetricsOverride",
            json!({"width": look.width, "height": 900, "deviceScaleFactor": 1, "mobile": false}),
        );
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.call("Emulation.setEmulatedMedia", json!({"media": look.medium, "features": features}));
        self.events.clear();
        let url = format!("file://{}", file.display());
        self.call("Page.navigate", json!({"url": url}));
        let end = Instant::now() + PATIENCE;
        while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            self.next(end, "Page.loadEventFired");
        }
        // One more round, so that what the page complains about at its end has arrived.
        self.evaluate("document.readyState");
        self.events.iter().filter_map(|event| complaint(event, &url)).collect()
    }

    /// The value of an expression of JavaScript in the page.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let answer = self.call("Runtime.evaluate", json!({"expression": expression, "returnByValue": true}));
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// Writes a picture of the whole page.
    pub fn screenshot(&mut self, file: &Path) {
        let height = self.evaluate("Math.min(document.documentElement.scrollHeight, 9000)");
        let width = self.evaluate("innerWidth");
        let clip = json!({"x": 0, "y": 0, "width": width, "height": height, "scale": 1});
        let answer =
            self.call("Page.captureScreenshot", json!({"clip": clip, "captureBeyondViewport": true}));
        fs::write(file, base64(answer["data"].as_str().unwrap())).unwrap();
    }

    /// The page on paper, as a PDF file.
    pub fn print(&mut self, file: &Path) {
        let answer = self.call("Page.printToPDF", json!({"printBackground": false}));
        fs::write(file, base64(answer["data"].as_str().unwrap())).unwrap();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It ends when asked; what has ended already needs no killing.
        let _ = self.commands.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        let end = Instant::now() + Duration::from_secs(5);
        while Instant::now() < end {
            if self.child.try_wait().is_ok_and(|status| status.is_some()) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What an event says went wrong: anything in the console, an exception, a request beside the page's own.
fn complaint(event: &Value, url: &str) -> Option<String> {
    let params = &event["params"];
    match event["method"].as_str()? {
        "Runtime.consoleAPICalled" | "Runtime.exceptionThrown" => Some(params.to_string()),
        "Log.entryAdded" => Some(params["entry"]["text"].to_string()),
        "Network.requestWillBeSent" if params["request"]["url"] != url => {
            Some(format!("it fetches {}", params["request"]["url"]))
        }
        _ => None,
    }
}

/// The bytes of a text in base 64.
fn base64(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for letter in text.bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => break,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    bytes
}

#[test]
fn base_64_is_read() {
    assert_eq!(base64("aGVsbG8="), b"hello");
    assert_eq!(base64("/+8="), [0xff, 0xef]);
}
