#!/usr/bin/env bash
# Installs Companion on a Raspberry Pi (Raspberry Pi OS 64-bit, Bookworm or Trixie) or on Debian.
# It says what it does before it does it, and may be run as often as you like.
# shellcheck disable=SC1111 # the sentences use real quotation marks
set -euo pipefail
umask 022 # the table's user must be able to read what root puts down
unset PYTHONPATH PYTHONHOME

usage() {
    cat <<'TEXT'
usage: sudo hardware/install.sh [options]

  (nothing)          install, or repair what is installed
  --update           fetch the newest source if this is a git checkout, then install it beside the old one
  --rollback         go back to the version before
  --uninstall        remove the program; games and configuration stay
  --purge            with --uninstall: remove games and configuration too

  --yes              do not ask
  --wheel FILE       install this wheel instead of the source around this script
  --name NAME        rename this computer, so that phones find it at http://NAME.local:8017
  --hotspot [NAME]   open a Wi-Fi of its own when no known one is near (default name: Companion)
  -h, --help         this text
TEXT
}

source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
hardware_dir=$source_dir/hardware
home=/opt/companion
state=/var/lib/companion
config=/etc/companion/companion.toml
unit=/etc/systemd/system/companion.service
avahi=/etc/avahi/services/companion.service
polkit=/etc/polkit-1/rules.d/50-companion.rules
link=/usr/local/bin/companion
user=companion

action=install
assume_yes=false purge=false hotspot=false fetched=false
wheel="" new_name="" ssid=Companion doing=""
words=("$@")

say() { printf '%s\n' "$*"; }
step() {
    doing=$*
    printf '\n=> %s\n' "$*"
}
refuse() {
    doing=""
    printf 'install.sh: %s\n' "$*" >&2
    exit 2
}
# shellcheck disable=SC2317 # called by the trap
stumbled() {
    local code=$?
    [ "$code" = 0 ] || [ -z "$doing" ] ||
        printf 'install.sh: stopped at “%s”. Look at the message above; once that is put right, start it again: it goes on from there.\n' "$doing" >&2
}
trap stumbled EXIT

while [ $# -gt 0 ]; do
    case $1 in
        --update) action=update ;;
        --rollback) action=rollback ;;
        --uninstall) action=uninstall ;;
        --purge) purge=true ;;
        --yes) assume_yes=true ;;
        --fetched) fetched=true ;; # by itself, after --update has fetched the source
        --wheel)
            [ $# -ge 2 ] || refuse "--wheel needs a file"
            wheel=$(realpath -e -- "$2" 2>/dev/null) || refuse "there is no file $2"
            shift
            ;;
        --name)
            [ $# -ge 2 ] || refuse "--name needs a name"
            [[ $2 =~ ^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$ ]] || refuse "a name is made of small letters, digits and dashes, not “$2”"
            new_name=$2
            shift
            ;;
        --hotspot)
            hotspot=true
            if [ $# -ge 2 ] && [[ $2 != --* ]]; then
                ssid=$2
                shift
            fi
            bytes=$(printf '%s' "$ssid" | wc -c)
            if [ "$bytes" -lt 1 ] || [ "$bytes" -gt 32 ]; then refuse "a Wi-Fi's name has 1 to 32 letters"; fi
            ;;
        -h | --help)
            usage
            exit 0
            ;;
        *)
            usage >&2
            refuse "there is no option $1"
            ;;
    esac
    shift
done

check_machine() {
    local architecture bits
    [ "$(id -u)" = 0 ] || refuse "start it with sudo: it installs system packages and a service"
    exec 8>/run/lock/companion-install
    flock -n 8 || refuse "another installation is running: wait until it is done"
    if ! command -v apt-get >/dev/null || ! command -v dpkg >/dev/null; then
        refuse "this is not Debian or Raspberry Pi OS: elsewhere start the table with ./serve"
    fi
    architecture=$(dpkg --print-architecture)
    bits=$(getconf LONG_BIT)
    case $architecture-$bits in
        arm64-64 | amd64-64) ;;
        *) refuse "this is a 32-bit system ($architecture), for which the reader's libraries do not exist: write “Raspberry Pi OS (64-bit)” to the card with Raspberry Pi Imager and start again" ;;
    esac
    # shellcheck source=/dev/null
    codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-unknown}")
    case $codename in
        bookworm | trixie) ;;
        *) say "Note: this system is “$codename”; Companion is tried on bookworm and trixie. Going on." ;;
    esac
}

