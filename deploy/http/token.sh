#!/bin/sh
# Draws the token that workers ask for on their HTTP port; one that is there stays.
#   token.sh FILE
set -eu
umask 022

[ -s "$1" ] && exit 0
od -An -v -N32 -tx1 /dev/urandom | tr -d ' \n' >"$1.new" # 256 bits, as 64 hexadecimal digits
mv "$1.new" "$1"
