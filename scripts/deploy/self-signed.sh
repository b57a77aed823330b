#!/bin/sh
# Makes a certificate for trying TLS: self-signed.sh FOLDER NAME. Browsers refuse it; curl takes it with --cacert.
set -eu
folder=${1:?the folder for fullchain.pem and privkey.pem}
name=${2:?the name of the server}
mkdir -p "$folder"
umask 077
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj "/CN=$name" \
  -addext "subjectAltName=DNS:$name,IP:127.0.0.1" \
  -keyout "$folder/privkey.pem" -out "$folder/fullchain.pem" 2>/dev/null
chmod 644 "$folder/fullchain.pem"
