#!/usr/bin/env bash
# Tries the installer in a plain Debian of its own: twice, update and roll-back, refusals, and --uninstall.
# Only systemctl is a stand-in, for no systemd runs in there. Needs root; takes some minutes.
# shellcheck disable=SC1111,SC2016 # real quotation marks; what is quoted is meant for the shell inside
set -euo pipefail
# shellcheck source=hardware/try-common.sh
. "$(dirname "${BASH_SOURCE[0]}")/try-common.sh"

suite=${1:-bookworm}
prepare() {
    need debootstrap:debootstrap systemd-analyze:systemd git:git setpriv:util-linux pkill:procps
}
installer() { inside /srv/companion/hardware/install.sh "$@"; }
expect() { # what, then a command that must succeed inside
    local what=$1
    shift
    if inside "$@"; then echo "ok: $what"; else fail "$what"; fi
}
refused() { # with which words, then the options: the installer must end with 2 and say so
    local words=$1 code=0
    shift
    said=$(installer "$@" 2>&1 </dev/null) || code=$?
    [[ $code = 2 && $said = *"$words"* ]] || fail "“$words” was expected with code 2, and $code came with: $said"
    echo "ok: $words"
}
current() { readlink "$root/opt/companion/current"; }
previous() { readlink "$root/opt/companion/previous" || true; }

world "$@"
make_root "$suite" "$(dpkg --print-architecture)"
borrowed+=(PIP_NO_COMPILE=1) # what is imported is compiled then
expect "this is $suite" grep -qx "VERSION_CODENAME=$suite" /etc/os-release

step "Fetching the source with git, as its owner would"
inside sh -c 'apt-get update -qq && apt-get install -y -qq --no-install-recommends git >/dev/null'
copy_source upstream
inside git config --global init.defaultBranch main
inside git config --global user.email somebody@example.org
inside git config --global user.name Somebody
publish() { inside sh -c "cd /srv/upstream && git add --all && git commit --quiet --message '$1'"; }
inside git init --quiet /srv/upstream
publish "The first version"
inside git clone --quiet /srv/upstream /srv/companion

cat >"$root/usr/local/sbin/systemctl" <<'STUB'
#!/bin/sh
echo "$*" >>/var/log/systemctl.calls
[ ! -e /run/broken-service ] || [ "$1" != restart ] || [ "$(readlink /opt/companion/current)" != "$(cat /run/broken-service)" ]
STUB
chmod +x "$root/usr/local/sbin/systemctl"

step "A 32-bit system is refused"
mkdir "$root/tmp/armhf"
printf '#!/bin/sh\necho armhf\n' >"$root/tmp/armhf/dpkg"
chmod +x "$root/tmp/armhf/dpkg"
code=0
said=$(inside env PATH=/tmp/armhf:/usr/sbin:/usr/bin:/sbin:/bin /srv/companion/hardware/install.sh --yes 2>&1) || code=$?
echo "$said"
[[ $code = 2 && $said = *"32-bit system (armhf)"* ]] || fail "refusing a 32-bit system"

step "Without --yes and without anybody to ask, nothing happens"
refused "nobody is there to ask"
[ ! -e "$root/opt/companion" ] || fail "something happened"

step "An installation that breaks off half-way says where"
code=0
said=$(inside env PIP_NO_INDEX=1 PIP_FIND_LINKS= PIP_CONFIG_FILE=/dev/null /srv/companion/hardware/install.sh --yes 2>&1) || code=$?
[[ $code != 0 && $said = *"stopped at “Installing Companion"* && ! -e $root/opt/companion/current ]] || fail "breaking off: $code $said"
echo "ok: ${said##*$'\n'}"

step "First installation, by somebody whose files nobody else may read"
(umask 077 && installer --yes)
first=$(current)

step "Second installation"
echo '# my own remark' >>"$root/etc/companion/companion.toml"
second_run=$(installer --yes)
echo "$second_run"
[ "$(current)" = "$first" ] || fail "the second run made another version"
[[ $second_run = *"already there"* ]] || fail "the second run installed everything again"

step "What is there now"
expect "the user is in video and gpio" sh -c 'id -nG companion | grep -qw video && id -nG companion | grep -qw gpio'
expect "the user cannot log in" sh -c 'getent passwd companion | grep -q nologin'
expect "the state folder is the user's own" sh -c '[ "$(stat -c %U:%a /var/lib/companion)" = companion:750 ]'
expect "the configuration is kept" grep -q 'my own remark' /etc/companion/companion.toml
expect "the configuration is fine" companion config --check /etc/companion/companion.toml
expect "the command answers" companion --version
expect "the table's user can run it" runuser -u companion -- companion --version
expect "the doctor looks where the games are" sh -c 'cd / && runuser -u companion -- companion doctor --json --camera none | grep "\"disk\"" | grep -q /var/lib/companion'
expect "the service was enabled" grep -q '^enable --quiet companion.service' /var/log/systemctl.calls
expect "the service was started" grep -q '^restart companion.service' /var/log/systemctl.calls
expect "Avahi announces the port" grep -q '<port>8017</port>' /etc/avahi/services/companion.service
expect "the venv sees the system's packages" grep -q 'include-system-site-packages = true' "$first/pyvenv.cfg"
expect "simplejpeg is the venv's own" sh -c "$first/bin/python -c 'import simplejpeg; print(simplejpeg.__file__)' | grep -q ^$first"
step "The unit, as systemd sees it"
mkdir -p "$root/usr/lib/systemd/system"
verified=$(systemd-analyze verify --root="$root" --man=no --recursive-errors=no companion.service 2>&1) || { echo "$verified" && fail "systemd-analyze verify"; }
echo "${verified:-nothing to complain about}"

