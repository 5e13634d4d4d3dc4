CREATE TABLE `backup_upload_parts` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`upload_id` text NOT NULL,
	`number` integer NOT NULL,
	`object_key` text NOT NULL,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`upload_id`) REFERENCES `backup_uploads`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `backup_upload_parts_object_key_unique` ON `backup_upload_parts` (`object_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `backup_upload_parts_once` ON `backup_upload_parts` (`upload_id`,`number`);--> statement-breakpoint
CREATE INDEX `backup_upload_parts_of_owner` ON `backup_upload_parts` (`owner_id`);--> statement-breakpoint
CREATE TABLE `backup_uploads` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`checked_at` integer,
	`expires_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "backup_uploads_size" CHECK(size > 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `backup_uploads_of_owner` ON `backup_uploads` (`owner_id`,`id`);--> statement-breakpoint
CREATE INDEX `backup_uploads_to_expire` ON `backup_uploads` (`expires_at`);