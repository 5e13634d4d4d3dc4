import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The bytes of a database that these statements make. */
export function databaseOf(statements: string, pragmas = ''): Uint8Array {
  const path = join(tmpdir(), `coffer-${process.pid}-${performance.now()}.sqlite`)
  const database = new DatabaseSync(path)
  try {
    database.exec(`${pragmas};PRAGMA journal_mode = DELETE;${statements}`)
    database.close()
    return new Uint8Array(readFileSync(path))
  } finally {
    rmSync(path, { force: true })
  }
}

const SCHEMA = `
CREATE TABLE accounts (id TEXT PRIMARY KEY, account_id TEXT, name TEXT, tombstone INTEGER DEFAULT 0, type TEXT, offbudget INTEGER);
ALTER TABLE accounts ADD COLUMN closed INTEGER DEFAULT 0;
CREATE TABLE payees (id TEXT PRIMARY KEY, name TEXT, category TEXT, tombstone INTEGER DEFAULT 0, transfer_acct TEXT);
CREATE TABLE payee_mapping (id TEXT PRIMARY KEY, targetId TEXT);
CREATE TABLE category_groups (id TEXT PRIMARY KEY, name TEXT, is_income INTEGER, tombstone INTEGER DEFAULT 0);
CREATE TABLE categories (id TEXT PRIMARY KEY, name TEXT, is_income INTEGER, cat_group TEXT, tombstone INTEGER DEFAULT 0);
CREATE TABLE category_mapping (id TEXT PRIMARY KEY, transferId TEXT);
CREATE TABLE transactions (id TEXT PRIMARY KEY, isParent INTEGER DEFAULT 0, isChild INTEGER DEFAULT 0, acct TEXT, category TEXT,
  amount INTEGER, description TEXT, notes TEXT, date INTEGER, imported_description TEXT, transferred_id TEXT, sort_order REAL,
  tombstone INTEGER DEFAULT 0, cleared INTEGER DEFAULT 1, parent_id TEXT);
`

/** A budget of Actual with a split one part of which is a transfer. */
export const budget = (more = '') =>
  databaseOf(`${SCHEMA}
INSERT INTO accounts (id, name, type) VALUES ('A', 'Checking', 'checking'), ('S', 'Savings', NULL);
INSERT INTO accounts (id, name, tombstone) VALUES ('X', 'Gone', 1);
INSERT INTO payees (id, name, transfer_acct) VALUES ('p1', 'Shop', NULL), ('p2', 'Shop Inc', NULL), ('pA', NULL, 'A'), ('pS', NULL, 'S');
INSERT INTO payee_mapping VALUES ('p1', 'p1'), ('p2', 'p1'), ('pA', 'pA'), ('pS', 'pS');
INSERT INTO category_groups (id, name) VALUES ('g', 'Home');
INSERT INTO categories (id, name, cat_group) VALUES ('c1', 'Food', 'g'), ('c2', 'Meals', 'g');
INSERT INTO category_mapping VALUES ('c1', 'c1'), ('c2', 'c1');
INSERT INTO transactions (id, acct, category, amount, description, notes, date, imported_description, sort_order, cleared) VALUES
  ('t1', 'A', 'c2', -1250, 'p2', 'Milk', 20260314, 'SHOP 77', 1.5, 0);
INSERT INTO transactions (id, isParent, acct, amount, date) VALUES ('t2', 1, 'A', -5000, 20260315);
INSERT INTO transactions (id, isChild, acct, category, amount, description, date, parent_id, transferred_id) VALUES
  ('t2/1', 1, 'A', 'c1', -2000, 'p1', 20260315, NULL, NULL), ('part', 1, 'A', NULL, -3000, 'pS', 20260315, 't2', 't3');
INSERT INTO transactions (id, acct, amount, description, date, transferred_id) VALUES ('t3', 'S', 3000, 'pA', 20260315, 'part');
INSERT INTO transactions (id, acct, amount, date, tombstone) VALUES ('t4', 'A', -1, 20260316, 1), ('t5', 'A', NULL, 20260317, 0);
${more}`)
