CREATE TABLE `import_chunks` (
	`import_id` text NOT NULL,
	`number` integer NOT NULL,
	`object_key` text NOT NULL,
	`offset` integer NOT NULL,
	`length` integer NOT NULL,
	`first_row` integer NOT NULL,
	`rows` integer NOT NULL,
	`first_line` integer NOT NULL,
	`counts` text NOT NULL,
	`oldest` text,
	`newest` text,
	PRIMARY KEY(`import_id`, `number`),
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `import_chunks_object` ON `import_chunks` (`object_key`);--> statement-breakpoint
CREATE TABLE `import_identities` (
	`account_id` text NOT NULL,
	`identity` text NOT NULL,
	`bank_key` text,
	`date` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`balance_minor` integer,
	`pending` integer NOT NULL,
	`skipped` integer DEFAULT false NOT NULL,
	`transaction_id` text,
	`import_id` text NOT NULL,
	`added` text,
	PRIMARY KEY(`account_id`, `identity`),
	FOREIGN KEY (`transaction_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `import_identities_by_bank` ON `import_identities` (`account_id`,`bank_key`) WHERE bank_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX `import_identities_by_date` ON `import_identities` (`account_id`,`date`,`amount_minor`);--> statement-breakpoint
CREATE INDEX `import_identities_of_transaction` ON `import_identities` (`transaction_id`) WHERE transaction_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `import_identities_of_import` ON `import_identities` (`import_id`) WHERE added IS NOT NULL OR transaction_id IS NULL;--> statement-breakpoint
CREATE TABLE `import_profiles` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`account_id` text,
	`format` text NOT NULL,
	`mapping` text NOT NULL,
	`shape` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `import_profiles_name` ON `import_profiles` (`owner_id`,`name_key`);--> statement-breakpoint
CREATE INDEX `import_profiles_of_owner` ON `import_profiles` (`owner_id`,`id`);--> statement-breakpoint
CREATE TABLE `import_row_notes` (
	`import_id` text NOT NULL,
	`row` integer NOT NULL,
	`decision` text,
	`once` integer DEFAULT false NOT NULL,
	`match_id` text,
	`overrides` text,
	`found` text,
	PRIMARY KEY(`import_id`, `row`),
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `import_statements` (
	`import_id` text NOT NULL,
	`place` integer NOT NULL,
	`owner_id` text NOT NULL,
	`account_id` text DEFAULT '' NOT NULL,
	`number` text,
	`from_date` text,
	`through_date` text,
	`currency` text NOT NULL,
	`opening_minor` integer,
	`closing_minor` integer,
	`sum_minor` integer NOT NULL,
	`rows` integer NOT NULL,
	`content` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`import_id`, `place`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `import_statements_of_account` ON `import_statements` (`account_id`,`through_date`);--> statement-breakpoint
CREATE INDEX `import_statements_of_owner` ON `import_statements` (`owner_id`);--> statement-breakpoint
CREATE TABLE `imports` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`state` text NOT NULL,
	`task_id` text,
	`object_key` text,
	`file_name` text NOT NULL,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`account_id` text DEFAULT '' NOT NULL,
	`again` integer NOT NULL,
	`chosen` text DEFAULT '{}' NOT NULL,
	`mapping` text DEFAULT '{}' NOT NULL,
	`questions` text DEFAULT '[]' NOT NULL,
	`warnings` text DEFAULT '[]' NOT NULL,
	`counts` text DEFAULT '{}' NOT NULL,
	`accounts` text DEFAULT '[]' NOT NULL,
	`shape` text DEFAULT '[]' NOT NULL,
	`error` text,
	`untrusted` text DEFAULT '[]' NOT NULL,
	`vanished` text DEFAULT '[]' NOT NULL,
	`options` text DEFAULT '{}' NOT NULL,
	`reverted` text,
	`profile_id` text,
	`step` text,
	`rows_done` integer DEFAULT 0 NOT NULL,
	`rows_total` integer DEFAULT 0 NOT NULL,
	`next_chunk` integer DEFAULT 0 NOT NULL,
	`backwards` integer DEFAULT false NOT NULL,
	`analysed_at` integer,
	`expires_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "import_size" CHECK(size >= 0)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `imports_object_key_unique` ON `imports` (`object_key`);--> statement-breakpoint
CREATE INDEX `imports_of_owner` ON `imports` (`owner_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `imports_open_file` ON `imports` (`owner_id`,`account_id`,`sha256`) WHERE again = 0 AND state NOT IN ('done', 'reverting', 'reverted', 'cancelled');--> statement-breakpoint
CREATE INDEX `imports_to_expire` ON `imports` (`expires_at`) WHERE object_key IS NOT NULL;--> statement-breakpoint
ALTER TABLE `transactions` ADD `import_id` text;--> statement-breakpoint
CREATE INDEX `transactions_of_import` ON `transactions` (`import_id`,`id`) WHERE import_id IS NOT NULL;--> statement-breakpoint
-- What was imported stays known when its transaction is erased, so that the next file does not bring it back.
CREATE TRIGGER transactions_delete_identities BEFORE DELETE ON transactions
BEGIN
  UPDATE import_identities SET transaction_id = NULL WHERE transaction_id = OLD.id;
END;
