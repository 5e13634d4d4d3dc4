CREATE TRIGGER entries_no_replace BEFORE INSERT ON entries
WHEN EXISTS (SELECT 1 FROM entries WHERE transaction_id = NEW.transaction_id AND line = NEW.line)
BEGIN SELECT RAISE(ABORT, 'entries are never replaced in place'); END;

-- Projection account_balances: the account's own lines, void ones counted but without their amount.
CREATE TRIGGER entries_insert_balance AFTER INSERT ON entries WHEN NEW.side = 'account'
BEGIN
  UPDATE account_balances SET
    balance_minor = balance_minor + CASE WHEN NEW.status = 'void' THEN 0 ELSE NEW.amount_minor END,
    cleared_minor = cleared_minor
      + CASE WHEN NEW.status IN ('cleared', 'reconciled') THEN NEW.amount_minor ELSE 0 END,
    reconciled_minor = reconciled_minor
      + CASE WHEN NEW.status = 'reconciled' THEN NEW.amount_minor ELSE 0 END,
    transaction_count = transaction_count + 1,
    last_date = max(ifnull(last_date, NEW.date), NEW.date)
  WHERE account_id = NEW.account_id;
END;

CREATE TRIGGER entries_delete_balance AFTER DELETE ON entries WHEN OLD.side = 'account'
BEGIN
  UPDATE account_balances SET
    balance_minor = balance_minor - CASE WHEN OLD.status = 'void' THEN 0 ELSE OLD.amount_minor END,
    cleared_minor = cleared_minor
      - CASE WHEN OLD.status IN ('cleared', 'reconciled') THEN OLD.amount_minor ELSE 0 END,
    reconciled_minor = reconciled_minor
      - CASE WHEN OLD.status = 'reconciled' THEN OLD.amount_minor ELSE 0 END,
    transaction_count = transaction_count - 1,
    last_date = CASE WHEN OLD.date < last_date THEN last_date ELSE
      (SELECT max(date) FROM entries WHERE account_id = OLD.account_id AND side = 'account') END
  WHERE account_id = OLD.account_id;
END;

CREATE TRIGGER entries_insert_opening AFTER INSERT ON entries
WHEN NEW.side = 'opening' AND NEW.status <> 'void'
BEGIN
  UPDATE account_balances SET opening_minor = opening_minor - NEW.amount_minor
  WHERE account_id = NEW.account_id;
END;

CREATE TRIGGER entries_delete_opening AFTER DELETE ON entries
WHEN OLD.side = 'opening' AND OLD.status <> 'void'
BEGIN
  UPDATE account_balances SET opening_minor = opening_minor + OLD.amount_minor
  WHERE account_id = OLD.account_id;
END;

CREATE TRIGGER entries_insert_period AFTER INSERT ON entries WHEN NEW.side = 'account'
BEGIN
  INSERT INTO account_periods (account_id, grain, period, inflow_minor, outflow_minor, cleared_minor,
    reconciled_minor, entry_count)
  SELECT NEW.account_id, grain, period,
    CASE WHEN NEW.status <> 'void' THEN max(NEW.amount_minor, 0) ELSE 0 END,
    CASE WHEN NEW.status <> 'void' THEN min(NEW.amount_minor, 0) ELSE 0 END,
    CASE WHEN NEW.status IN ('cleared', 'reconciled') THEN NEW.amount_minor ELSE 0 END,
    CASE WHEN NEW.status = 'reconciled' THEN NEW.amount_minor ELSE 0 END,
    1
  FROM (SELECT 'day' AS grain, NEW.date AS period UNION ALL SELECT 'month', substr(NEW.date, 1, 7))
  WHERE true
  ON CONFLICT (account_id, grain, period) DO UPDATE SET
    inflow_minor = inflow_minor + excluded.inflow_minor,
    outflow_minor = outflow_minor + excluded.outflow_minor,
    cleared_minor = cleared_minor + excluded.cleared_minor,
    reconciled_minor = reconciled_minor + excluded.reconciled_minor,
    entry_count = entry_count + 1;
