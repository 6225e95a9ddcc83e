# shellcheck shell=bash
# Sourced by the two tries: a Debian file system of its own under /var/tmp, taken down again at the end.

try_dir=""
root=""
source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

step() { printf '\n=> %s\n' "$*"; }
fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

need() { # commands and the packages they come in, as command:package
    local pair missing=()
    [ "$(id -u)" = 0 ] || {
        echo "This try makes a file system of its own: start it as root." >&2
        exit 2
    }
    for pair in "$@"; do
        command -v "${pair%%:*}" >/dev/null || missing+=("${pair##*:}")
    done
    if [ ${#missing[@]} -gt 0 ]; then
        step "Installing ${missing[*]}"
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
    fi
}

take_down() {
    local code=$? point
    cd /
    if [ -n "$try_dir" ] && [ -d "$try_dir" ]; then
        # Only what was mounted here, the innermost first.
        awk -v dir="$try_dir/" 'index($2, dir) == 1 { print $2 }' /proc/mounts | sort -r | while read -r point; do
            umount "$point" || umount -l "$point"
        done
        if ! grep -q " $try_dir/" /proc/mounts; then rm -rf --one-file-system "$try_dir"; fi
    fi
    exit "$code"
}

make_root() { # suite, architecture; leaves $root
    try_dir=$(mktemp -d /var/tmp/companion-try.XXXXXX)
    root=$try_dir/root
    trap take_down EXIT
    trap 'exit 130' INT TERM
    step "Making a Debian $1 ($2) in $root"
    local kept=${TRY_KEEP:+$TRY_KEEP/debian-$1-$2.tar} # TRY_KEEP=DIR: make it once, use it again
    if [ -n "$kept" ] && [ -f "$kept" ]; then
        mkdir "$root"
        tar -C "$root" --numeric-owner -xf "$kept"
    else
        debootstrap --variant=minbase --arch="$2" "$1" "$root" >"$try_dir/debootstrap.log" ||
            { tail -n 20 "$try_dir/debootstrap.log" >&2 && fail "debootstrap"; }
        if [ -n "$kept" ]; then tar -C "$root" --numeric-owner -cf "$kept" .; fi
    fi
    mount -t proc proc "$root/proc"
    mount -t devpts devpts "$root/dev/pts"
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" # no daemon starts in here
    chmod +x "$root/usr/sbin/policy-rc.d"
    borrow_network
}

borrow_network() { # names, certificates, proxies and package indexes as this computer has them
    local file name place
    cp -L /etc/resolv.conf "$root/etc/resolv.conf"
    for file in /etc/pip.conf "${XDG_CONFIG_HOME:-$HOME/.config}/pip/pip.conf" "$HOME/.pip/pip.conf"; do
        if [ -f "$file" ]; then cat "$file" >>"$root/etc/pip.conf"; fi
    done
    if [ -f "$root/etc/pip.conf" ]; then
        # Several files become one: a second [global] would be an error.
        awk '/^\[global\]/ { if (seen++) next } { print }' "$root/etc/pip.conf" >"$root/etc/pip.conf.new"
        mv "$root/etc/pip.conf.new" "$root/etc/pip.conf"
    fi
    if [ -f /etc/ssl/certs/ca-certificates.crt ]; then
        mkdir -p "$root/etc/ssl/certs"
        cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
    fi
    apt-config dump | grep -i '^Acquire::[a-z]*::.*proxy' >"$root/etc/apt/apt.conf.d/99borrowed" || true
    borrowed=(env -i HOME=/root LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
    for name in $(compgen -e); do
        case $name in
            PIP_* | http_proxy | https_proxy | no_proxy | HTTP_PROXY | HTTPS_PROXY | NO_PROXY | SSL_CERT_FILE)
                borrowed+=("$name=${!name}")
                ;;
        esac
    done
    # Package indexes that are folders here are made visible inside, read-only.
    for place in $(python3 -m pip config list 2>/dev/null | grep -oE "(file://)?/[^ ',]+" | sed 's|^file://||' | sort -u); do
        place=${place%/simple} # the files lie beside their index
        if [ -d "$place" ] && ! mountpoint -q "$root$place"; then
            mkdir -p "$root$place"
            mount --bind -o ro "$place" "$root$place"
        fi
    done
}

inside() { chroot "$root" "${borrowed[@]}" "$@"; }

copy_source() { # the project as it lies here, without what git ignores
    mkdir -p "$root/root/companion"
    (cd "$source_dir" && git ls-files --cached --others --exclude-standard -z | while IFS= read -r -d '' file; do
        if [ -f "$file" ]; then printf '%s\0' "$file"; fi
    done | tar --null -T - -cf -) | tar -C "$root/root/companion" --no-same-owner -xf -
}
