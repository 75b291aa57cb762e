#!/bin/sh
# Make a certificate that this machine's own pages show, once; one that is there stays. Browsers do not
# know it: put tls.crt and tls.key of your own authority in its place.
#   certificate.sh FOLDER
set -eu
umask 077

[ -s "$1/tls.crt" ] && exit 0
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -days 825 -subj /CN=localhost \
  -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout "$1/tls.key" -out "$1/new.crt" 2>/dev/null
mv "$1/new.crt" "$1/tls.crt"
