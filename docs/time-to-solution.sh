#!/usr/bin/env bash
# Measures what docs/time-to-solution.md shows, and draws its pictures. It needs no Rust, only the program:
#   RANKINE=target/release/rankine DEVICE=cuda OUT=docs/time-to-solution bash docs/time-to-solution.sh [PART…]
# Parts are vortex, integrators, steps and tube, all of them if none is named; DEVICE is cpu or cuda. What `convergence --format json`
# prints for each order is in OUT/DEVICE/PART/NAME.json, one object after the other; pictures are OUT/DEVICE/PART.png. Paths are relative
# to the repository.
set -euo pipefail
cd "$(dirname "$0")/.."
rankine=${RANKINE:-target/release/rankine}
device=${DEVICE:-cuda}
out=${OUT:-docs/time-to-solution}/$device
parts=("$@")
# Cells along a side of the vortex' coarsest mesh, and numbers of meshes: what takes some minutes there.
if [[ $device == cpu ]]; then cells=10 checked=25 levels=3; else cells=25 checked=50 levels=4; fi

wanted() {
    [[ ${#parts[@]} == 0 || " ${parts[*]} " == *" $1 "* ]]
}

# measure PART/NAME CASE ORDER LEVELS KEY=VALUE…: appends to OUT/DEVICE/PART/NAME.json.
measure() {
    local file=$out/$1.json settings=()
    for setting in "${@:5}"; do settings+=(--set "$setting"); done
    "$rankine" convergence "docs/time-to-solution/$2.toml" --orders "$3" --levels "$4" --device "$device" \
        "${settings[@]}" --format json --quiet >> "$file"
}

# tolerance ORDER CELLS [SHARE]: as advised for the vortex on 50 cells along a side, and in proportion to the error in space on others.
tolerance() {
    awk -v p="$1" -v n="$2" -v share="${3:-1}" 'BEGIN {
        split("1e-4 1e-5 1e-6 1e-6 1e-7 1e-8 1e-8", advised, " ")
        printf "%.2e", share * advised[p] * (50 / n)^(p + 1)
    }'
}

start() {
    rm -rf "${out:?}/$1"
    mkdir -p "$out/$1"
}

draw() {
    "$rankine" plot "$out/$1"/*.json --out "$out/$1.png"
}

# Orders, with the integrator that is taken where there is a tolerance and no limiter.
if wanted vortex; then
    start vortex
    for p in 1 2 3 4 5 6 7; do
        # On finer meshes errors of degrees 6 and 7 are so small that steps as exact take minutes.
        measure vortex/carpenter_kennedy vortex "$p" $((p < 6 ? levels : 3)) "mesh.cells=[$cells, $cells]" "time.tolerance=$(tolerance "$p" "$cells")"
    done
    draw vortex
fi

# Integrators and what sets their steps.
if wanted integrators; then
    start integrators
    for p in 1 3 5; do
        for integrator in carpenter_kennedy niegemann_diehl_busch ssp_rk43; do
            measure "integrators/${integrator}_tolerance" vortex "$p" 3 "mesh.cells=[$cells, $cells]" \
                "time.integrator=$integrator" "time.tolerance=$(tolerance "$p" "$cells")"
        done
        for integrator in ssp_rk3 ssp_rk43; do
            measure "integrators/${integrator}_cfl" vortex "$p" 3 "mesh.cells=[$cells, $cells]" "time.integrator=$integrator"
        done
    done
    draw integrators
fi

# What of the error is that of steps: with the tolerance that is advised, ten times and a thirtieth of it.
if wanted steps; then
    start steps
    for share in 10 1 0.03; do
        for p in 1 2 3 4 5 6 7; do
            measure "steps/$share" vortex "$p" 1 "mesh.cells=[$checked, $checked]" "time.tolerance=$(tolerance "$p" "$checked" "$share")"
        done
    done
fi

# A shock tube; there the error in time does not fall with the mesh, and neither does the tolerance.
if wanted tube; then
    start tube
    for p in 1 2 3; do
        for ((level = 0; level < levels; level++)); do
            for integrator in ssp_rk3 ssp_rk43; do
                measure "tube/${integrator}_cfl" sod "$p" 1 "mesh.refine=$level" "time.integrator=$integrator"
            done
            measure tube/ssp_rk43_tolerance sod "$p" 1 "mesh.refine=$level" time.tolerance=1e-3
        done
    done
    draw tube
fi
