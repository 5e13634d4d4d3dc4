CREATE TABLE `restores` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`task_id` text,
	`state` text NOT NULL,
	`dry_run` integer NOT NULL,
	`file_name` text,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`objects` text NOT NULL,
	`object_key` text,
	`mapping` text,
	`next_step` integer DEFAULT 0 NOT NULL,
	`next_line` integer DEFAULT 0 NOT NULL,
	`report` text DEFAULT '{}' NOT NULL,
	`finished_at` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `restores_object_key_unique` ON `restores` (`object_key`);--> statement-breakpoint
CREATE INDEX `restores_of_owner` ON `restores` (`owner_id`,`id`);--> statement-breakpoint
CREATE INDEX `restores_by_age` ON `restores` (`created_at`);