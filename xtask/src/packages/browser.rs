//! Checks that the page loads and draws, in a headless browser.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::step::{Outcome, fresh_folder};
use crate::tools::find;

/// Browsers with the same options.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
/// Options for a browser without window and graphics card.
const OPTIONS: [&str; 7] = [
    "--headless=new",
    "--no-sandbox",
    "--no-first-run",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--window-size=1280,800",
];
/// Largest time for the page to load and to draw its first frames in software.
const TIMEOUT: Duration = Duration::from_secs(600);

/// Opens the page in `folder` and waits until it reports that it runs. Left out, with a message, if there is no browser.
pub fn check(folder: &Path) -> Outcome {
    let title = "page in a browser";
    let Some(browser) = BROWSERS.into_iter().find_map(find) else {
        println!("\n== left out: {title} (no `chromium` on the search path)");
        return Ok(());
    };
    println!("\n== {title}: {}", browser.display());
    let start = Instant::now();
    match page_state(&browser, folder)?.as_str() {
        "running" => {
            println!("== {title}: passed in {} s", start.elapsed().as_secs());
            Ok(())
        }
        state => Err(format!("{title}: {state}")),
    }
}

/// The state that the page reports.
fn page_state(browser: &Path, folder: &Path) -> Result<String, String> {
    let failed = |e: std::io::Error| format!("no server for the page: {e}");
    let listener = TcpListener::bind("127.0.0.1:0").map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let pages = folder.to_path_buf();
    let (sender, states) = std::sync::mpsc::channel();
    // the thread waits for requests until the program ends
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (pages, sender) = (pages.clone(), sender.clone());
            thread::spawn(move || {
                if let Some(state) = serve(stream, &pages) {
                    // without a receiver the state is no longer needed
                    let _ = sender.send(state);
                }
            });
        }
    });
    let profile = fresh_folder("browser")?;
    let mut running = Command::new(browser)
        .args(OPTIONS)
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("http://{address}/?report"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| format!("{} cannot be started: {e}", browser.display()))?;
    let state = states
        .recv_timeout(TIMEOUT)
        .map_err(|_| format!("nothing was drawn within {} s", TIMEOUT.as_secs()));
    // the browser may have ended already
    let _ = running.kill();
    let _ = running.wait();
    state
}

/// Answers one request with a file of the page. Returns the content of a request to `/state`.
fn serve(stream: TcpStream, pages: &Path) -> Option<String> {
    let mut reader = BufReader::new(stream);
    let mut request = String::new();
    reader.read_line(&mut request).ok()?;
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        if line.trim().is_empty() {
            break;
        }
        let lower = line.to_ascii_lowercase();
        if let Some(value) = lower.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let target = request.split_whitespace().nth(1)?;
    let name = target.split('?').next()?.trim_start_matches('/');
    let (body, state) = match name {
        "state" => {
            let mut state = String::new();
            reader
                .by_ref()
                .take(length)
                .read_to_string(&mut state)
                .ok()?;
            (Some(Vec::new()), Some(state))
        }
        _ => (std::fs::read(pages.join(file(name)?)).ok(), None),
    };
    let stream = reader.get_mut();
    let answer = match body {
        Some(body) => stream
            .write_all(head(name, body.len()).as_bytes())
            .and_then(|()| stream.write_all(&body)),
        None => stream
            .write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
    };
    answer.ok().and(state)
}

/// The file of a request; `None` outside of the folder of the page.
fn file(name: &str) -> Option<PathBuf> {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    match name {
        "" => Some("index.html".into()),
        _ if name.chars().all(is_allowed) && !name.starts_with('.') => Some(name.into()),
        _ => None,
    }
}

fn head(name: &str, length: usize) -> String {
    let kind = match name.rsplit('.').next() {
        Some("js") => "text/javascript",
        Some("wasm") => "application/wasm",
        _ => "text/html",
    };
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answer to a request, and the reported state.
    fn send_request(request: &str) -> (String, Option<String>) {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("index.html"), "a page").expect("written");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("bound");
        let mut client = TcpStream::connect(address).expect("listening");
        client.write_all(request.as_bytes()).expect("sent");
        let (stream, _) = listener.accept().expect("asked");
        let state = serve(stream, folder.path());
        let mut answer = String::new();
        client.read_to_string(&mut answer).expect("text");
        (answer, state)
    }

    #[test]
    fn the_page_is_served_and_its_state_is_received() {
        let (answer, state) = send_request("GET /?report HTTP/1.1\r\nHost: a\r\n\r\n");
        assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("a page"));
        assert_eq!(state, None);
        let (answer, state) =
            send_request("POST /state HTTP/1.1\r\nContent-Length: 7\r\n\r\nstopped");
        assert!(answer.starts_with("HTTP/1.1 200"));
        assert_eq!(state.as_deref(), Some("stopped"));
    }

    #[test]
    fn files_outside_of_the_page_are_not_served() {
        for target in ["/../Cargo.toml", "/..", "/a/b", "/.git", "/absent.js"] {
            let (answer, _) = send_request(&format!("GET {target} HTTP/1.1\r\n\r\n"));
            assert!(
                answer.starts_with("HTTP/1.1 404") || answer.is_empty(),
                "{target}: {answer}"
            );
        }
    }
}
