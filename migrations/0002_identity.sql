CREATE TABLE `invite_redemptions` (
	`invite_id` text NOT NULL,
	`user_id` text NOT NULL,
	`redeemed_at` integer NOT NULL,
	PRIMARY KEY(`invite_id`, `user_id`),
	FOREIGN KEY (`invite_id`) REFERENCES `invite_codes`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `invite_redemptions_of_user` ON `invite_redemptions` (`user_id`);--> statement-breakpoint
CREATE TABLE `personal_access_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`token_hash` text NOT NULL,
	`token_prefix` text NOT NULL,
	`scopes` text NOT NULL,
	`account_ids` text,
	`expires_at` integer,
	`last_used_at` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `personal_access_tokens_token_hash_unique` ON `personal_access_tokens` (`token_hash`);--> statement-breakpoint
CREATE INDEX `personal_access_tokens_of_user` ON `personal_access_tokens` (`user_id`);--> statement-breakpoint
CREATE TABLE `settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `user_preferences` (
	`user_id` text PRIMARY KEY NOT NULL,
	`chosen` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
ALTER TABLE `invite_codes` ADD `code_prefix` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `invite_codes` ADD `issued_by` text REFERENCES users(id);--> statement-breakpoint
ALTER TABLE `invite_codes` ADD `by_administrator` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `invite_codes` ADD `note` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `invite_codes` ADD `revoked_at` integer;--> statement-breakpoint
ALTER TABLE `invite_codes` ADD `updated_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `invite_codes` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX `invite_codes_of_issuer` ON `invite_codes` (`issued_by`);--> statement-breakpoint
ALTER TABLE `one_time_tokens` ADD `email` text;--> statement-breakpoint
ALTER TABLE `audit_log` ADD `token_id` text;--> statement-breakpoint
ALTER TABLE `users` ADD `password_needs_mfa` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `deletion_due_at` integer;--> statement-breakpoint
CREATE INDEX `users_to_erase` ON `users` (`deletion_due_at`) WHERE deletion_due_at IS NOT NULL;