CREATE TABLE `download_days` (
	`date` text NOT NULL,
	`kind` text NOT NULL,
	`downloads` integer NOT NULL,
	`bytes` integer NOT NULL,
	PRIMARY KEY(`date`, `kind`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `downloaders` (
	`user_id` text PRIMARY KEY NOT NULL
) STRICT;
