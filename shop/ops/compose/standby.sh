#!/bin/sh
# The replica of compose.yaml: copies the primary once, into an empty volume, and follows it from then on.
# PRIMARY is its host; PGUSER and PGPASSWORD sign in there. A standby that was away for longer than the primary keeps its
# log (wal_keep_size) says so in its log: remove its volume, and it is copied anew.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
    # What a copy that was broken off left behind.
    find "$PGDATA" -mindepth 1 -delete
    pg_basebackup --host="$PRIMARY" --pgdata="$PGDATA" --wal-method=stream --write-recovery-conf --checkpoint=fast
    chmod 700 "$PGDATA"
fi
exec postgres -c hot_standby_feedback=on "$@"