has_candidate() {
    local policy
    policy=$(apt-cache policy "$1" 2>/dev/null)
    [[ $policy == *Candidate:* && $policy != *"Candidate: (none)"* ]]
}

agree() {
    $assume_yes && return
    [ -t 0 ] || refuse "nobody is there to ask: add --yes"
    local answer
    read -r -p "Go on? [y/N] " answer
    [[ $answer =~ ^[yYjJ] ]] || refuse "nothing was changed"
}

# ---- parts of an installation -----------------------------------------------------------------

install_packages() {
    local wanted=(python3 python3-venv avahi-daemon polkitd) optional name
    for optional in python3-lgpio python3-picamera2; do
        if has_candidate "$optional"; then wanted+=("$optional"); fi
    done
    if $hotspot; then wanted+=(network-manager dnsmasq-base); fi
    local missing=()
    for name in "${wanted[@]}"; do
        dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q "ok installed" || missing+=("$name")
    done
    if [ ${#missing[@]} -eq 0 ]; then
        step "System packages: all there (${wanted[*]})"
    else
        step "Installing system packages: ${missing[*]}"
        # A fresh Pi updates itself in the first minutes: wait for it.
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
            -o DPkg::Lock::Timeout=300 "${missing[@]}" >/dev/null
    fi
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        refuse "this system's Python is too old (3.11 is needed): write the newest Raspberry Pi OS (64-bit) to the card"
}

look_for_packages() {
    step "Looking which packages there are"
    apt-get update -qq -o DPkg::Lock::Timeout=300 ||
        say "   Their lists cannot be fetched (no network?). Going on with the lists there are."
}

check_room() {
    local free
    free=$(df --output=avail -m /opt | tail -n 1)
    [ "$free" -ge 1500 ] || refuse "only $((free)) MB are free on this disk and 1500 are needed: free some space, or take a larger card"
}

make_user() {
    local group
    for group in video gpio; do
        if ! getent group "$group" >/dev/null; then
            step "Making the group $group"
            groupadd --system "$group"
        fi
    done
    if ! id "$user" >/dev/null 2>&1; then
        step "Making the system user $user (groups video and gpio, no login)"
        useradd --system --user-group --home-dir "$state" --no-create-home --shell /usr/sbin/nologin "$user"
    fi
    usermod --append --groups video,gpio "$user"
    install -d -o "$user" -g "$user" -m 0750 "$state"
    chown -R "$user:$user" "$state"
}

fingerprint() { # of what is to be installed
    if [ -n "$wheel" ]; then
        sha256sum "$wheel" | cut -c1-16
    else
        (
            cd "$source_dir"
            find pyproject.toml README.md LICENSE companion models -type f ! -path '*/__pycache__/*' -print0 |
                sort -z | xargs -0 sha256sum | sha256sum | cut -c1-16
        )
    fi
}

prove() { # that one process can hold everything
    "$1/bin/python" - <<'PYTHON' || return
import numpy, cv2, simplejpeg, onnxruntime
import companion
picture = numpy.full((32, 48, 3), 127, numpy.uint8)
seen = simplejpeg.decode_jpeg(simplejpeg.encode_jpeg(cv2.resize(picture, (64, 64)), colorspace="BGR"))
assert seen.shape == (64, 64, 3) and abs(int(seen.mean()) - 127) < 3
print(f"   numpy {numpy.__version__}, OpenCV {cv2.__version__}, simplejpeg {simplejpeg.__version__},"
      f" onnxruntime {onnxruntime.__version__}, companion {companion.__version__}: together in one process")
PYTHON
    if dpkg-query -W -f '${Status}' python3-picamera2 2>/dev/null | grep -q "ok installed"; then
        "$1/bin/python" -c 'import numpy, cv2, picamera2; print("   picamera2 as well")'
    fi
}

make_version() {
    local print
    print=$(fingerprint)
    new=$home/versions/$print
    if [ -f "$new/complete" ]; then
        step "The program is already there ($new): proving it again"
        if ! prove "$new"; then
            say "   It is damaged and is made anew."
            rm -f "$new/complete"
        fi
    fi
    if [ ! -f "$new/complete" ]; then
        check_room
        step "Making a Python environment in $new"
        rm -rf "$new"
        install -d "$home" "$home/versions"
        # The system's packages are visible, for picamera2 and lgpio exist only there.
        python3 -m venv --system-site-packages "$new"
        step "Installing Companion and its libraries into it (some minutes on a Pi)"
        "$new/bin/python" -m pip install --quiet --disable-pip-version-check --no-input \
            --prefer-binary "${wheel:-$source_dir}"
        # picamera2 imports simplejpeg; Bookworm's is built for numpy 1 and crashes beside numpy 2.
        "$new/bin/python" -m pip install --quiet --disable-pip-version-check --no-input \
            --only-binary=:all: --ignore-installed --no-deps simplejpeg
        step "Proving that numpy, OpenCV, simplejpeg and onnxruntime work in one process"
        prove "$new"
    fi
    # With the version, so that going back brings back its service too.
    install -d "$new/hardware"
    install -m 0644 "$hardware_dir"/companion.* "$new/hardware"
    touch "$new/complete"
}

switch_to() {
    local before=""
    [ -L "$home/current" ] && before=$(readlink "$home/current")
    if [ "$before" != "$1" ]; then
        step "Switching to $1${before:+ (the version before, $before, is kept)}"
        if [ -n "$before" ]; then ln -sfn "$before" "$home/previous"; fi
        ln -sfn "$1" "$home/current.new"
        mv -T "$home/current.new" "$home/current"
    fi
    ln -sfn "$home/current/bin/companion" "$link"
}

forget_old_versions() {
    local version keep
    keep=" $(readlink "$home/current") $(readlink "$home/previous" 2>/dev/null || true) "
    for version in "$home"/versions/*; do
        if [ -d "$version" ] && [[ $keep != *" $version "* ]]; then
            say "   removing the old version $version"
            rm -rf "$version"
        fi
    done
}

write_config() {
    if [ ! -f "$config" ]; then
        step "Writing the configuration $config (every key is explained in it)"
        install -d -m 0755 "$(dirname "$config")"
        # “companion doctor” looks where the service keeps its games, whoever asks.
        "$new/bin/companion" config --example | sed "s|^dir = \"\"$|dir = \"$state\"|" >"$config.new"
        "$new/bin/companion" config --check "$config.new" >/dev/null
        mv "$config.new" "$config"
    else
        step "Keeping your configuration $config"
        "$new/bin/companion" config --check "$config" ||
            refuse "the table cannot start with this configuration: put it right (sudo nano $config) and start again"
    fi
}

port() {
    sed -n 's/^port *= *\([0-9]*\).*/\1/p' "$config" 2>/dev/null | head -n 1 | grep . || echo 8017
}

write_service() {
    step "Writing the service $unit, its name for the network and the right to shut down"
    install -D -m 0644 "$home/current/hardware/companion.service" "$unit"
    install -d "$(dirname "$avahi")" "$(dirname "$polkit")"
    sed "s|<port>[0-9]*</port>|<port>$(port)</port>|" "$home/current/hardware/companion.avahi.xml" >"$avahi"
    install -m 0644 "$home/current/hardware/companion.polkit.rules" "$polkit"
    systemctl daemon-reload
    systemctl enable --quiet companion.service
}

start_service() {
    step "Starting the table"
    systemctl restart companion.service && systemctl is-active --quiet companion.service
}

rename_computer() {
    [ -n "$new_name" ] || return 0
    step "Naming this computer $new_name"
    hostnamectl set-hostname "$new_name"
    if grep -q '^127\.0\.1\.1' /etc/hosts; then
        sed -i "s/^127\.0\.1\.1.*/127.0.1.1\t$new_name/" /etc/hosts
    else
        printf '127.0.1.1\t%s\n' "$new_name" >>/etc/hosts
    fi
}

open_hotspot() {
    $hotspot || return 0
    local key
    key=$(nmcli -s -g 802-11-wireless-security.psk connection show companion-hotspot 2>/dev/null || true)
    [ -n "$key" ] || key=$(python3 -c 'import secrets; print("-".join(f"{secrets.randbelow(10000):04}" for _ in range(3)))')
    step "Preparing the Wi-Fi “$ssid” for evenings without another one"
    nmcli connection delete companion-hotspot >/dev/null 2>&1 || true
    nmcli connection add type wifi ifname '*' con-name companion-hotspot ssid "$ssid" \
        connection.autoconnect yes connection.autoconnect-priority -10 \
        802-11-wireless.mode ap 802-11-wireless.band bg \
        802-11-wireless-security.key-mgmt wpa-psk 802-11-wireless-security.psk "$key" \
        ipv4.method shared ipv4.addresses 10.42.0.1/24 ipv6.method disabled >/dev/null
    if command -v rfkill >/dev/null; then rfkill unblock wifi; fi
    say "   Name: $ssid   Password: $key   Then open http://10.42.0.1:$(port)"
    say "   A known Wi-Fi in reach is preferred; to open this one now: nmcli connection up companion-hotspot"
}

# ---- what can be asked for --------------------------------------------------------------------

do_install() {
    check_machine
    say "Companion will be installed on this computer. This will"
    say "  - install system packages (Python, Avahi; picamera2 and lgpio where they exist)"
    say "  - make the system user “$user” in the groups video and gpio"
    say "  - put the program into $home, its configuration into $config, its games into $state"
    say "  - install, enable and start the service companion.service"
    if [ -n "$new_name" ]; then say "  - rename this computer to $new_name"; fi
    if $hotspot; then say "  - prepare a Wi-Fi of its own named “$ssid”"; fi
    agree
    if [ "$action" = update ] && ! $fetched; then fetch_source; fi
    look_for_packages
    install_packages
    make_user
    make_version
    write_config
    local before older
    before=$(readlink "$home/current" || true)
    older=$(readlink "$home/previous" || true)
    switch_to "$new"
    write_service
    if ! start_service; then
        if [ -n "$before" ] && [ "$before" != "$new" ]; then
            say "The new version does not start; going back to the one before."
            switch_to "$before"
            if [ -n "$older" ]; then ln -sfn "$older" "$home/previous"; else rm -f "$home/previous"; fi
            write_service
            start_service || true
        fi
        refuse "the table did not start: see  journalctl -u companion  and  sudo -u $user companion doctor"
    fi
    forget_old_versions
    rename_computer
    open_hotspot
    step "A look at the patient"
    (cd "$state" && runuser -u "$user" -- "$home/current/bin/companion" doctor --state "$state") || true
    say ""
    say "Done. Open http://$(hostname).local:$(port) on a phone in the same network."
}

fetch_source() { # and go on with the installer that came with it
    local owner
    if [ -n "$wheel" ] || [ ! -d "$source_dir/.git" ]; then return 0; fi
    owner=$(stat -c %U "$source_dir/.git")
    if [ -z "$(runuser -u "$owner" -- git -C "$source_dir" remote)" ]; then return 0; fi
    step "Fetching the newest source as $owner"
    runuser -u "$owner" -- git -C "$source_dir" pull --ff-only --quiet ||
        refuse "the newest source could not be fetched: is there a network, and did nobody change a file in $source_dir?"
    exec 8>&-
    exec "$hardware_dir/install.sh" "${words[@]}" --yes --fetched
}

do_rollback() {
    check_machine
    if [ ! -d "$home/previous/" ]; then refuse "there is no version before this one"; fi
    say "The table will go back from $(readlink "$home/current") to $(readlink "$home/previous")."
    agree
    switch_to "$(readlink "$home/previous")"
    write_service
    start_service || refuse "the table did not start: see  journalctl -u companion"
    say "Done."
}

do_uninstall() {
    check_machine
    say "Companion will be removed: the service, the user “$user”, $home and its Wi-Fi."
    if $purge; then
        say "The games in $state and the configuration in $(dirname "$config") are removed TOO."
    else
        say "The games in $state and the configuration in $(dirname "$config") stay (--purge removes them too)."
    fi
    agree
    step "Stopping and removing the service"
    systemctl disable --now companion.service 2>/dev/null || true
    rm -f "$unit" "$avahi" "$polkit" "$link"
    systemctl daemon-reload
    if command -v nmcli >/dev/null; then nmcli connection delete companion-hotspot >/dev/null 2>&1 || true; fi
    step "Removing the program"
    rm -rf "$home"
    if $purge; then
        step "Removing games and configuration"
        rm -rf "$state" "$(dirname "$config")"
    fi
    if id "$user" >/dev/null 2>&1; then
        step "Removing the user $user"
        userdel "$user" || say "   Something still runs as $user; it goes with “sudo userdel $user” after a restart."
    fi
    say "Done. The system packages stay; “apt autoremove” removes those nobody else needs."
}

new=""
codename=""
{ # read to its end before it begins: an update may change this file
    case $action in
        install | update) do_install ;;
        rollback) do_rollback ;;
        uninstall) do_uninstall ;;
    esac
    exit 0
}
