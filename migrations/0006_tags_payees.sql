CREATE TABLE `payee_aliases` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`payee_id` text NOT NULL,
	`raw` text NOT NULL,
	`raw_key` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`payee_id`) REFERENCES `payees`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `payee_aliases_raw` ON `payee_aliases` (`owner_id`,`raw_key`);--> statement-breakpoint
CREATE INDEX `aliases_of_payee` ON `payee_aliases` (`payee_id`,`id`);--> statement-breakpoint
CREATE TABLE `payees` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`default_category_id` text,
	`note` text,
	`archived` integer DEFAULT false NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`default_category_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE set null
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `payees_name` ON `payees` (`owner_id`,`name_key`);--> statement-breakpoint
CREATE INDEX `payees_of_owner` ON `payees` (`owner_id`,`id`);--> statement-breakpoint
CREATE INDEX `payees_of_category` ON `payees` (`default_category_id`);--> statement-breakpoint
CREATE TABLE `transaction_payees` (
	`transaction_id` text NOT NULL,
	`line` integer NOT NULL,
	`payee_id` text NOT NULL,
	PRIMARY KEY(`transaction_id`, `line`),
	FOREIGN KEY (`transaction_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payee_id`) REFERENCES `payees`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `transactions_of_payee` ON `transaction_payees` (`payee_id`,`transaction_id`,`line`);--> statement-breakpoint
CREATE TABLE `tags` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`color` text,
	`archived` integer DEFAULT false NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `tags_name` ON `tags` (`owner_id`,`name_key`);--> statement-breakpoint
CREATE INDEX `tags_of_owner` ON `tags` (`owner_id`,`id`);--> statement-breakpoint
CREATE TABLE `transaction_tags` (
	`transaction_id` text NOT NULL,
	`line` integer NOT NULL,
	`tag_id` text NOT NULL,
	PRIMARY KEY(`transaction_id`, `line`, `tag_id`),
	FOREIGN KEY (`transaction_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tag_id`) REFERENCES `tags`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `transactions_of_tag` ON `transaction_tags` (`tag_id`,`transaction_id`,`line`);--> statement-breakpoint
-- Whoever erases a transaction erases what hangs on it.
CREATE TRIGGER transactions_delete_links BEFORE DELETE ON transactions
BEGIN
  DELETE FROM transaction_tags WHERE transaction_id = OLD.id;
  DELETE FROM transaction_payees WHERE transaction_id = OLD.id;
END;
