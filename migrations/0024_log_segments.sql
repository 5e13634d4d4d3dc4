CREATE TABLE `log_segment_users` (
	`user_id` text NOT NULL,
	`first_commit` integer NOT NULL,
	PRIMARY KEY(`user_id`, `first_commit`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `log_segment_users_of_segment` ON `log_segment_users` (`first_commit`);--> statement-breakpoint
CREATE TABLE `log_segments` (
	`first_commit` integer PRIMARY KEY NOT NULL,
	`last_commit` integer NOT NULL,
	`previous_hash` text NOT NULL,
	`last_hash` text NOT NULL,
	`object_key` text NOT NULL,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `log_segments_by_last` ON `log_segments` (`last_commit`);--> statement-breakpoint
CREATE INDEX `log_segments_by_key` ON `log_segments` (`object_key`);