#!/bin/sh
# PgBouncer of compose.yaml: it signs in to PostgreSQL with the password by which the shop signs in to it.
set -eu
umask 077
printf '"%s" "%s"\n' "$PGUSER" "$(printf %s "$PGPASSWORD" | sed 's/"/""/g')" > /tmp/userlist.txt
exec pgbouncer "$@"
