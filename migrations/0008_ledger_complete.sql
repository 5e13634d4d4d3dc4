CREATE TABLE `account_groups` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`sort_order` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `account_groups_name` ON `account_groups` (`owner_id`,`name_key`);--> statement-breakpoint
CREATE TABLE `distinct_pairs` (
	`kind` text NOT NULL,
	`one_id` text NOT NULL,
	`other_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`one_id`, `other_id`, `kind`),
	FOREIGN KEY (`one_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`other_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "distinct_pairs_ordered" CHECK(one_id < other_id)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `distinct_pairs_of_other` ON `distinct_pairs` (`other_id`);--> statement-breakpoint
CREATE INDEX `distinct_pairs_of_owner` ON `distinct_pairs` (`owner_id`);--> statement-breakpoint
CREATE TABLE `transaction_links` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`kind` text NOT NULL,
	`source_id` text NOT NULL,
	`target_id` text NOT NULL,
	`amount_minor` integer,
	`currency` text,
	`note` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`source_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`target_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "transaction_links_two" CHECK(source_id <> target_id)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `transaction_links_once` ON `transaction_links` (`source_id`,`target_id`,`kind`);--> statement-breakpoint
CREATE INDEX `transaction_links_of_target` ON `transaction_links` (`target_id`);--> statement-breakpoint
CREATE INDEX `transaction_links_of_owner` ON `transaction_links` (`owner_id`,`id`);--> statement-breakpoint
CREATE TABLE `trashed_entries` (
	`transaction_id` text NOT NULL,
	`line` integer NOT NULL,
	`owner_id` text NOT NULL,
	`account_id` text NOT NULL,
	`end` text NOT NULL,
	`date` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`category_id` text,
	`note` text,
	`external_id` text,
	PRIMARY KEY(`transaction_id`, `line`),
	FOREIGN KEY (`transaction_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`category_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`,`owner_id`,`currency`) REFERENCES `accounts`(`id`,`owner_id`,`currency`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `trashed_entries_of_account` ON `trashed_entries` (`account_id`,`owner_id`,`currency`);--> statement-breakpoint
CREATE INDEX `trashed_entries_of_category` ON `trashed_entries` (`category_id`) WHERE category_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `trashed_rows` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`image` text NOT NULL,
	`deleted_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `trashed_rows_of_owner` ON `trashed_rows` (`owner_id`,`deleted_at`,`id`);--> statement-breakpoint
CREATE INDEX `trashed_rows_to_purge` ON `trashed_rows` (`deleted_at`);--> statement-breakpoint
CREATE TABLE `valuations` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`account_id` text NOT NULL,
	`date` text NOT NULL,
	`value_minor` integer NOT NULL,
	`note` text,
	`transaction_id` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`transaction_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "valuation_range" CHECK(value_minor BETWEEN -9007199254740991 AND 9007199254740991)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `valuations_day` ON `valuations` (`account_id`,`date`);--> statement-breakpoint
CREATE INDEX `valuations_of_owner` ON `valuations` (`owner_id`,`date`,`id`);--> statement-breakpoint
CREATE INDEX `valuations_of_transaction` ON `valuations` (`transaction_id`) WHERE transaction_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `audit_log_items` (
	`resource_id` text NOT NULL,
	`log_id` text NOT NULL,
	`changes` text NOT NULL,
	PRIMARY KEY(`resource_id`, `log_id`),
	FOREIGN KEY (`log_id`) REFERENCES `audit_log`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `audit_log_items_of_log` ON `audit_log_items` (`log_id`);--> statement-breakpoint
ALTER TABLE `accounts` ADD `account_group_id` text REFERENCES account_groups(id);--> statement-breakpoint
ALTER TABLE `accounts` ADD `erased_at` integer;--> statement-breakpoint
CREATE INDEX `accounts_of_group` ON `accounts` (`account_group_id`) WHERE account_group_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `accounts_to_purge` ON `accounts` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `transactions` ADD `search_text` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `transactions_in_trash` ON `transactions` (`owner_id`,`deleted_at`,`id`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `transactions_to_purge` ON `transactions` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `entries_of_account` ON `entries` (`account_id`);--> statement-breakpoint
CREATE INDEX `audit_log_of_resource` ON `audit_log` (`resource_id`);--> statement-breakpoint

-- What is in the trash already comes out of the log, where its entries were kept until now.
INSERT INTO trashed_entries (transaction_id, line, owner_id, account_id, "end", date, amount_minor, currency, status,
    category_id, note, external_id)
  SELECT t.id, e.value->>'line', e.value->>'ownerId', e.value->>'accountId', e.value->>'end', e.value->>'date',
    e.value->>'amountMinor', e.value->>'currency', e.value->>'status',
    (SELECT c.id FROM categories c WHERE c.id = e.value->>'categoryId'), e.value->>'note', e.value->>'externalId'
  FROM transactions t
    JOIN audit_log l ON l.resource_id = t.id AND l.action IN ('transaction.deleted', 'transfer.deleted')
    JOIN accounts a ON a.owner_id = t.owner_id
    JOIN json_each(l.changes, '$.before.entries') e ON e.value->>'accountId' = a.id
      AND e.value->>'currency' = a.currency
  WHERE t.deleted_at IS NOT NULL;
--> statement-breakpoint
-- Folded further, as the service does, when a transaction is next changed: SQLite knows the letters of ASCII only.
UPDATE transactions SET search_text =
  lower(trim(description || ' ' || ifnull(payee_raw, '') || ' ' || ifnull(note, '')));
--> statement-breakpoint

CREATE TRIGGER audit_log_items_no_update BEFORE UPDATE ON audit_log_items
BEGIN SELECT RAISE(ABORT, 'audit_log_items is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER audit_log_items_no_delete BEFORE DELETE ON audit_log_items
BEGIN SELECT RAISE(ABORT, 'audit_log_items is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER audit_log_items_no_replace BEFORE INSERT ON audit_log_items
WHEN EXISTS (SELECT 1 FROM audit_log_items WHERE resource_id = NEW.resource_id AND log_id = NEW.log_id)
BEGIN SELECT RAISE(ABORT, 'audit_log_items is append-only'); END;
--> statement-breakpoint

-- Whoever erases a transaction erases what hangs on it.
DROP TRIGGER transactions_delete_links;
--> statement-breakpoint
CREATE TRIGGER transactions_delete_links BEFORE DELETE ON transactions
BEGIN
  DELETE FROM transaction_tags WHERE transaction_id = OLD.id;
  DELETE FROM transaction_payees WHERE transaction_id = OLD.id;
  DELETE FROM transaction_links WHERE source_id = OLD.id;
  DELETE FROM transaction_links WHERE target_id = OLD.id;
  DELETE FROM distinct_pairs WHERE one_id = OLD.id;
  DELETE FROM distinct_pairs WHERE other_id = OLD.id;
  DELETE FROM trashed_entries WHERE transaction_id = OLD.id;
  UPDATE valuations SET transaction_id = NULL WHERE transaction_id = OLD.id;
END;
