#!/usr/bin/env bash
# Tries the whole program on an emulated 64-bit ARM Debian, as on a Pi: the installer installs the wheel with the
# system's Python 3.11, the libraries are imported in one process, a picture of every game is read with the right
# answer, and one page is served. Needs root; takes half an hour and more, for every instruction is emulated.
set -euo pipefail
# shellcheck source=hardware/try-common.sh
. "$(dirname "${BASH_SOURCE[0]}")/try-common.sh"

need debootstrap:debootstrap qemu-aarch64-static:qemu-user-static git:git
python=$source_dir/.venv/bin/python
[ -x "$python" ] || python=python3

registered=false
emulate() {
    [ "$(uname -m)" != aarch64 ] || return 0
    mountpoint -q /proc/sys/fs/binfmt_misc || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
    if [ ! -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ]; then
        step "Letting the kernel run ARM programs through QEMU"
        # F: the interpreter is opened now, so that it is also found inside the other file system.
        printf '%s' ':qemu-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:'"$(command -v qemu-aarch64-static)"':F' \
            >/proc/sys/fs/binfmt_misc/register
        registered=true
    fi
}
emulate
make_root bookworm arm64
finish() {
    local code=$?
    if $registered; then echo -1 >/proc/sys/fs/binfmt_misc/qemu-aarch64; fi
    (exit "$code")
    take_down
}
trap finish EXIT

step "Building the wheel"
"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$try_dir/wheel" "$source_dir"
mkdir -p "$root/root/companion/hardware" "$root/root/images"
cp "$source_dir"/hardware/install.sh "$source_dir"/hardware/companion.* "$root/root/companion/hardware"
cp "$try_dir"/wheel/companion-*.whl "$root/root/"
cp -r "$source_dir/tests/fixtures/images/." "$root/root/images"
printf '#!/bin/sh\nexit 0\n' >"$root/usr/local/sbin/systemctl"
chmod +x "$root/usr/local/sbin/systemctl"

step "Installing it as on a Pi"
inside uname -m | grep -qx aarch64 || fail "this is no aarch64"
inside /root/companion/hardware/install.sh --yes --wheel "/root/$(cd "$try_dir/wheel" && ls companion-*.whl)"
inside /opt/companion/current/bin/python -c 'import sys; assert sys.version_info[:2] == (3, 11), sys.version'

step "All libraries in one process, one picture of every game, one page"
inside /opt/companion/current/bin/python - /root/images <<'PYTHON'
import json, platform, subprocess, sys, time, urllib.request
from pathlib import Path

import numpy, cv2, onnxruntime, simplejpeg

print(f"ok: numpy {numpy.__version__}, cv2 {cv2.__version__}, onnxruntime {onnxruntime.__version__},"
      f" simplejpeg {simplejpeg.__version__} on {platform.machine()}, Python {platform.python_version()}")
companion = "/opt/companion/current/bin/companion"
for game in ("clever", "regenwormen", "dicy_cards", "geizen", "keer_op_keer_2"):
    pictures = sorted(p for p in Path(sys.argv[1], game).iterdir() if p.suffix in (".jpg", ".png"))
    pictures = [p for p in pictures if ":" in p.with_suffix(".txt").read_text()]  # the others hold no whole roll
    if not pictures:
        sys.exit(f"FAILED: there is no picture of {game}")
    right = None
    for picture in pictures[:3]:
        roll = sorted(picture.with_suffix(".txt").read_text().replace(",", " ").split())
        kinds = ",".join(die.partition(":")[0] for die in roll)
        answer = subprocess.run([companion, "read", "--game", game, "--dice", kinds, "--json", str(picture)],
                                capture_output=True, text=True)
        read = json.loads(answer.stdout)
        if read.get("roll") is not None and sorted(read["roll"]) != roll:
            sys.exit(f"FAILED: {game}, {picture.name}: {read['roll']} is read, {roll} lies there")
        if read.get("roll") is not None:
            right = picture
            break
    if right is None:
        sys.exit(f"FAILED: {game}: none of {[p.name for p in pictures[:3]]} is read")
    print(f"ok: {game}, {right.name}: {' '.join(roll)} ({read['ms']:.0f} ms, emulated)")
server = subprocess.Popen([companion, "serve", "--camera", "none", "--host", "127.0.0.1", "--port", "8991",
                           "--state", "/tmp/state"])
try:
    for _ in range(300):
        try:
            page = urllib.request.urlopen("http://127.0.0.1:8991/", timeout=60)
            break
        except OSError:
            time.sleep(1)
    else:
        sys.exit("FAILED: no page came")
    assert page.status == 200 and b"<html" in page.read(4000)
    print("ok: a page is served")
finally:
    server.terminate()
    server.wait(60)
PYTHON

step "All of it works on arm64."
