# shellcheck shell=bash
# Sourced by the two tries: a Debian file system of its own, in a world of its own that ends with the try.

try_dir=""
root=""
world_pid=""
interpreter=/proc/sys/fs/binfmt_misc/companion-$$
source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

step() { printf '\n=> %s\n' "$*"; }
fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

need() { # commands and the packages they come in, as command:package
    local pair missing=()
    for pair in "$@"; do
        command -v "${pair%%:*}" >/dev/null || missing+=("${pair##*:}")
    done
    if [ ${#missing[@]} -gt 0 ]; then
        step "Installing ${missing[*]}"
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
    fi
}

world() { # runs the script once more in a world of its own (mounts and processes), and clears up when it ends
    local stale code=0
    [ "$(id -u)" = 0 ] || {
        echo "This try makes a file system of its own: start it as root." >&2
        exit 2
    }
    if [ -n "${TRY_DIR:-}" ]; then
        try_dir=$TRY_DIR root=$TRY_DIR/root
        return
    fi
    for stale in /var/tmp/companion-try.*/lock; do # of a try that was killed: nobody holds its lock
        if [ -f "$stale" ] && flock -n "$stale" true; then rm -rf --one-file-system "${stale%/lock}"; fi
    done
    try_dir=$(mktemp -d /var/tmp/companion-try.XXXXXX)
    trap clear_up EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    exec 9>"$try_dir/lock"
    flock 9
    prepare # by the script: what this computer needs for it
    # However this shell ends, the kernel ends the processes in there, and their mounts with them. In the
    # background, for a shell hears no signal while it waits for something in the foreground.
    TRY_DIR=$try_dir setpriv --pdeathsig KILL \
        unshare --mount --propagation private --pid --fork --kill-child --mount-proc "$0" "$@" &
    world_pid=$!
    wait "$world_pid" || code=$?
    world_pid=""
    exit "$code"
}

clear_up() {
    local code=$?
    trap '' INT TERM HUP
    cd /
    if [ -n "$world_pid" ]; then
        # The first process inside: the kernel ends all others before it lets this one go.
        pkill -KILL -P "$world_pid" || true
        wait "$world_pid" 2>/dev/null || true
    fi
    if [ -e "$interpreter" ]; then echo -1 >"$interpreter"; fi
    rm -rf --one-file-system "$try_dir"
    exit "$code"
}

make_root() { # suite, architecture; fills $root
    local kept=${TRY_KEEP-/var/cache/companion-try} # made once and used again for a fortnight; TRY_KEEP= makes it anew
    local tar=${kept:+$kept/debian-$1-$2.tar} memory
    step "Making a Debian $1 ($2) in $root"
    mkdir "$root"
    memory=$(awk '/^MemAvailable/ { print int($2 / 1024) }' /proc/meminfo)
    # In memory where there is plenty: it is quicker, and nothing is left of it.
    if [ "$memory" -ge 8000 ]; then mount -t tmpfs -o size=5G,mode=755 companion-try "$root"; fi
    if [ -n "$tar" ] && [ -n "$(find "$tar" -mtime -14 2>/dev/null)" ]; then
        tar -C "$root" --numeric-owner -xf "$tar"
    else
        debootstrap --variant=minbase --arch="$2" "$1" "$root" >"$try_dir/debootstrap.log" 2>&1 ||
            { tail -n 20 "$try_dir/debootstrap.log" >&2 && fail "debootstrap"; }
        if [ -n "$tar" ]; then
            mkdir -p "$kept"
            tar -C "$root" --numeric-owner -cf "$tar.new" .
            mv "$tar.new" "$tar"
        fi
    fi
    mount -t proc proc "$root/proc"
    mount -t devpts devpts "$root/dev/pts"
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" # no daemon starts in here
    chmod +x "$root/usr/sbin/policy-rc.d"
    # What only takes time here: waiting for the disk, manuals, lists of packages in other languages.
    printf '%s\n' force-unsafe-io 'path-exclude=/usr/share/doc/*' 'path-exclude=/usr/share/man/*' \
        'path-exclude=/usr/share/locale/*' >"$root/etc/dpkg/dpkg.cfg.d/quick"
    printf '%s\n' 'Acquire::Languages "none";' 'Acquire::CompressionTypes::Order:: "gz";' >"$root/etc/apt/apt.conf.d/98quick"
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
    apt-config dump | grep -i '^Acquire::[a-z]*::.*proxy' >"$root/etc/apt/apt.conf.d/99borrowed" || true
    borrowed=(env -i HOME=/srv LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
    for name in $(compgen -e); do
        case $name in
            PIP_* | http_proxy | https_proxy | no_proxy | HTTP_PROXY | HTTPS_PROXY | NO_PROXY | SSL_CERT_FILE)
                borrowed+=("$name=${!name}")
                ;;
        esac
    done
    if [ -f /etc/ssl/certs/ca-certificates.crt ]; then
        # Where no package writes it anew.
        cp -L /etc/ssl/certs/ca-certificates.crt "$root/srv/borrowed.crt"
        borrowed+=(PIP_CERT=/srv/borrowed.crt SSL_CERT_FILE=/srv/borrowed.crt)
    fi
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

copy_source() { # the project as it lies here, without what git ignores, to a folder of root's
    mkdir -p "$root/srv/$1"
    (cd "$source_dir" && git ls-files --cached --others --exclude-standard -z | while IFS= read -r -d '' file; do
        if [ -f "$file" ]; then printf '%s\0' "$file"; fi
    done | tar --null -T - -cf -) | tar -C "$root/srv/$1" --no-same-owner -xf -
}
