vcl 4.1;

# Varnish 7 between nginx (nginx.conf, which then leads to Varnish) and the shop: everybody in a market gets the same
# copy of a public page, with a cart or without. Needs vmod xkey (Debian: varnish-modules). Start it with
# -p http_gzip_support=off: the shop compresses, also with Brotli, which Varnish does not know.
# The shop runs with CDN=varnish, CDN_PURGE_URLS=http://127.0.0.1:6081 (each Varnish, separated by commas) and
# TRUSTED_PROXY_COUNT=2; with COUNTRY_HEADER=X-Country where nginx tells a visitor's country.

import std;
import xkey;

backend shop {
    .host = "127.0.0.1";
    .port = "8000";
    .connect_timeout = 3s;
    .first_byte_timeout = 60s;
    .probe = {
        .request = "GET /healthz HTTP/1.1" "Host: shop" "Connection: close";
        .interval = 1s;
        .timeout = 2s;
        .window = 3;
        .threshold = 2;
        .initial = 3;
    }
}

# Where the shop's clocks purge from, and where nginx is, whose word on addresses and countries counts.
acl own {
    "127.0.0.1";
    "::1";
}

sub vcl_recv {
    if (req.method == "PURGE") {
        # Varnish adds whoever asks it to the header: two addresses are somebody else's request, handed on by nginx.
        if (client.ip !~ own || req.http.X-Forwarded-For ~ ",") {
            return (synth(403, "Not allowed"));
        }
        if (!req.http.Purge-Keys) {
            return (synth(400, "No keys"));
        }
        set req.http.X-Purged = xkey.purge(req.http.Purge-Keys);
        return (synth(200, "Purged"));
    }
    if (req.restarts == 0) {
        unset req.http.X-Grace;
        if (client.ip !~ own) {
            unset req.http.X-Country;
            set req.http.X-Forwarded-For = client.ip;
        }
    }
    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
    # Figures and health are asked where the app is; staff and people's own answers are never kept.
    # Feeds are written anew for each who asks, and large.
    if (req.http.Authorization || req.url ~ "^/(admin|feeds|payments|metrics|readyz|healthz)(/|$|\?)|^/api/me/") {
        return (pass);
    }
    # A currency that was picked by hand; without a market in the address also a country or a language. No other
    # cookie changes a public page.
    if (req.http.Cookie ~ "(^|;\s*)currency=") {
        return (pass);
    }
    if (req.url !~ "^/[a-z]{2,3}-[a-z]{2}(/|$|\?)" && req.http.Cookie ~ "(^|;\s*)(deliver_to|language)=") {
        return (pass);
    }
    # One copy for each encoding, whatever else a browser says; one for each part of a page that scripts ask for.
    if (req.http.Accept-Encoding ~ "(?i)\bbr\b" && req.http.Accept-Encoding !~ "(?i)\bbr\s*;\s*q=0(\.0*)?\s*(,|$)") {
        set req.http.Accept-Encoding = "br";
    } elsif (req.http.Accept-Encoding ~ "(?i)\bgzip\b" && req.http.Accept-Encoding !~ "(?i)\bgzip\s*;\s*q=0(\.0*)?\s*(,|$)") {
        set req.http.Accept-Encoding = "gzip";
    } else {
        unset req.http.Accept-Encoding;
    }
    if (req.http.HX-Request != "true") {
        unset req.http.HX-Request;
        unset req.http.HX-Target;
    } elsif (req.http.HX-Target ~ ".{60}") {
        return (pass);
    }
    # After a restart: only a fresh copy (vcl_hit), or any that is there (vcl_synth).
    if (req.http.X-Grace == "none") {
        set req.grace = 0s;
    } elsif (req.http.X-Grace == "any") {
        set req.grace = 1d;  # what was set before the restart would stay
    }
    return (hash);
}

sub vcl_hash {
    hash_data(req.url);
    hash_data(req.http.Host);
    hash_data(req.http.X-Forwarded-Proto);
    return (lookup);
}

