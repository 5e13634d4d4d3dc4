CREATE TABLE `export_schedules` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`format` text NOT NULL,
	`options` text NOT NULL,
	`scope` text NOT NULL,
	`every` text NOT NULL,
	`day` integer NOT NULL,
	`keep` integer NOT NULL,
	`next_on` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "export_schedules_keep" CHECK(keep BETWEEN 1 AND 12)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `export_schedules_once` ON `export_schedules` (`owner_id`,`format`);--> statement-breakpoint
CREATE INDEX `export_schedules_due` ON `export_schedules` (`next_on`,`id`);--> statement-breakpoint
ALTER TABLE `archives` ADD `schedule_id` text;