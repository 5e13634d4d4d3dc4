CREATE TABLE `restored_rows` (
	`restore_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`row_id` text NOT NULL,
	`becomes` text,
	PRIMARY KEY(`restore_id`, `row_id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `restored_rows_of_owner` ON `restored_rows` (`owner_id`,`row_id`);--> statement-breakpoint
ALTER TABLE `restores` ADD `mode` text DEFAULT 'empty' NOT NULL;--> statement-breakpoint
ALTER TABLE `restores` ADD `account_map` text DEFAULT '{}' NOT NULL;