#!/bin/sh
# Prints the SQL that makes an empty D1 database hold what a SQLite file of the service holds: to-d1.sh coffer.sqlite.
# A plain dump does not do: D1 always checks foreign keys, so tables and their keys come before rows, and triggers, which
# would book every row once more, come last.
set -eu
sql() { sqlite3 -readonly "$1" "SELECT sql || ';' FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND $2"; }

echo 'PRAGMA defer_foreign_keys = TRUE;'
sql "$1" "type = 'table'"
sql "$1" "type = 'index'"
sqlite3 -readonly "$1" '.dump --data-only --nosys' |
  grep -vxE '(PRAGMA foreign_keys=OFF|BEGIN TRANSACTION|COMMIT);'
sql "$1" "type = 'view'"
sql "$1" "type = 'trigger'"
