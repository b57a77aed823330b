#!/bin/sh
# Runs a command of the project as the service's user, with its configuration. As root, for example:
#   run-as-service.sh scripts/keys.ts list
# CONFIG names another file than /etc/farm-prices/farm-prices.env.
set -eu
cd "$(dirname "$0")/../.."
set -a
. "${CONFIG:-/etc/farm-prices/farm-prices.env}"
exec runuser -u farm-prices -- node scripts/run.js "$@"
