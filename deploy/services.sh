#!/usr/bin/env bash
# Fetches what the broker tests start: Apache Kafka's jars and a Redis server.
# Says nothing when both are there; one line and exit 1 when one cannot be had.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
pom=$root/deploy/kafka/pom.xml
kafka=$root/.cache/kafka
log=$root/.cache/services.log

refuse() {
  echo "services: $1" >&2
  exit 1
}

have() {
  command -v "$1" >/dev/null
}

java_version() { # 17 for 17.0.15; 0 without Java
  java -version 2>&1 | sed -nE 's/.* version "([0-9]+).*/\1/p' | head -n 1 | grep . || echo 0
}

redis_version() { # 7 for 7.0.15; 0 without Redis
  redis-server --version 2>/dev/null | sed -nE 's/.* v=([0-9]+).*/\1/p' | grep . || echo 0
}

get_kafka() {
  cmp -s "$pom" "$kafka/pom.xml" && return
  have mvn || refuse "Apache Kafka needs Maven to be fetched; install it (Debian: apt-get install maven)"
  local fresh=$kafka.part
  rm -rf "$fresh"
  mvn -q -B -ntp -Dstyle.color=never -f "$pom" dependency:copy-dependencies \
    -DincludeScope=runtime -DoutputDirectory="$fresh/libs" >>"$log" 2>&1 </dev/null ||
    refuse "Maven could not fetch Apache Kafka; its words are in $log"
  # The folder is moved whole, with the pom it was made from: an interrupted run starts anew.
  cp "$pom" "$fresh/pom.xml"
  rm -rf "$kafka"
  mv -T "$fresh" "$kafka"
}

get_redis() {
  [ "$(redis_version)" -ge 7 ] && return
  local wanted="install redis-server 7 or newer (Debian: apt-get install redis-server)"
  [ "$(id -u)" -eq 0 ] && have apt-get || refuse "Redis is missing; $wanted"
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update && apt-get install -y --no-install-recommends redis-server; } \
    >>"$log" 2>&1 </dev/null || refuse "apt-get could not install Redis; its words are in $log"
  [ "$(redis_version)" -ge 7 ] || refuse "the distribution's Redis is too old; $wanted"
}

mkdir -p "$root/.cache"
exec 9>"$root/.cache/services.lock"
flock 9 # of two at a time, the second finds everything ready
[ "$(java_version)" -ge 17 ] || refuse "Apache Kafka needs Java 17 or newer (Debian: apt-get install openjdk-17-jre-headless)"
get_kafka
get_redis
