#!/bin/sh
# Sets the connections and open files of each worker process of nginx, in its main configuration, as root:
#   raise-nginx-connections.sh [/etc/nginx/nginx.conf]
# Both belong to the whole nginx, so the file of a site cannot set them. Running it again changes nothing.
set -eu
file=${1:-/etc/nginx/nginx.conf}
setting='^[[:space:]]*worker_connections[[:space:]][[:space:]]*[0-9][0-9]*;'
if [ "$(grep -c "$setting" "$file")" != 1 ]; then
  echo "$file: expected one line with worker_connections and a number, as nginx's own file has it" >&2
  exit 1
fi
# A request takes a connection of the client and one to the service; each is an open file.
sed -i -e '1i worker_rlimit_nofile 32768;' \
  -e '/^[[:space:]]*worker_rlimit_nofile[[:space:]]/d' \
  -e 's/^\([[:space:]]*worker_connections\)[[:space:]][[:space:]]*[0-9][0-9]*;/\1 8192;/' "$file"
