"""The installer on this computer's own system folders, each under a layer that is thrown away afterwards.

What it decides is real: users, links, files, git, the configuration. Only packages, services and libraries
are stand-ins, so that it takes seconds; `./check --long` installs everything in a Debian of its own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LAYERED = ("etc", "opt", "usr/local", "var/lib", "run/lock")
INSTALLED = "/opt/companion/current"

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("unshare") is None or shutil.which("apt-get") is None,
    reason="mounts layers over the system's folders: run it as root on Debian",
)

STAND_INS = {
    "apt-get": 'if [ "$1" = update ]; then exit "${NO_LISTS:-0}"; fi',
    "apt-cache": "",
    "dpkg": 'echo "${ARCHITECTURE:-arm64}"',
    "dpkg-query": 'case $* in *picamera2*) exit 1 ;; *) echo "install ok installed" ;; esac',
    "hostnamectl": "",
    "nmcli": 'case $* in *"connection show"*) exit 10 ;; esac',
    "rfkill": "",
    "systemctl": '[ "$1" != restart ] || ! grep -q broken /opt/companion/current/hardware/companion.service',
}
PYTHON = """#!/bin/sh
if [ "$1 $2" != "-m venv" ]; then exec {real} "$@"; fi
for place; do :; done
mkdir -p "$place/bin"
cp {bin}/environment "$place/bin/python"
cp {bin}/program "$place/bin/companion"
"""
ENVIRONMENT = """#!/bin/sh
place=$(dirname "$(dirname "$0")")
case $1 in
    -m) [ -z "$NO_INDEX" ] && touch "$place/libraries" ;;
    -) cat >/dev/null && [ -f "$place/libraries" ] ;;
esac
"""
PROGRAM = """#!/bin/sh
case $1 in
    config) PYTHONPATH={root} exec {real} -m companion "$@" ;;
    *) echo "the program: $*" ;;
