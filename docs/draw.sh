#!/usr/bin/env bash
# Draws the pictures of the documents anew: `bash docs/draw.sh`, or `bash docs/draw.sh NAME…` for some of them, as `gallery/sod`.
# DEVICE=cpu computes elsewhere than on the first GPU; there the larger ones take hours.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release --package equations
rankine=${CARGO_TARGET_DIR:-target}/release/rankine
out=$(mktemp -d)
trap 'rm -r "$out"' EXIT
names=("$@")

wanted() {
    [[ ${#names[@]} == 0 || " ${names[*]} " == *" $1 "* ]]
}

# draw NAME FIELD CASE [FLAGS…]: the last picture of FIELD in a run of the case becomes docs/NAME.png.
draw() {
    local name=$1 field=$2 case=$3
    wanted "$name" || return 0
    "$rankine" run "equations/cases/$case.toml" --device "${DEVICE:-auto}" --out "$out/$name" "${@:4}"
    local pictures=("$out/$name/${field}"_[0-9]*.png)
    cp "${pictures[-1]}" "docs/$name.png"
}

draw supersonic_vortex mach supersonic_vortex
draw gallery/double_mach_p1 rho double_mach --set 'mesh.cells=[1436, 336]' --set time.tolerance=1e-3
draw gallery/double_mach_p3 rho double_mach --order 3 \
    --set limiter.method=filter --set limiter.indicator=decay
draw gallery/forward_step rho forward_step
draw gallery/riemann_2d rho riemann_2d --set 'mesh.cells=[400, 400]'
draw gallery/kelvin_helmholtz rho kelvin_helmholtz --set 'mesh.cells=[128, 128]'
draw gallery/island surface island
draw gallery/rising_bubble potential_temperature rising_bubble
draw gallery/swirl u swirl --set time.final=0.75
draw gallery/garvin v2 garvin --set time.final=3
if wanted gallery/garvin_receivers; then
    "$rankine" run equations/cases/garvin.toml --device "${DEVICE:-auto}" --out "$out/garvin"
    signals=()
    for name in near far; do
        signals+=("$out/garvin/receiver_$name.csv" "equations/references/receiver_${name}_exact.csv")
    done
    "$rankine" plot "${signals[@]}" --component v2 --out docs/gallery/garvin_receivers.png
fi
draw gallery/zinc v2 zinc
draw gallery/basin v1 basin --set time.final=3
draw gallery/lens pressure lens
draw gallery/grains gas_pressure grains --set time.final=1.5
draw gallery/bow_shock rho bow_shock
draw gallery/rayleigh_taylor rho rayleigh_taylor
draw gallery/ringleb mach ringleb
draw gallery/cylinder_100 temperature cylinder_100
draw gallery/viscous_shock_tube rho viscous_shock_tube
draw gallery/cylinder mach cylinder
draw gallery/cylinder_mixed mach cylinder_mixed
draw gallery/lifting_airfoil mach lifting_airfoil
draw gallery/sod rho sod
draw gallery/shu_osher rho shu_osher
draw gallery/burgers_shock u burgers_shock
if wanted roofline; then
    "$rankine" bench euler --orders 1..5 --elements 800000 --device "${DEVICE:-auto}" --roofline docs/roofline.png
fi
