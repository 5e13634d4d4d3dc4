CREATE TABLE `log_readers` (
	`name` text PRIMARY KEY NOT NULL,
	`cursor` integer NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer DEFAULT 0 NOT NULL,
	`error` text,
	`skipped` integer DEFAULT 0 NOT NULL
) STRICT;
