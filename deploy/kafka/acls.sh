#!/bin/sh
# Gives Kafka the rights of acls.txt; a right that is there already stays as it is.
#   acls.sh BROKERS [OPTION...]     options are those of kafka-acls.sh, such as --command-config FILE
# kafka-acls.sh is taken from the path, or from KAFKA_ACLS.
set -eu

brokers=${1:?usage: acls.sh BROKERS [OPTION...]}
shift
list=$(dirname "$0")/acls.txt

allow() { # PRINCIPAL RESOURCE OPERATIONS [OPTION...]
  principal=$1 kind=${2%%:*} name=${2#*:} operations=$3 pattern=literal
  shift 3
  case $name in
    ?*\*) name=${name%\*} pattern=prefixed ;;
  esac
  for operation in $(echo "$operations" | tr , ' '); do
    set -- "$@" --operation "$operation"
  done
  case $kind in
    cluster) set -- "$@" --cluster ;;
    *) set -- "$@" "--$kind" "$name" --resource-pattern-type "$pattern" ;;
  esac
  "${KAFKA_ACLS:-kafka-acls.sh}" --bootstrap-server "$brokers" --add --force \
    --allow-principal "User:$principal" "$@" </dev/null
}

grep -v -e '^#' -e '^$' "$list" | while read -r principal resource operations; do
  allow "$principal" "$resource" "$operations" "$@"
done