step "The table serves a page as that user"
inside runuser -u companion -- sh -c '
    cd /var/lib/companion
    companion serve --camera none --host 127.0.0.1 --port 8990 --state /var/lib/companion >/tmp/serve.log 2>&1 & server=$!
    python3 - <<PYTHON
import time, urllib.request
for _ in range(120):
    try:
        page = urllib.request.urlopen("http://127.0.0.1:8990/", timeout=5)
        break
    except OSError:
        time.sleep(0.5)
else:
    raise SystemExit(open("/tmp/serve.log").read())
assert page.status == 200 and b"<html" in page.read(2000)
print("ok: the first page is there")
PYTHON
    code=$?
    kill "$server"; wait "$server"
    exit $code' || fail "serving a page"

step "A damaged version is mended"
rm -r "$root$first"/lib/python3*/site-packages/simplejpeg*
mended=$(installer --yes)
[[ $mended = *"made anew"* && $(current) = "$first" ]] || fail "mending"
expect "simplejpeg is back" "$first/bin/python" -c 'import simplejpeg; assert simplejpeg.__file__.startswith("/opt")'

step "A configuration with a mistake stops everything before anything is changed"
cp "$root/etc/companion/companion.toml" "$root/tmp/good.toml"
sed -i 's/^port/prot/' "$root/etc/companion/companion.toml"
refused "put it right" --update --yes
[[ $said = *"did you mean “port”"* ]] || fail "naming the mistake: $said"
mv "$root/tmp/good.toml" "$root/etc/companion/companion.toml"

step "Two at once"
(exec 7>"$root/run/lock/companion-install" && flock 7 && refused "another installation is running" --yes)

step "An update, and back again"
echo "" >>"$root/srv/upstream/README.md"
sed -i 's/^RestartSec=2$/RestartSec=3/' "$root/srv/upstream/hardware/companion.service"
sed -i 's/^    say "Done. Open /    say "By the new installer."\n&/' "$root/srv/upstream/hardware/install.sh"
publish "The second version"
updated=$(installer --update --yes)
[[ $updated = *"By the new installer."* ]] || fail "the update went on with the old installer: $updated"
expect "its service came with it" grep -qx RestartSec=3 /etc/systemd/system/companion.service
[ "$(current)" != "$first" ] || fail "the update changed nothing"
echo "ok: updated to $(current)"
installer --rollback --yes
[ "$(current)" = "$first" ] || fail "the roll-back did not lead back"
expect "its service went back too" grep -qx RestartSec=2 /etc/systemd/system/companion.service
second=$(previous)

step "An update that does not start is taken back by itself"
echo "" >>"$root/srv/upstream/README.md"
publish "The third version, which does not start"
newest=/opt/companion/versions/$(inside bash -c 'cd /srv/upstream && find pyproject.toml README.md LICENSE companion models -type f ! -path "*/__pycache__/*" -print0 | sort -z | xargs -0 sha256sum | sha256sum | cut -c1-16')
echo "$newest" >"$root/run/broken-service"
code=0
installer --update --yes >"$root/tmp/update.log" 2>&1 || code=$?
[[ $code = 2 && $(current) = "$first" && $(previous) = "$second" ]] || { cat "$root/tmp/update.log" && fail "going back by itself"; }
grep "going back" "$root/tmp/update.log"
rm "$root/run/broken-service"

step "Uninstalling keeps the games"
echo game >"$root/var/lib/companion/game"
installer --uninstall --yes
for gone in /opt/companion /etc/systemd/system/companion.service /etc/avahi/services/companion.service /usr/local/bin/companion; do
    [ ! -e "$root$gone" ] || fail "$gone is still there"
done
[[ -f $root/var/lib/companion/game && -f $root/etc/companion/companion.toml ]] || fail "the games are gone"
if inside id companion 2>/dev/null; then fail "the user is still there"; fi

step "Uninstalling once more, with everything"
installer --uninstall --purge --yes
[[ ! -e $root/var/lib/companion && ! -e $root/etc/companion ]] || fail "--purge left something"

step "All of it works."
