#!/usr/bin/env bash
# Which driver answers cts(cbc(aes)), and whether AES instructions are executed: with the AES extension, with the
# extension masked, and with a system that does not report it. Needs qemu-aarch64-static, aarch64-linux-gnu-gcc with
# its C library, and Rust's standard library for the target; works on any CPU.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

target=aarch64-unknown-linux-gnu
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
unset KCRYPTO_CPU
cargo build --quiet --locked --target "$target" -p kcrypto-arm --example cts
program=${CARGO_TARGET_DIR:-target}/$target/debug/examples/cts

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A system whose CPU has no AES and no PMULL: bits 3 and 4 of AT_HWCAP.
cat > "$work/hide.c" <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/auxv.h>
unsigned long getauxval(unsigned long kind) {
    unsigned long (*next)(unsigned long) = (unsigned long (*)(unsigned long))dlsym(RTLD_NEXT, "getauxval");
    unsigned long value = next(kind);
    return kind == AT_HWCAP ? value & ~0x18ul : value;
}
C
aarch64-linux-gnu-gcc -O1 -shared -fPIC "$work/hide.c" -o "$work/hide.so"

# check DRIVER yes|no QEMU-ARGUMENT...
check() {
    local driver=$1 expected=$2 answered found=no
    shift 2
    rm -f "$work/log"
    answered=$(qemu-aarch64-static -L /usr/aarch64-linux-gnu -d in_asm -D "$work/log" "$@" "$program")
    [ -s "$work/log" ]
    if grep -qwE 'aese|aesd|aesmc|aesimc' "$work/log"; then
        found=yes
    fi
    echo "${*:-everything}: $answered, AES instructions: $found"
    [ "$answered" = "$driver" ] && [ "$found" = "$expected" ]
}

check cts-cbc-aes-ce yes
check cts-cbc-aes-neon no -E KCRYPTO_CPU=-aes
check cts-cbc-aes-neon no -E KCRYPTO_CPU=-pmull
check cts-cbc-aes-neon no -E "LD_PRELOAD=$work/hide.so"
