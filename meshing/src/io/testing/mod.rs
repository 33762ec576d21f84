//! Tests across all formats.

#[cfg(test)]
mod damaged_files;
#[cfg(test)]
mod formats;