END;

CREATE TRIGGER entries_delete_period AFTER DELETE ON entries WHEN OLD.side = 'account'
BEGIN
  UPDATE account_periods SET
    inflow_minor = inflow_minor - CASE WHEN OLD.status <> 'void' THEN max(OLD.amount_minor, 0) ELSE 0 END,
    outflow_minor = outflow_minor - CASE WHEN OLD.status <> 'void' THEN min(OLD.amount_minor, 0) ELSE 0 END,
    cleared_minor = cleared_minor
      - CASE WHEN OLD.status IN ('cleared', 'reconciled') THEN OLD.amount_minor ELSE 0 END,
    reconciled_minor = reconciled_minor
      - CASE WHEN OLD.status = 'reconciled' THEN OLD.amount_minor ELSE 0 END,
    entry_count = entry_count - 1
  WHERE account_id = OLD.account_id AND ((grain = 'day' AND period = OLD.date)
    OR (grain = 'month' AND period = substr(OLD.date, 1, 7)));
  DELETE FROM account_periods
  WHERE account_id = OLD.account_id AND ((grain = 'day' AND period = OLD.date)
    OR (grain = 'month' AND period = substr(OLD.date, 1, 7))) AND entry_count = 0;
END;

-- Whoever erases a transfer erases the two rows that it took the place of.
CREATE TRIGGER transactions_delete_matched BEFORE DELETE ON transactions
BEGIN
  DELETE FROM transactions WHERE matched_into = OLD.id;
END;

-- Whoever erases a transaction erases what hangs on it.
CREATE TRIGGER transactions_delete_links BEFORE DELETE ON transactions
BEGIN
  DELETE FROM transaction_tags WHERE transaction_id = OLD.id;
  DELETE FROM transaction_payees WHERE transaction_id = OLD.id;
  DELETE FROM transaction_links WHERE source_id = OLD.id;
  DELETE FROM transaction_links WHERE target_id = OLD.id;
  DELETE FROM distinct_pairs WHERE one_id = OLD.id;
  DELETE FROM distinct_pairs WHERE other_id = OLD.id;
  DELETE FROM unbooked_entries WHERE transaction_id = OLD.id;
  UPDATE valuations SET transaction_id = NULL WHERE transaction_id = OLD.id;
END;

CREATE TRIGGER entries_update_status AFTER UPDATE OF status ON entries
WHEN NEW.side = 'account' AND NEW.status <> OLD.status
BEGIN
  UPDATE account_balances SET
    cleared_minor = cleared_minor + NEW.amount_minor
      * ((NEW.status IN ('cleared', 'reconciled')) - (OLD.status IN ('cleared', 'reconciled'))),
    reconciled_minor = reconciled_minor + NEW.amount_minor
      * ((NEW.status = 'reconciled') - (OLD.status = 'reconciled'))
  WHERE account_id = NEW.account_id;
  UPDATE account_periods SET
    cleared_minor = cleared_minor + NEW.amount_minor
      * ((NEW.status IN ('cleared', 'reconciled')) - (OLD.status IN ('cleared', 'reconciled'))),
    reconciled_minor = reconciled_minor + NEW.amount_minor
      * ((NEW.status = 'reconciled') - (OLD.status = 'reconciled'))
  WHERE account_id = NEW.account_id AND ((grain = 'day' AND period = NEW.date)
    OR (grain = 'month' AND period = substr(NEW.date, 1, 7)));
END;

CREATE TRIGGER entries_update_uncategorised AFTER UPDATE OF category_id ON entries
WHEN (NEW.category_id IS NULL) <> (OLD.category_id IS NULL)
BEGIN
  UPDATE entries SET
    uncategorised = EXISTS (SELECT 1 FROM entries part WHERE part.transaction_id = NEW.transaction_id
      AND part.account_id = NEW.account_id AND part.side IN ('expense', 'income') AND part.category_id IS NULL)
  WHERE transaction_id = NEW.transaction_id AND account_id = NEW.account_id AND side = 'account';
