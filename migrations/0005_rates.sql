CREATE TABLE `system_exchange_rates` (
	`id` text PRIMARY KEY NOT NULL,
	`from_currency` text NOT NULL,
	`to_currency` text NOT NULL,
	`date` text NOT NULL,
	`rate` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `system_exchange_rates_pair_date` ON `system_exchange_rates` (`from_currency`,`to_currency`,`date`);--> statement-breakpoint
CREATE INDEX `system_exchange_rates_by_date` ON `system_exchange_rates` (`date`,`id`);--> statement-breakpoint
CREATE TABLE `user_currencies` (
	`user_id` text PRIMARY KEY NOT NULL,
	`codes` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
