#!/usr/bin/env bash
# counts.sh [BYTES]: instructions that a message of BYTES (4096) costs under the vector drivers and under the portable
# ones, counted in an emulator. They are not time: a CPU does several at once, and some take many cycles. Needs
# qemu-aarch64-static, aarch64-linux-gnu-gcc with its C library, and Rust's standard library for the target.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

bytes=${1:-4096}
target=aarch64-unknown-linux-gnu
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
unset KCRYPTO_CPU
cargo build --quiet --release --locked --target "$target" -p kcrypto-arm --example count
program=${CARGO_TARGET_DIR:-target}/$target/release/examples/count

# executed DRIVER KEY-BYTES MESSAGES: every instruction is a block of its own, and a line of the log.
executed() {
    qemu-aarch64-static -L /usr/aarch64-linux-gnu -singlestep -d exec,nochain \
        "$program" "$1" "$2" "$bytes" "$3" 2>&1 | grep -c '^Trace '
}

# count DRIVER KEY-BYTES: nine messages less one, by eight.
count() {
    local one nine
    one=$(executed "$1" "$2" 1)
    nine=$(executed "$1" "$2" 9)
    echo "$1, $((8 * $2)) bits of key, $bytes bytes: $(((nine - one) / 8))"
}

for driver in xts-speck64-neon 'xts(ecb(speck64-generic))'; do
    count "$driver" 32
done
for driver in xts-speck128-neon 'xts(ecb(speck128-generic))'; do
    count "$driver" 64
done
for driver in ctr-aes-ce ctr-aes-neon 'ctr(aes-generic)'; do
    count "$driver" 16
done
for driver in xts-aes-ce xts-aes-neon 'xts(ecb(aes-generic))'; do
    count "$driver" 32
done