END;

-- Projection flow_periods: what each line that says what money was for moved, as seen from the money.
CREATE TRIGGER entries_insert_flow AFTER INSERT ON entries
WHEN (NEW.side IN ('expense', 'income', 'opening', 'adjustment') OR NEW.flow_minor IS NOT NULL) AND NEW.status <> 'void'
BEGIN
  INSERT INTO flow_periods (account_id, grain, period, flow, category_id, counter_account_id, amount_minor, pending_minor,
    entry_count, inflow_minor)
  SELECT NEW.account_id, grain, period, iif(NEW.flow_minor IS NULL, NEW.side, 'transfer'), ifnull(NEW.category_id, ''),
    ifnull(NEW.counter_account_id, ''), ifnull(NEW.flow_minor, 0 - NEW.amount_minor),
    iif(NEW.status = 'pending', ifnull(NEW.flow_minor, 0 - NEW.amount_minor), 0), 1,
    max(ifnull(NEW.flow_minor, 0 - NEW.amount_minor), 0)
  FROM (SELECT 'day' AS grain, NEW.date AS period UNION ALL SELECT 'month', substr(NEW.date, 1, 7))
  WHERE true
  ON CONFLICT (account_id, grain, period, flow, category_id, counter_account_id) DO UPDATE SET
    amount_minor = amount_minor + excluded.amount_minor,
    pending_minor = pending_minor + excluded.pending_minor,
    entry_count = entry_count + 1,
    inflow_minor = inflow_minor + excluded.inflow_minor;
END;

CREATE TRIGGER entries_delete_flow AFTER DELETE ON entries
WHEN (OLD.side IN ('expense', 'income', 'opening', 'adjustment') OR OLD.flow_minor IS NOT NULL) AND OLD.status <> 'void'
BEGIN
  UPDATE flow_periods SET
    amount_minor = amount_minor - ifnull(OLD.flow_minor, 0 - OLD.amount_minor),
    pending_minor = pending_minor - iif(OLD.status = 'pending', ifnull(OLD.flow_minor, 0 - OLD.amount_minor), 0),
    entry_count = entry_count - 1,
    inflow_minor = inflow_minor - max(ifnull(OLD.flow_minor, 0 - OLD.amount_minor), 0)
  WHERE account_id = OLD.account_id
    AND (grain = 'day' AND period = OLD.date OR grain = 'month' AND period = substr(OLD.date, 1, 7))
    AND flow = iif(OLD.flow_minor IS NULL, OLD.side, 'transfer') AND category_id = ifnull(OLD.category_id, '')
    AND counter_account_id = ifnull(OLD.counter_account_id, '');
  DELETE FROM flow_periods
  WHERE account_id = OLD.account_id
    AND (grain = 'day' AND period = OLD.date OR grain = 'month' AND period = substr(OLD.date, 1, 7))
    AND flow = iif(OLD.flow_minor IS NULL, OLD.side, 'transfer') AND category_id = ifnull(OLD.category_id, '')
    AND counter_account_id = ifnull(OLD.counter_account_id, '')
    AND entry_count = 0;
END;

CREATE TRIGGER entries_update_flow AFTER UPDATE OF category_id ON entries
WHEN (NEW.side IN ('expense', 'income', 'opening', 'adjustment') OR NEW.flow_minor IS NOT NULL) AND NEW.status <> 'void'
  AND NEW.category_id IS NOT OLD.category_id
