//! Memory of this process.

use serde_json::Value;

/// Largest resident memory of this process so far, MB (10^6 bytes); `null` where the system does not report it.
pub fn peak_megabytes() -> Value {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|rest| {
            rest.trim()
                .trim_end_matches("kB")
                .trim()
                .parse::<f64>()
                .ok()
        })
        .map_or(Value::Null, |kb| Value::from(kb * 1024.0 / 1e6))
}
