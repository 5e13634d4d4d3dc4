CREATE TABLE `account_periods` (
	`account_id` text NOT NULL,
	`grain` text NOT NULL,
	`period` text NOT NULL,
	`inflow_minor` integer DEFAULT 0 NOT NULL,
	`outflow_minor` integer DEFAULT 0 NOT NULL,
	`cleared_minor` integer DEFAULT 0 NOT NULL,
	`reconciled_minor` integer DEFAULT 0 NOT NULL,
	`entry_count` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`account_id`, `grain`, `period`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "period_inflow_range" CHECK(abs(inflow_minor) <= 4611686018427387904),
	CONSTRAINT "period_outflow_range" CHECK(abs(outflow_minor) <= 4611686018427387904),
	CONSTRAINT "period_cleared_range" CHECK(abs(cleared_minor) <= 4611686018427387904),
	CONSTRAINT "period_reconciled_range" CHECK(abs(reconciled_minor) <= 4611686018427387904)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO account_periods (account_id, grain, period, inflow_minor, outflow_minor, cleared_minor,
  reconciled_minor, entry_count)
SELECT account_id, grain, CASE grain WHEN 'day' THEN date ELSE substr(date, 1, 7) END,
  sum(CASE WHEN status <> 'void' THEN max(amount_minor, 0) ELSE 0 END),
  sum(CASE WHEN status <> 'void' THEN min(amount_minor, 0) ELSE 0 END),
  sum(CASE WHEN status IN ('cleared', 'reconciled') THEN amount_minor ELSE 0 END),
  sum(CASE WHEN status = 'reconciled' THEN amount_minor ELSE 0 END),
  count(*)
FROM entries, (SELECT 'day' AS grain UNION ALL SELECT 'month')
WHERE "end" = 'account' GROUP BY 1, 2, 3;
--> statement-breakpoint
CREATE TRIGGER entries_insert_period AFTER INSERT ON entries WHEN NEW."end" = 'account'
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
--> statement-breakpoint
CREATE TRIGGER entries_delete_period AFTER DELETE ON entries WHEN OLD."end" = 'account'
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