BEGIN
  INSERT INTO flow_periods (account_id, grain, period, flow, category_id, counter_account_id, amount_minor, pending_minor,
    entry_count, inflow_minor)
  SELECT NEW.account_id, grain, period, iif(NEW.flow_minor IS NULL, NEW.side, 'transfer'), ifnull(NEW.category_id, ''),
    ifnull(NEW.counter_account_id, ''), ifnull(NEW.flow_minor, 0 - NEW.amount_minor),
    iif(NEW.status = 'pending', ifnull(NEW.flow_minor, 0 - NEW.amount_minor), 0), 1,
    max(ifnull(NEW.flow_minor, 0 - NEW.amount_minor), 0)
  FROM (SELECT 'day' AS grain, NEW.date AS period UNION ALL SELECT 'month', substr(NEW.date, 1, 7))
  WHERE true
  ON CONFLICT (account_id, grain, period, flow, category_id, counter_account_id) DO UPDATE SET
    amount_minor = amount_minor + excluded.amount_minor,
    pending_minor = pending_minor + excluded.pending_minor,
    entry_count = entry_count + 1,
    inflow_minor = inflow_minor + excluded.inflow_minor;
  UPDATE flow_periods SET
    amount_minor = amount_minor - ifnull(OLD.flow_minor, 0 - OLD.amount_minor),
    pending_minor = pending_minor - iif(OLD.status = 'pending', ifnull(OLD.flow_minor, 0 - OLD.amount_minor), 0),
    entry_count = entry_count - 1,
    inflow_minor = inflow_minor - max(ifnull(OLD.flow_minor, 0 - OLD.amount_minor), 0)
  WHERE account_id = OLD.account_id
    AND (grain = 'day' AND period = OLD.date OR grain = 'month' AND period = substr(OLD.date, 1, 7))
    AND flow = iif(OLD.flow_minor IS NULL, OLD.side, 'transfer') AND category_id = ifnull(OLD.category_id, '')
    AND counter_account_id = ifnull(OLD.counter_account_id, '');
  DELETE FROM flow_periods
  WHERE account_id = OLD.account_id
    AND (grain = 'day' AND period = OLD.date OR grain = 'month' AND period = substr(OLD.date, 1, 7))
    AND flow = iif(OLD.flow_minor IS NULL, OLD.side, 'transfer') AND category_id = ifnull(OLD.category_id, '')
    AND counter_account_id = ifnull(OLD.counter_account_id, '')
    AND entry_count = 0;
END;

-- Money moves by lines that come and go, which the triggers on inserts and deletions count. In place only what moves none
-- changes: the category, the note, the status among those that count in the balance and say how far it is confirmed, and
-- to what the header says, among which lines an external id is unique. With the category a line of an income changes between
-- the sides of incomes and of expenses, where it is a refund: a trigger keeps the flows of both.
CREATE TRIGGER entries_no_update BEFORE UPDATE ON entries
WHEN (NEW.transaction_id, NEW.line, NEW.owner_id, NEW.account_id, NEW.date, NEW.amount_minor, NEW.currency,
    NEW.external_id, NEW.counter_account_id, NEW.flow_minor, NEW.pair)
  IS NOT (OLD.transaction_id, OLD.line, OLD.owner_id, OLD.account_id, OLD.date, OLD.amount_minor, OLD.currency,
    OLD.external_id, OLD.counter_account_id, OLD.flow_minor, OLD.pair)
  OR NEW.side <> OLD.side AND NOT (NEW.side IN ('expense', 'income') AND OLD.side IN ('expense', 'income')
    AND NEW.category_id IS NOT OLD.category_id)
  OR NEW.status <> OLD.status AND NOT (NEW.status IN ('uncleared', 'cleared', 'reconciled')
    AND OLD.status IN ('uncleared', 'cleared', 'reconciled'))
  OR NEW.external_scope <> OLD.external_scope
    AND NEW.external_scope <> (SELECT iif(private, created_by, '') FROM transactions WHERE id = NEW.transaction_id)
BEGIN SELECT RAISE(ABORT, 'entries are never moved in place'); END;