sub vcl_hit {
    # Objects stay for stale-if-error. While the shop answers, they are shown for stale-while-revalidate alone.
    if (obj.ttl < 0s && !req.http.X-Grace && std.healthy(req.backend_hint)
        && obj.ttl + std.duration(obj.http.X-While-Revalidated, 0s) < 0s) {
        set req.http.X-Grace = "none";
        return (restart);
    }
    return (deliver);
}

sub vcl_backend_fetch {
    if (bereq.url ~ "^/(admin|feeds)(/|$|\?)") {
        set bereq.first_byte_timeout = 300s;  # as in nginx.conf: they are written whole before they are sent
    }
    set bereq.http.X-Asked-At = std.time2real(now, 0.0);
}

sub vcl_backend_response {
    if (beresp.status >= 500 && (bereq.is_bgfetch || bereq.http.X-Grace == "none")) {
        return (abandon);  # any other answer would take the place of the copy that is there
    }
    if (beresp.http.Set-Cookie || beresp.http.Vary ~ "(?i)cookie|\*" || beresp.status >= 500) {
        set beresp.uncacheable = true;
    } elsif (beresp.http.Surrogate-Control && std.real(beresp.http.Surrogate-Age, 9.0)
        + std.time2real(now, 0.0) - std.real(bereq.http.X-Asked-At, 0.0) > 1.15) {
        # It may be older than a change whose copies are purged for the last time within two seconds, at 1.2 (purging.py).
        set beresp.uncacheable = true;
    } elsif (beresp.http.Surrogate-Control ~ "max-age=\d+") {
        set beresp.ttl = std.duration(regsub(beresp.http.Surrogate-Control, "^.*max-age=(\d+).*$", "\1s"), 0s);
        set beresp.http.X-While-Revalidated =
            regsub(beresp.http.Surrogate-Control, "^.*stale-while-revalidate=(\d+).*$|^.*$", "\1") + "s";
        set beresp.grace = std.duration(
            regsub(beresp.http.Surrogate-Control, "^.*stale-if-error=(\d+).*$|^.*$", "\1") + "s", 0s);
        set beresp.http.xkey = beresp.http.Surrogate-Key;
    } elsif (beresp.http.Cache-Control ~ "public" && beresp.http.Cache-Control ~ "max-age") {
        set beresp.grace = 0s;  # files for ever, named by their content
    } else {
        set beresp.uncacheable = true;
    }
    if (beresp.uncacheable) {
        set beresp.ttl = 120s;  # so long nobody waits for whoever asks the same
        if (beresp.http.Surrogate-Control) {
            set beresp.ttl = 1s;
        }
        if (beresp.status >= 500) {
            set beresp.ttl = 0s;
        }
        set beresp.grace = 0s;
    }
    unset beresp.http.Surrogate-Key;
    unset beresp.http.Surrogate-Control;
    unset beresp.http.Surrogate-Age;
    return (deliver);
}

sub vcl_backend_error {
    set beresp.ttl = 0s;
    set beresp.grace = 0s;
    if (bereq.is_bgfetch || bereq.http.X-Grace == "none") {
        return (abandon);
    }
}

sub vcl_deliver {
    # For the same request the proxy and the shop write one id in their logs; a copy carries that of another.
    if (obj.hits > 0) {
        unset resp.http.X-Request-Id;
        if (req.http.X-Request-Id) {
            set resp.http.X-Request-Id = req.http.X-Request-Id;
        }
        set resp.http.X-Cache = "hit";
    } else {
        set resp.http.X-Cache = "miss";
    }
    unset resp.http.xkey;
    unset resp.http.X-While-Revalidated;
    unset resp.http.Via;
    unset resp.http.X-Varnish;
}

sub vcl_synth {
    # What the shop cannot answer now is shown as it was.
    if (resp.status == 503 && req.http.X-Grace == "none") {
        set req.http.X-Grace = "any";
        return (restart);
    }
}
