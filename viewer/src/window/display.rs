//! Whether a window can be opened, decided from the environment and the errors of the window library.
//!
//! Pure functions: every case is tested without a display.

/// Whether the environment names the display server: X11 or Wayland. Other systems always have a display, or report an error.
pub const IS_NAMED: bool = !cfg!(any(
    target_os = "windows",
    target_os = "macos",
    target_os = "ios",
    target_os = "android"
));

/// The display that the environment names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Environment {
    /// `DISPLAY`.
    pub x11: Option<String>,
    /// `WAYLAND_DISPLAY` or `WAYLAND_SOCKET`.
    pub wayland: Option<String>,
}

impl Environment {
    /// That of this process.
    pub fn present() -> Self {
        let read = |name: &str| std::env::var_os(name).map(|v| v.to_string_lossy().into_owned());
        Self {
            x11: read("DISPLAY"),
            wayland: read("WAYLAND_DISPLAY").or_else(|| read("WAYLAND_SOCKET")),
        }
    }

    /// Why a window cannot be opened; `None` if it may be possible. `is_named` as [`IS_NAMED`].
    pub fn obstacle(&self, is_named: bool) -> Option<String> {
        let set = |value: &Option<String>| value.as_ref().is_some_and(|v| !v.trim().is_empty());
        let found = !is_named || set(&self.x11) || set(&self.wayland);
        (!found).then(|| "no display is set (neither DISPLAY nor WAYLAND_DISPLAY)".to_string())
    }
}

/// A line for the user about an error or a panic of the window library before the first frame.
pub fn reason(error: &str, environment: &Environment) -> String {
    let lower = error.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|w| lower.contains(w));
    let display = environment
        .wayland
        .as_deref()
        .filter(|v| !v.is_empty())
        .or(environment.x11.as_deref())
        .unwrap_or("the system's display");
    let plain = first_line(error);
    if has(&[
        "libxkbcommon",
        "xkbcommon-x11",
        "libx11",
        "libxcursor",
        "libxi.so",
        "libwayland",
        "cannot open shared object",
    ]) {
        return format!("a library for windows is missing ({plain})");
    }
    if has(&[
        "graphics driver refused",
        "opengl",
        "egl",
        "glx",
        "no available configs",
        "notsupported",
        "glutin",
        "gl context",
    ]) {
        return format!("no OpenGL 3.3 ({plain})");
    }
    if has(&[
        "xopendisplay",
        "connection",
        "connect",
        "nocompositor",
        "display",
        "x11",
        "wayland",
        "event loop",
        "os error",
    ]) {
        return format!("the display `{display}` cannot be opened ({plain})");
    }
    format!("the window could not be opened ({plain})")
}

/// The first non-empty line, without positions in source files, and shortened to 120 characters.
fn first_line(text: &str) -> String {
    let line = text
        .lines()
        .map(str::trim)
        .find(|l| !l.is_empty())
        .unwrap_or("no reason given");
    let mut words: Vec<&str> = Vec::new();
    for word in line.split_whitespace() {
        if word.contains(".rs:") {
            if words.last() == Some(&"at") {
                words.pop();
            }
        } else {
            words.push(word);
        }
    }
    let line = words.join(" ");
    let line = line.trim_end_matches(['.', ':']);
    if line.chars().count() <= 120 {
        return line.to_string();
    }
    line.chars().take(119).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(x11: Option<&str>, wayland: Option<&str>) -> Environment {
        Environment {
            x11: x11.map(str::to_string),
            wayland: wayland.map(str::to_string),
        }
    }

    #[test]
    fn without_a_display_no_window_is_tried() {
        for (x11, wayland) in [(None, None), (Some(""), None), (Some("  "), Some(""))] {
            let said = environment(x11, wayland)
                .obstacle(true)
                .expect("an obstacle");
            assert!(said.contains("no display is set") && !said.contains('\n'));
        }
    }

    #[test]
    fn a_named_display_and_other_systems_are_tried() {
        for (x11, wayland, is_named) in [
            (Some(":0"), None, true),
            (None, Some("wayland-0"), true),
            (None, None, false),
        ] {
            assert_eq!(environment(x11, wayland).obstacle(is_named), None);
        }
    }

    #[test]
    fn each_failure_has_its_own_line() {
        let here = environment(Some(":77"), None);
        for (said, expected) in [
            (
                "winit EventLoopError: os error at x11: XOpenDisplay failed",
                "the display `:77` cannot be opened",
            ),
            (
                "Library libxkbcommon-x11.so could not be loaded.",
                "a library for windows is missing",
            ),
            (
                "libXcursor.so.1: cannot open shared object file: No such file",
                "a library for windows is missing",
            ),
            (
                "Found no glutin configs matching the template",
                "no OpenGL 3.3",
            ),
            (
                "the graphics driver refused the shader of skins: 0:1(10): error",
                "no OpenGL 3.3",
            ),
            (
                "provided display handle is not supported",
                "the display `:77` cannot be opened",
            ),
            ("index out of bounds", "the window could not be opened"),
            ("", "no reason given"),
        ] {
            let line = reason(said, &here);
            assert!(line.contains(expected), "{said} gave {line}");
        }
    }

    #[test]
    fn places_in_source_files_are_left_out() {
        let said = "winit EventLoopError: os error at /somewhere/src/platform_impl/linux/mod.rs:765: neither is set.";
        let line = reason(said, &environment(Some(":77"), None));
        assert!(
            line.contains("(winit EventLoopError: os error neither is set)"),
            "{line}"
        );
    }

    #[test]
    fn a_reason_is_one_short_line() {
        let long = format!("\n  {}\nsecond line", "word ".repeat(100));
        let line = reason(&long, &Environment::default());
        assert!(!line.contains('\n') && line.chars().count() < 170, "{line}");
    }
}
