//! Whether a window may be possible.

/// As text, from the environment.
pub fn display_state() -> String {
    if cfg!(not(feature = "viewer")) {
        return "built without the viewer".into();
    }
    if cfg!(any(target_os = "windows", target_os = "macos")) {
        return "the system's own display".into();
    }
    let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    match (
        set("WAYLAND_DISPLAY") || set("WAYLAND_SOCKET"),
        set("DISPLAY"),
    ) {
        (true, _) => "a Wayland display is set".into(),
        (false, true) => "an X11 display is set".into(),
        (false, false) => "no display is set: `pliant` writes the comparison report instead".into(),
    }
}
