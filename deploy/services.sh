#!/usr/bin/env bash
# Fetches what the tests start: Apache Kafka's jars, Redis, PostgreSQL, Chromium with axe-core, promtool, and
# helm with the schemas of Kubernetes.
# Says nothing when all are there; one line and exit 1 when one cannot be had.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
pom=$root/deploy/kafka/pom.xml
kafka=$root/.cache/kafka
scripts=$root/.cache/browser
chart=$root/.cache/helm
helm=v3.22.0
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

install_debian() { # NAME PACKAGE...
  local name=$1
  shift
  [ "$(id -u)" -eq 0 ] && have apt-get || refuse "$name is missing; install it (Debian: apt-get install $*)"
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update && apt-get install -y --no-install-recommends "$@"; } >>"$log" 2>&1 </dev/null ||
    refuse "apt-get could not install $name; its words are in $log"
}

get_redis() {
  [ "$(redis_version)" -ge 7 ] && return
  install_debian "Redis 7 or newer" redis-server
  [ "$(redis_version)" -ge 7 ] || refuse "the distribution's Redis is too old; install redis-server 7 or newer"
}

get_others() { # PostgreSQL for the tables of analysts, Chromium for the pages, promtool for the alerts
  compgen -G "/usr/lib/postgresql/*/bin/postgres" >/dev/null || have postgres || install_debian PostgreSQL postgresql
  have chromium || install_debian Chromium chromium
  have promtool || install_debian promtool prometheus
}

get_scripts() { # axe-core, which the tests load into pages, and the package of the pages' own library
  cmp -s "$root/deploy/browser/package-lock.json" "$scripts/package-lock.json" && return
  have npm || install_debian npm npm
  local fresh=$scripts.part
  rm -rf "$fresh"
  mkdir -p "$fresh"
  cp "$root/deploy/browser/package.json" "$root/deploy/browser/package-lock.json" "$fresh"
  (cd "$fresh" && npm ci --ignore-scripts --no-audit --no-fund) >>"$log" 2>&1 </dev/null ||
    refuse "npm could not fetch axe-core; its words are in $log"
  rm -rf "$scripts"
  mv -T "$fresh" "$scripts"
}

get_helm() { # built from its source; the schemas of Kubernetes and of custom resources are packages
  local tools=$root/deploy/helm/tools fresh=$chart.part
  local wanted
  wanted=$(echo "$helm" | cat - "$tools"/*.lock "$tools"/*.json "$tools"/*.mjs | cksum)
  [ "$(cat "$chart/made-of" 2>/dev/null)" = "$wanted" ] && return
  have go || {
    echo "services: helm needs Go to be built; without it the tests of the chart are skipped, and fail in CI" >&2
    return
  }
  have npm || install_debian npm npm
  rm -rf "$fresh"
  mkdir -p "$fresh"
  cp "$tools"/* "$fresh"
  {
    GOBIN=$fresh CGO_ENABLED=0 go install -trimpath -ldflags="-s -w" "helm.sh/helm/v3/cmd/helm@$helm" &&
      "$root/.venv/bin/python" -m pip download -q --no-deps --require-hashes -r "$tools/requirements.lock" -d "$fresh" &&
      (cd "$fresh" && npm ci --ignore-scripts --no-audit --no-fund)
  } >>"$log" 2>&1 </dev/null || refuse "helm or the schemas of Kubernetes could not be had; the words are in $log"
  echo "$wanted" >"$fresh/made-of"
  rm -rf "$chart"
  mv -T "$fresh" "$chart"
}

mkdir -p "$root/.cache"
exec 9>"$root/.cache/services.lock"
flock 9 # of two at a time, the second finds everything ready
[ "$(java_version)" -ge 17 ] || refuse "Apache Kafka needs Java 17 or newer (Debian: apt-get install openjdk-17-jre-headless)"
get_kafka
get_redis
get_others
get_scripts
get_helm
