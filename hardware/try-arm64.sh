#!/usr/bin/env bash
# Tries the whole program on an emulated 64-bit ARM Debian, as on a Pi: the installer installs the wheel with the
# system's Python 3.11, the libraries are imported in one process, a picture of every game is read with the right
# answer, and one page is served. Needs root; every instruction is emulated, so that it takes its time.
set -euo pipefail
# shellcheck source=hardware/try-common.sh
. "$(dirname "${BASH_SOURCE[0]}")/try-common.sh"

prepare() {
    local stale
    need debootstrap:debootstrap qemu-aarch64-static:qemu-user-static setpriv:util-linux pkill:procps
    [ "$(uname -m)" != aarch64 ] || return 0
    mountpoint -q /proc/sys/fs/binfmt_misc || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
    for stale in /proc/sys/fs/binfmt_misc/companion-*; do # of a try that was killed
        if [ -e "$stale" ] && [ ! -d "/proc/${stale##*-}" ]; then echo -1 >"$stale"; fi
    done
    step "Letting the kernel run ARM programs through QEMU, for the time of this try"
    # F: the interpreter is opened now, so that it is also found inside the other file system.
    printf '%s' ":${interpreter##*/}:M::"'\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:'"$(command -v qemu-aarch64-static):F" \
        >/proc/sys/fs/binfmt_misc/register
}

world "$@"
make_root bookworm arm64
inside uname -m | grep -qx aarch64 || fail "this is no aarch64"

step "Building the wheel"
python=$source_dir/.venv/bin/python
[ -x "$python" ] || python=python3
"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$try_dir/wheel" "$source_dir"
mkdir -p "$root/srv/companion/hardware" "$root/srv/images"
cp "$source_dir"/hardware/install.sh "$source_dir"/hardware/companion.* "$root/srv/companion/hardware"
cp "$try_dir"/wheel/companion-*.whl "$root/srv/"
printf '#!/bin/sh\nexit 0\n' >"$root/usr/local/sbin/systemctl"
chmod +x "$root/usr/local/sbin/systemctl"

step "Choosing pictures of every game that the tests read"
python3 - "$source_dir/tests" "$root/srv/images" <<'PYTHON'
import ast, shutil, sys
from pathlib import Path

tests, images = map(Path, sys.argv[1:])
source = ast.parse((tests / "vision/test_fixtures.py").read_text(encoding="utf-8"))
(not_yet,) = [
    ast.literal_eval(node.value) for node in source.body if isinstance(node, ast.Assign) and node.targets[0].id == "NOT_YET"
]
for game in ("clever", "regenwormen", "dicy_cards", "geizen", "keer_op_keer_2"):
    read = [
        picture
        for picture in sorted((tests / "fixtures/images" / game).glob("*.jpg"))
        if f"{game}/{picture.stem}" not in not_yet and "no roll" not in picture.with_suffix(".txt").read_text()
    ]
    if not read:
        sys.exit(f"FAILED: there is no picture of {game}")
    (images / game).mkdir()
    for picture in read[:2]:
        shutil.copy(picture, images / game)
        shutil.copy(picture.with_suffix(".txt"), images / game)
    print(f"{game}: {', '.join(picture.name for picture in read[:2])}")
PYTHON

step "Installing it as on a Pi"
borrowed+=(PIP_NO_COMPILE=1) # what is imported is compiled then
inside /srv/companion/hardware/install.sh --yes --wheel "/srv/$(cd "$try_dir/wheel" && ls companion-*.whl)"
inside /opt/companion/current/bin/python -c 'import sys; assert sys.version_info[:2] == (3, 11), sys.version'

step "All libraries in one process, pictures of every game, one page"
inside /opt/companion/current/bin/python - /srv/images <<'PYTHON'
import json, platform, subprocess, sys, time, urllib.request
from pathlib import Path

import numpy, cv2, onnxruntime, simplejpeg

print(f"ok: numpy {numpy.__version__}, cv2 {cv2.__version__}, onnxruntime {onnxruntime.__version__},"
      f" simplejpeg {simplejpeg.__version__} on {platform.machine()}, Python {platform.python_version()}", flush=True)
companion = "/opt/companion/current/bin/companion"
for folder in sorted(Path(sys.argv[1]).iterdir()):
    game, pictures, right = folder.name, sorted(folder.glob("*.jpg")), 0
    begun = time.monotonic()
    answer = subprocess.run([companion, "read", "--game", game, "--json", *map(str, pictures)],
                            stdout=subprocess.PIPE, text=True, check=True)
    lines = [json.loads(line) for line in answer.stdout.splitlines()]
    assert len(lines) == len(pictures), answer.stdout
    for picture, read in zip(pictures, lines):
        lies = picture.with_suffix(".txt").read_text().splitlines()[0].split()
        # A die may be in doubt here that is barely sure elsewhere, for the arithmetic rounds otherwise; none may be wrong.
        if read["roll"] is None:
            print(f"in doubt: {game}, {picture.name}: {' '.join(read['doubts'])}", flush=True)
        elif sorted(read["roll"]) != sorted(lies):
            sys.exit(f"FAILED: {game}, {picture.name}: {read['roll']} is read, {lies} lies there")
        else:
            right += 1
            print(f"ok: {game}, {picture.name}: {' '.join(lies)} ({read['ms']:.0f} ms, emulated)", flush=True)
    if not right:
        sys.exit(f"FAILED: {game}: none of {[picture.name for picture in pictures]} is read")
server = subprocess.Popen([companion, "serve", "--camera", "none", "--host", "127.0.0.1", "--port", "8991",
                           "--state", "/tmp/state"], stdout=subprocess.DEVNULL)
try:
    for _ in range(300):
        try:
            page = urllib.request.urlopen("http://127.0.0.1:8991/", timeout=60)
            break
        except OSError:
            if server.poll() is not None:
                sys.exit(f"FAILED: the server ended with {server.returncode}")
            time.sleep(1)
    else:
        sys.exit("FAILED: no page came")
    assert page.status == 200 and b"<html" in page.read(4000)
    print("ok: a page is served", flush=True)
finally:
    server.terminate()
    server.wait(60)
PYTHON

step "All of it works on arm64."
