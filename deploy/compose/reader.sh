#!/bin/sh
# Run once by the image of PostgreSQL: the role with which Grafana reads (docs/operations.md).
set -eu
psql --set ON_ERROR_STOP=1 --set password="$POSTGRES_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
create role signalpost_reader login password :'password';
grant pg_read_all_data to signalpost_reader;
alter role signalpost_reader set default_transaction_read_only = on;
alter role signalpost_reader set statement_timeout = '10s';
SQL
