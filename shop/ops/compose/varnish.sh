#!/bin/sh
# Varnish of compose.yaml: shop/ops/varnish.vcl with every container of the app as a backend, asked in turn, and the
# network of the shop as its own. APPS are their hosts, NETWORK is its address in CIDR form; words are varnishd's options.
set -eu
source=${VCL:-/etc/varnish/shop.vcl}
made=$(mktemp)
{
    echo 'vcl 4.1;'
    echo 'import directors;'
    number=0
    for app in $APPS; do
        number=$((number + 1))
        sed -n '/^backend shop {/,/^}/p' "$source" |
            sed "s/^backend shop /backend app_$number /; s/\.host = \"127\.0\.0\.1\";/.host = \"$app\";/"
    done
    echo 'sub vcl_init {'
    echo '    new apps = directors.round_robin();'
    for one in $(seq "$number"); do echo "    apps.add_backend(app_$one);"; done
    echo '}'
    echo 'sub vcl_recv { set req.backend_hint = apps.backend(); }'
    sed "/^vcl 4\.1;/d; /^backend shop {/,/^}/d; s|^    \"127\.0\.0\.1\";|&\n    \"${NETWORK%/*}\"/${NETWORK#*/};|" "$source"
} > "$made"
chmod a+r "$made"  # varnishd reads it as a user of its own
exec varnishd -f "$made" "$@"
