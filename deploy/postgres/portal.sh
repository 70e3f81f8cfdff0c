#!/bin/sh
# Run by the image of PostgreSQL when its database is made: an ordinary role, no superuser, and its database.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$PORTAL_DB_PASSWORD" -U postgres <<'SQL'
CREATE ROLE portal LOGIN CREATEROLE PASSWORD :'password';
CREATE DATABASE portal OWNER portal;
SQL
