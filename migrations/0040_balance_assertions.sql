CREATE TABLE `balance_assertions` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`account_id` text NOT NULL,
	`date` text NOT NULL,
	`edge` text NOT NULL,
	`basis` text NOT NULL,
	`through` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`tolerance_minor` integer NOT NULL,
	`source` text NOT NULL,
	`lock_id` text,
	`note` text,
	`created_by` text NOT NULL,
	`was_ok` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "balance_assertion_range" CHECK(amount_minor BETWEEN -9007199254740991 AND 9007199254740991),
	CONSTRAINT "balance_assertion_tolerance" CHECK(tolerance_minor BETWEEN -9007199254740991 AND 9007199254740991)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `balance_assertions_once` ON `balance_assertions` (`account_id`,`date`,`edge`,`basis`);--> statement-breakpoint
CREATE INDEX `balance_assertions_of_owner` ON `balance_assertions` (`owner_id`,`date`,`id`);--> statement-breakpoint
CREATE INDEX `balance_assertions_of_lock` ON `balance_assertions` (`lock_id`) WHERE lock_id IS NOT NULL;