CREATE TABLE `flow_periods` (
	`account_id` text NOT NULL,
	`grain` text NOT NULL,
	`period` text NOT NULL,
	`flow` text NOT NULL,
	`category_id` text NOT NULL,
	`counter_account_id` text NOT NULL,
	`amount_minor` integer DEFAULT 0 NOT NULL,
	`pending_minor` integer DEFAULT 0 NOT NULL,
	`entry_count` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`account_id`, `grain`, `period`, `flow`, `category_id`, `counter_account_id`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "flow_amount_range" CHECK(abs(amount_minor) <= 4611686018427387904),
	CONSTRAINT "flow_pending_range" CHECK(abs(pending_minor) <= 4611686018427387904)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `entries` ADD `counter_account_id` text;--> statement-breakpoint
ALTER TABLE `entries` ADD `flow_minor` integer
  CONSTRAINT "entry_flow" CHECK((counter_account_id IS NULL) = (flow_minor IS NULL));
--> statement-breakpoint
-- What a transfer moves: on each of its two account lines the amount without the fees, which are lines of that account, too.
UPDATE entries SET
  counter_account_id = (SELECT other.account_id FROM entries other
    WHERE other.transaction_id = entries.transaction_id AND other.side = 'account' AND other.line <> entries.line),
  flow_minor = amount_minor + (SELECT ifnull(sum(fee.amount_minor), 0) FROM entries fee
    WHERE fee.transaction_id = entries.transaction_id AND fee.account_id = entries.account_id AND fee.side = 'expense')
WHERE side = 'account' AND transaction_id IN (SELECT id FROM transactions WHERE kind = 'transfer');
--> statement-breakpoint
INSERT INTO flow_periods (account_id, grain, period, flow, category_id, counter_account_id, amount_minor, pending_minor,
  entry_count)
SELECT account_id, grain, iif(grain = 'day', date, substr(date, 1, 7)), iif(flow_minor IS NULL, side, 'transfer'),
  ifnull(category_id, ''), ifnull(counter_account_id, ''), sum(ifnull(flow_minor, 0 - amount_minor)),
  ifnull(sum(ifnull(flow_minor, 0 - amount_minor)) FILTER (WHERE status = 'pending'), 0), count(*)
FROM entries, (SELECT 'day' AS grain UNION ALL SELECT 'month')
WHERE (side IN ('expense', 'income', 'opening', 'adjustment') OR flow_minor IS NOT NULL) AND status <> 'void'
GROUP BY 1, 2, 3, 4, 5, 6;
--> statement-breakpoint
DROP TRIGGER entries_insert_activity;
--> statement-breakpoint
DROP TRIGGER entries_delete_activity;
--> statement-breakpoint
DROP TRIGGER entries_update_activity;
--> statement-breakpoint
DROP TABLE `category_months`;
--> statement-breakpoint
DROP TRIGGER entries_no_update;
--> statement-breakpoint
-- Money moves by lines that come and go, which the triggers on inserts and deletions count. In place only what moves none
-- changes: the category, the note, the status among those that count in the balance and say how far it is confirmed, and
-- to what the header says, among which lines an external id is unique.
CREATE TRIGGER entries_no_update BEFORE UPDATE ON entries
WHEN (NEW.transaction_id, NEW.line, NEW.owner_id, NEW.account_id, NEW.side, NEW.date, NEW.amount_minor, NEW.currency,
    NEW.external_id, NEW.counter_account_id, NEW.flow_minor)
  IS NOT (OLD.transaction_id, OLD.line, OLD.owner_id, OLD.account_id, OLD.side, OLD.date, OLD.amount_minor, OLD.currency,
    OLD.external_id, OLD.counter_account_id, OLD.flow_minor)
  OR NEW.status <> OLD.status AND NOT (NEW.status IN ('uncleared', 'cleared', 'reconciled')
    AND OLD.status IN ('uncleared', 'cleared', 'reconciled'))
  OR NEW.external_scope <> OLD.external_scope
    AND NEW.external_scope <> (SELECT iif(private, created_by, '') FROM transactions WHERE id = NEW.transaction_id)
BEGIN SELECT RAISE(ABORT, 'entries are never moved in place'); END;
--> statement-breakpoint
-- Projection flow_periods: what each line that says what money was for moved, as seen from the money.
CREATE TRIGGER entries_insert_flow AFTER INSERT ON entries
WHEN (NEW.side IN ('expense', 'income', 'opening', 'adjustment') OR NEW.flow_minor IS NOT NULL) AND NEW.status <> 'void'
BEGIN
  INSERT INTO flow_periods (account_id, grain, period, flow, category_id, counter_account_id, amount_minor, pending_minor,
    entry_count)
  SELECT NEW.account_id, grain, period, iif(NEW.flow_minor IS NULL, NEW.side, 'transfer'), ifnull(NEW.category_id, ''),
    ifnull(NEW.counter_account_id, ''), ifnull(NEW.flow_minor, 0 - NEW.amount_minor),
    iif(NEW.status = 'pending', ifnull(NEW.flow_minor, 0 - NEW.amount_minor), 0), 1
  FROM (SELECT 'day' AS grain, NEW.date AS period UNION ALL SELECT 'month', substr(NEW.date, 1, 7))
  WHERE true
  ON CONFLICT (account_id, grain, period, flow, category_id, counter_account_id) DO UPDATE SET
    amount_minor = amount_minor + excluded.amount_minor,
    pending_minor = pending_minor + excluded.pending_minor,
    entry_count = entry_count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER entries_delete_flow AFTER DELETE ON entries
WHEN (OLD.side IN ('expense', 'income', 'opening', 'adjustment') OR OLD.flow_minor IS NOT NULL) AND OLD.status <> 'void'
BEGIN
  UPDATE flow_periods SET
    amount_minor = amount_minor - ifnull(OLD.flow_minor, 0 - OLD.amount_minor),
    pending_minor = pending_minor - iif(OLD.status = 'pending', ifnull(OLD.flow_minor, 0 - OLD.amount_minor), 0),
    entry_count = entry_count - 1
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
--> statement-breakpoint
CREATE TRIGGER entries_update_flow AFTER UPDATE OF category_id ON entries
WHEN (NEW.side IN ('expense', 'income', 'opening', 'adjustment') OR NEW.flow_minor IS NOT NULL) AND NEW.status <> 'void'
  AND NEW.category_id IS NOT OLD.category_id
BEGIN
  INSERT INTO flow_periods (account_id, grain, period, flow, category_id, counter_account_id, amount_minor, pending_minor,
    entry_count)
  SELECT NEW.account_id, grain, period, iif(NEW.flow_minor IS NULL, NEW.side, 'transfer'), ifnull(NEW.category_id, ''),
    ifnull(NEW.counter_account_id, ''), ifnull(NEW.flow_minor, 0 - NEW.amount_minor),
    iif(NEW.status = 'pending', ifnull(NEW.flow_minor, 0 - NEW.amount_minor), 0), 1
  FROM (SELECT 'day' AS grain, NEW.date AS period UNION ALL SELECT 'month', substr(NEW.date, 1, 7))
  WHERE true
  ON CONFLICT (account_id, grain, period, flow, category_id, counter_account_id) DO UPDATE SET
    amount_minor = amount_minor + excluded.amount_minor,
    pending_minor = pending_minor + excluded.pending_minor,
    entry_count = entry_count + 1;
  UPDATE flow_periods SET
    amount_minor = amount_minor - ifnull(OLD.flow_minor, 0 - OLD.amount_minor),
    pending_minor = pending_minor - iif(OLD.status = 'pending', ifnull(OLD.flow_minor, 0 - OLD.amount_minor), 0),
    entry_count = entry_count - 1
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
