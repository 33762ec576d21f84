#!/usr/bin/env bash
# Tests the Python bindings: makes a virtual environment, installs the package as a user does, and runs its tests, those against the Rust library included.
# Needs Python 3.9 or newer, Rust, a C compiler as linker, and the package index. `python/check.sh [FOLDER_OF_THE_ENVIRONMENT] [arguments of pytest]`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

environment="${1:-../target/python}"
shift || true
python3 -m venv "$environment"
# what was installed for Python is not installed for the whole system
# shellcheck disable=SC1091
. "$environment/bin/activate"

# both at once: the dependencies then have the same features and are built once
cargo build --release -p pliant-python -p same-bits
pip install --quiet --disable-pip-version-check ".[test]"

# `pytest`, not `python -m pytest`, which would import the folder here instead of what was installed
target="${CARGO_TARGET_DIR:-../target}"
PLIANT_SAME_BITS="$(cd "$target/release" && pwd)/same-bits" pytest "$@"
