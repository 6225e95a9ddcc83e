# shellcheck shell=bash
# Sourced by ./serve and ./check: makes .venv and installs the project into it, once for every change of pyproject.toml.

python_found() {
    local name
    for name in "${PYTHON:-python3}" python3.13 python3.12 python3.11 python3.14; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$name"
            return
        fi
    done
    echo "Companion needs Python 3.11 or newer: install it (Debian, Raspberry Pi OS: apt install python3 python3-venv)." >&2
    return 1
}

ensure_venv() { # the part of the project to install: "." or ".[dev]"
    local python stamp wanted
    stamp=".venv/installed-$1"
    wanted=$(cat pyproject.toml .ci/venv.sh | cksum)
    if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then
        return
    fi
    python=$(python_found) || exit 2
    echo "Setting up .venv (only the first time, and after an update) …" >&2
    # A first time that was broken off leaves a Python without pip.
    if ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
        rm -rf .venv
        if ! "$python" -m venv .venv >&2; then
            rm -rf .venv
            echo "Could not make .venv: on Debian and Raspberry Pi OS run  apt install python3-venv  and try again." >&2
            exit 2
        fi
    fi
    if ! .venv/bin/python -m pip install --quiet --disable-pip-version-check --editable "$1" >&2; then
        echo "Could not install what Companion needs: is there a network? Try again when there is." >&2
        exit 2
    fi
    echo "$wanted" >"$stamp"
}