esac
"""


class Machine:
    """A computer to install on: its folders are this one's, with a layer over each that keeps the changes."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.bin = folder, folder / "bin"
        self.bin.mkdir()
        for name, script in STAND_INS.items():
            self._script(name, f'#!/bin/sh\necho "{name} $*" >>{folder}/calls\n{script}\n')
        places = {"real": sys.executable, "bin": self.bin, "root": ROOT}
        for name, script in (("python3", PYTHON), ("environment", ENVIRONMENT), ("program", PROGRAM)):
            self._script(name, script.format(**places))
        for name in LAYERED:
            for part in ("upper", "work"):
                (folder / part / name).mkdir(parents=True)
        self.upstream, self.source = folder / "upstream", folder / "source"
        (self.upstream / "hardware").mkdir(parents=True)
        for file in (ROOT / "hardware").glob("companion.*"):
            shutil.copy(file, self.upstream / "hardware")
        shutil.copy(ROOT / "hardware" / "install.sh", self.upstream / "hardware")
        for name in ("pyproject.toml", "README.md", "LICENSE", "companion/a.py", "models/a.onnx"):
            (self.upstream / name).parent.mkdir(exist_ok=True)
            (self.upstream / name).write_text(name)
        self.git("init", "--quiet", "--initial-branch=main")
        self.publish()
        subprocess.run(["git", "clone", "--quiet", self.upstream, self.source], check=True)

    def _script(self, name: str, text: str) -> None:
        (self.bin / name).write_text(text)
        (self.bin / name).chmod(0o755)

    def git(self, *words: str) -> None:
        named = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"]
        subprocess.run(["git", *named, *words], cwd=self.upstream, check=True)

    def publish(self) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "A version")

    def change(self, name: str, old: str, new: str) -> None:
        file = self.upstream / name
        assert old in file.read_text()
        file.write_text(file.read_text().replace(old, new))
        self.publish()

    def run(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        layers = "\n".join(
            f"mount -t overlay overlay -o lowerdir=/{name},"
            f"upperdir={self.folder}/upper/{name},workdir={self.folder}/work/{name} /{name}"
            for name in LAYERED
        )
        return subprocess.run(
            [
                "unshare",
                "--mount",
                "--propagation",
                "private",
                "bash",
                "-ec",
                f'{layers}\nexec "$@"',
                "_",
                *words,
            ],
            env={
                "HOME": "/root",
                "LANG": "C.UTF-8",
                "PATH": f"{self.bin}:{os.environ['PATH']}",
                **environment,
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=240,
            check=False,
        )

    def install(self, *options: str, code: int = 0, **environment: str) -> str:
        done = self.run(str(self.source / "hardware" / "install.sh"), "--yes", *options, **environment)
        assert done.returncode == code, done.stdout
        return done.stdout

    def sees(self, command: str) -> bool:
        return self.run("bash", "-c", command).returncode == 0

    def version(self, link: str = "current") -> str:
        return self.run("readlink", f"/opt/companion/{link}").stdout.strip()

    @property
    def calls(self) -> list[str]:
        return (self.folder / "calls").read_text().splitlines()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(tmp_path)
    if not made.sees("true"):
        pytest.skip("this system knows no layers (overlayfs)")
    return made


def test_twice_in_a_row_then_uninstalled_with_the_games_kept(machine: Machine) -> None:
    machine.install()
    first = machine.version()
    assert machine.sees("id -nG companion | grep -w video | grep -qw gpio")
    assert machine.sees("companion config --check /etc/companion/companion.toml")
    assert machine.sees("grep -qx 'dir = \"/var/lib/companion\"' /etc/companion/companion.toml")
    assert machine.sees("echo '# mine' >>/etc/companion/companion.toml; echo game >/var/lib/companion/game")
    said = machine.install()
    assert "already there" in said
    assert "Keeping your configuration" in said
    assert machine.version() == first
    assert machine.calls.count("systemctl restart companion.service") == 2
    machine.install("--uninstall")
    assert machine.sees("grep -q mine /etc/companion/companion.toml && test -f /var/lib/companion/game")
    for gone in ("/opt/companion", "/etc/systemd/system/companion.service", "/usr/local/bin/companion"):
        assert not machine.sees(f"test -e {gone}")
    assert not machine.sees("id companion")
    machine.install()
    assert machine.sees("test $(stat -c %U /var/lib/companion/game) = companion"), (
        "the games have an owner again"
    )
    machine.install("--uninstall", "--purge")
    assert not machine.sees("test -e /var/lib/companion -o -e /etc/companion")


def test_a_32_bit_system_is_refused_with_a_sentence(machine: Machine) -> None:
    said = machine.install(code=2, ARCHITECTURE="armhf")
    assert "this is a 32-bit system (armhf)" in said
    assert said.count("\n") == 1
    assert not machine.sees("test -e /opt/companion")


def test_libraries_that_cannot_be_fetched_stop_it_with_the_step_and_it_goes_on_later(
    machine: Machine,
) -> None:
    said = machine.install(code=1, NO_INDEX="1", NO_LISTS="100")
    assert "Going on with the lists there are" in said
    assert "stopped at “Installing Companion and its libraries" in said
    assert not machine.sees(f"test -e {INSTALLED}")
    machine.install()
    assert machine.sees(f"test -e {INSTALLED}/complete")


def test_what_root_puts_down_can_be_read_by_the_tables_user(machine: Machine) -> None:
    installer = str(machine.source / "hardware" / "install.sh")
    assert machine.run("bash", "-c", f"umask 077; {installer} --yes").returncode == 0
    assert machine.sees(
        "runuser -u companion -- cat /etc/companion/companion.toml /etc/systemd/system/companion.service"
    )
    assert machine.sees(f"runuser -u companion -- ls {INSTALLED}/bin/companion")


def test_a_damaged_version_is_made_anew(machine: Machine) -> None:
    machine.install()
    first = machine.version()
    assert machine.sees(f"rm {INSTALLED}/libraries")
    assert "It is damaged and is made anew" in machine.install()
    assert machine.version() == first
    assert machine.sees(f"test -e {INSTALLED}/libraries")


def test_a_wrong_configuration_stops_an_update_before_anything_changes(machine: Machine) -> None:
    machine.install()
    first = machine.version()
    assert machine.sees("sed -i s/^port/prot/ /etc/companion/companion.toml")
    machine.change("README.md", "README", "read me")
    said = machine.install("--update", code=2)
    assert "did you mean “port”?" in said
    assert "sudo nano /etc/companion/companion.toml" in said
    assert machine.version() == first


def test_an_update_goes_on_with_the_new_installer_and_a_roll_back_takes_the_service_along(
    machine: Machine,
) -> None:
    machine.install()
    first = machine.version()
    machine.change("README.md", "README", "read me")
    machine.change("hardware/companion.service", "RestartSec=2", "RestartSec=3")
    machine.change("hardware/install.sh", 'say "Done. Open', 'say "By the new one."\n    say "Done. Open')
    said = machine.install("--update")
    assert "By the new one." in said
    second = machine.version()
    assert (second != first, machine.version("previous")) == (True, first)
    assert machine.sees("grep -qx RestartSec=3 /etc/systemd/system/companion.service")
    machine.install("--rollback")
    assert (machine.version(), machine.version("previous")) == (first, second)
    assert machine.sees("grep -qx RestartSec=2 /etc/systemd/system/companion.service")


def test_an_update_that_does_not_start_is_taken_back_by_itself(machine: Machine) -> None:
    machine.install()
    machine.change("README.md", "README", "read me")
    machine.install("--update")
    before = (machine.version(), machine.version("previous"))
    machine.change("README.md", "read me", "read me again")
    machine.change("hardware/companion.service", "# Companion", "# broken")
    said = machine.install("--update", code=2)
    assert "going back to the one before" in said
    assert (machine.version(), machine.version("previous")) == before
    assert not machine.sees("grep -q broken /etc/systemd/system/companion.service")
    assert machine.calls[-2:] == [
        "systemctl restart companion.service",
        "systemctl is-active --quiet companion.service",
    ]
    machine.install("--rollback")
    assert machine.version() == before[1]


def test_without_a_version_before_there_is_nothing_to_go_back_to(machine: Machine) -> None:
    assert "there is no version before" in machine.install("--rollback", code=2)


def test_a_second_installation_at_the_same_time_is_refused(machine: Machine) -> None:
    installer = str(machine.source / "hardware" / "install.sh")
    done = machine.run("flock", "/run/lock/companion-install", installer, "--yes")
    assert done.returncode == 2
    assert "another installation is running" in done.stdout


def test_a_name_and_a_wi_fi_of_its_own(machine: Machine) -> None:
    assert "1 to 32 letters" in machine.install("--hotspot", "x" * 33, code=2)
    said = machine.install("--name", "dobbelbak", "--hotspot", "Spelletjes avond")
    assert "hostnamectl set-hostname dobbelbak" in machine.calls
    assert machine.sees("grep -q '^127.0.1.1.*dobbelbak$' /etc/hosts")
    (added,) = [call for call in machine.calls if "connection add" in call]
    assert "ssid Spelletjes avond connection.autoconnect yes" in added
    assert "Password: " in said
    assert "http://10.42.0.1:8017" in said
