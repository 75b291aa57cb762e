#!/bin/sh
# Gives each Redis user a password: Redis gets its digest, the folder of the user the whole URL.
#   users.sh RULES USERS NAME=FOLDER...     reads RULES, writes USERS and FOLDER/url
# A password that is there stays: whoever is connected goes on with it. The rules are written anew.
set -eu
umask 022

rules=$1
users=$2
shift 2

drawn() { # 256 bits, as 64 hexadecimal digits
  od -An -v -N32 -tx1 /dev/urandom | tr -d ' \n'
}

password_in() {
  sed -nE 's|^redis://[a-z]+:([0-9a-f]{64})@.*|\1|p' "$1"
}

made=$(cat "$rules")
for user in "$@"; do
  name=${user%%=*}
  url=${user#*=}/url
  if [ ! -e "$url" ]; then
    echo "redis://$name:$(drawn)@redis:6379/0" >"$url.new"
    mv "$url.new" "$url"
  fi
  password=$(password_in "$url")
  [ -n "$password" ] || { echo "users: $url holds no password; remove it" >&2 && exit 78; }
  digest=$(printf %s "$password" | sha256sum)
  made=$(echo "$made" | sed "s/@$name@/${digest%% *}/")
done
echo "$made" >"$users.new"
mv "$users.new" "$users"
