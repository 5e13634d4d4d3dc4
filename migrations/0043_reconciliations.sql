CREATE TABLE `reconciliation_rows` (
	`reconciliation_id` text NOT NULL,
	`transaction_id` text NOT NULL,
	`line` integer NOT NULL,
	`status_before` text,
	`amount_minor` integer,
	`date` text,
	PRIMARY KEY(`reconciliation_id`, `transaction_id`, `line`),
	FOREIGN KEY (`reconciliation_id`) REFERENCES `reconciliations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`transaction_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `reconciliation_rows_of_transaction` ON `reconciliation_rows` (`transaction_id`);--> statement-breakpoint
CREATE TABLE `reconciliations` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`account_id` text NOT NULL,
	`statement_date` text NOT NULL,
	`opening_minor` integer NOT NULL,
	`closing_minor` integer NOT NULL,
	`state` text NOT NULL,
	`reconciled_minor` integer,
	`note` text,
	`attachment_id` text,
	`import_id` text,
	`finished_at` integer,
	`adjustment_id` text,
	`assertion_id` text,
	`created_by` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "reconciliation_opening" CHECK(opening_minor BETWEEN -9007199254740991 AND 9007199254740991),
	CONSTRAINT "reconciliation_closing" CHECK(closing_minor BETWEEN -9007199254740991 AND 9007199254740991)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `reconciliations_open` ON `reconciliations` (`account_id`) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX `reconciliations_of_account` ON `reconciliations` (`account_id`,`state`,`statement_date`,`finished_at`);--> statement-breakpoint
CREATE INDEX `reconciliations_of_owner` ON `reconciliations` (`owner_id`,`statement_date`,`id`);--> statement-breakpoint
-- A tick goes with its transaction, and all ticks with their session, whoever erases it.
CREATE TRIGGER transactions_delete_ticks BEFORE DELETE ON transactions
BEGIN
  DELETE FROM reconciliation_rows WHERE transaction_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER reconciliations_delete_rows BEFORE DELETE ON reconciliations
BEGIN
  DELETE FROM reconciliation_rows WHERE reconciliation_id = OLD.id;
END;
