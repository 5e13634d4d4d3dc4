CREATE TABLE `unbooked_entries` (
	`transaction_id` text NOT NULL,
	`line` integer NOT NULL,
	`owner_id` text NOT NULL,
	`account_id` text NOT NULL,
	`side` text NOT NULL,
	`date` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`category_id` text,
	`note` text,
	`external_id` text,
	`reason` text NOT NULL,
	PRIMARY KEY(`transaction_id`, `line`),
	FOREIGN KEY (`transaction_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`category_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`,`owner_id`,`currency`) REFERENCES `accounts`(`id`,`owner_id`,`currency`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "unbooked_reason" CHECK(reason IN ('trash', 'match'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO unbooked_entries (transaction_id, line, owner_id, account_id, side, date, amount_minor, currency, status,
    category_id, note, external_id, reason)
  SELECT e.transaction_id, e.line, e.owner_id, e.account_id, e."end", e.date, e.amount_minor, e.currency, e.status,
    e.category_id, e.note, e.external_id, iif(t.matched_into IS NULL, 'trash', 'match')
  FROM trashed_entries e JOIN transactions t ON t.id = e.transaction_id;
--> statement-breakpoint
CREATE INDEX `unbooked_entries_of_account` ON `unbooked_entries` (`account_id`,`owner_id`,`currency`);--> statement-breakpoint
CREATE INDEX `unbooked_entries_of_category` ON `unbooked_entries` (`category_id`) WHERE category_id IS NOT NULL;--> statement-breakpoint
DROP TRIGGER transactions_delete_links;
--> statement-breakpoint
DROP TABLE `trashed_entries`;
--> statement-breakpoint
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
--> statement-breakpoint

DROP TRIGGER entries_no_update;
--> statement-breakpoint
DROP INDEX `entries_register`;--> statement-breakpoint
DROP INDEX `entries_of_owner`;--> statement-breakpoint
ALTER TABLE `entries` RENAME COLUMN "end" TO side;
--> statement-breakpoint
ALTER TABLE `entries` ADD `uncategorised` integer DEFAULT false NOT NULL
  CONSTRAINT "entry_uncategorised" CHECK(uncategorised = 0 OR side = 'account');
--> statement-breakpoint
UPDATE entries SET uncategorised = 1 WHERE side = 'account' AND EXISTS (SELECT 1 FROM entries part
  WHERE part.transaction_id = entries.transaction_id AND part.account_id = entries.account_id
    AND part.side IN ('expense', 'income') AND part.category_id IS NULL);
--> statement-breakpoint
CREATE INDEX `entries_register` ON `entries` (`account_id`,`date`,`transaction_id`,`line`,`amount_minor`,`status`,`uncategorised`) WHERE side = 'account';--> statement-breakpoint
CREATE INDEX `entries_of_owner` ON `entries` (`owner_id`,`date`,`transaction_id`,`line`,`account_id`,`amount_minor`,`status`,`currency`,`uncategorised`) WHERE side = 'account';--> statement-breakpoint

-- Money moves by lines that come and go, which the triggers on inserts and deletions count. In place only what moves none
-- changes: the category, the note, and the status among those that count in the balance and say how far it is confirmed.
CREATE TRIGGER entries_no_update BEFORE UPDATE ON entries
WHEN (NEW.transaction_id, NEW.line, NEW.owner_id, NEW.account_id, NEW.side, NEW.date, NEW.amount_minor, NEW.currency,
    NEW.external_id)
  IS NOT (OLD.transaction_id, OLD.line, OLD.owner_id, OLD.account_id, OLD.side, OLD.date, OLD.amount_minor, OLD.currency,
    OLD.external_id)
  OR NEW.status <> OLD.status AND NOT (NEW.status IN ('uncleared', 'cleared', 'reconciled')
    AND OLD.status IN ('uncleared', 'cleared', 'reconciled'))
BEGIN SELECT RAISE(ABORT, 'entries are never moved in place'); END;
--> statement-breakpoint
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
--> statement-breakpoint
CREATE TRIGGER entries_update_activity AFTER UPDATE OF category_id ON entries
WHEN NEW.side IN ('expense', 'income') AND NEW.status <> 'void' AND NEW.category_id IS NOT OLD.category_id
BEGIN
  INSERT INTO category_months (account_id, month, category_id, activity_minor, entry_count)
  VALUES (NEW.account_id, substr(NEW.date, 1, 7), ifnull(NEW.category_id, ''), NEW.amount_minor, 1)
  ON CONFLICT (account_id, month, category_id) DO UPDATE SET
    activity_minor = activity_minor + NEW.amount_minor,
    entry_count = entry_count + 1;
  UPDATE category_months SET
    activity_minor = activity_minor - OLD.amount_minor,
    entry_count = entry_count - 1
  WHERE account_id = OLD.account_id AND month = substr(OLD.date, 1, 7)
    AND category_id = ifnull(OLD.category_id, '');
  DELETE FROM category_months
  WHERE account_id = OLD.account_id AND month = substr(OLD.date, 1, 7)
    AND category_id = ifnull(OLD.category_id, '') AND entry_count = 0;
END;
--> statement-breakpoint
CREATE TRIGGER entries_update_uncategorised AFTER UPDATE OF category_id ON entries
WHEN (NEW.category_id IS NULL) <> (OLD.category_id IS NULL)
BEGIN
  UPDATE entries SET
    uncategorised = EXISTS (SELECT 1 FROM entries part WHERE part.transaction_id = NEW.transaction_id
      AND part.account_id = NEW.account_id AND part.side IN ('expense', 'income') AND part.category_id IS NULL)
  WHERE transaction_id = NEW.transaction_id AND account_id = NEW.account_id AND side = 'account';
END;
