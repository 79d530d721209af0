#!/bin/sh
# Makes the two buckets of compose.yaml: of one everybody may read what he can name, of the other nobody but the shop.
set -eu
export MC_CONFIG_DIR=/tmp/mc
mc alias set store http://bucket:9000 "$MINIO_ROOT_USER" "$MINIO_ROOT_PASSWORD" >/dev/null
mc mb --ignore-existing "store/$FILES_BUCKET" "store/$PRIVATE_FILES_BUCKET"
cat > /tmp/policy.json <<POLICY
{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"AWS": ["*"]}, "Action": ["s3:GetObject"],
 "Resource": ["arn:aws:s3:::$FILES_BUCKET/*"]}]}
POLICY
mc anonymous set-json /tmp/policy.json "store/$FILES_BUCKET"
