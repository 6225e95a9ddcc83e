#!/usr/bin/env bash
# Makes the STL files from stand.scad; measures are given as  make.sh height=500 reach=240.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
command -v openscad >/dev/null || {
    echo "Install OpenSCAD first: sudo apt install openscad" >&2
    exit 2
}
measures=()
for measure in "$@"; do measures+=(-D "$measure"); done

part() { # file, part, camera
    local said
    said=$(openscad --export-format binstl -o "$1.stl" -D "part=\"$2\"" -D "camera=\"${3:-module3}\"" "${measures[@]}" stand.scad 2>&1) || {
        echo "$said" >&2
        exit 1
    }
    echo "$1.stl"
    # How many columns, and how long.
    if [ "$2" = column ]; then sed -n 's/^ECHO: "\(.*\)"$/   \1/p' <<<"$said"; fi
}
part foot foot
part column column
part elbow elbow
part arm arm
part head-module3 head module3
part head-module2 head module2
part head-hq head hq
part head-usb head usb
part lamp-clamp lamp_clamp
