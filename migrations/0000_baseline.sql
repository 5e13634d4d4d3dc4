CREATE TABLE `account_groups` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`sort_order` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `account_groups_name` ON `account_groups` (`owner_id`,`name_key`);--> statement-breakpoint
CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`type` text NOT NULL,
	`currency` text NOT NULL,
	`on_budget` integer NOT NULL,
	`include_in_net_worth` integer NOT NULL,
	`opening_date` text NOT NULL,
	`status` text DEFAULT 'open' NOT NULL,
	`institution` text,
	`iban` text,
	`number_last_four` text,
	`credit_limit_minor` integer,
	`statement_day` integer,
	`due_day` integer,
	`due_after_days` integer,
	`due_weekend` text,
	`minimum_percent` text,
	`minimum_amount_minor` integer,
	`interest_rate` text,
	`color` text,
	`icon` text,
	`sort_order` integer DEFAULT 0 NOT NULL,
	`note` text,
	`account_group_id` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	`erased_at` integer,
	`locked_through` text,
	`hard_locked_through` text,
	`rule_set` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_group_id`) REFERENCES `account_groups`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_name` ON `accounts` (`owner_id`,`name_key`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_identity` ON `accounts` (`id`,`owner_id`,`currency`);--> statement-breakpoint
CREATE INDEX `accounts_of_owner` ON `accounts` (`owner_id`,`id`);--> statement-breakpoint
CREATE INDEX `accounts_of_group` ON `accounts` (`account_group_id`) WHERE account_group_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `accounts_to_purge` ON `accounts` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `history_notes` (
	`event_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`comment` text,
	`hidden_at` integer,
	`version` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `history_notes_of_account` ON `history_notes` (`account_id`);--> statement-breakpoint
CREATE TABLE `invite_codes` (
	`id` text PRIMARY KEY NOT NULL,
	`code_hash` text NOT NULL,
	`code_prefix` text DEFAULT '' NOT NULL,
	`role_id` text,
	`max_uses` integer NOT NULL,
	`uses` integer DEFAULT 0 NOT NULL,
	`expires_at` integer,
	`issued_by` text,
	`by_administrator` integer DEFAULT true NOT NULL,
	`group_id` text,
	`group_role` text,
	`note` text DEFAULT '' NOT NULL,
	`revoked_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`role_id`) REFERENCES `roles`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`issued_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `invite_codes_code_hash_unique` ON `invite_codes` (`code_hash`);--> statement-breakpoint
CREATE INDEX `invite_codes_of_issuer` ON `invite_codes` (`issued_by`);--> statement-breakpoint
CREATE INDEX `invite_codes_of_group` ON `invite_codes` (`group_id`);--> statement-breakpoint
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
CREATE TABLE `mfa_challenges` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `mfa_challenges_of_user` ON `mfa_challenges` (`user_id`);--> statement-breakpoint
CREATE INDEX `mfa_challenges_by_expiry` ON `mfa_challenges` (`expires_at`);--> statement-breakpoint
CREATE TABLE `mfa_factors` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`seed` text NOT NULL,
	`created_at` integer NOT NULL,
	`confirmed_at` integer,
	`last_step` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `mfa_factors_user_id_unique` ON `mfa_factors` (`user_id`);--> statement-breakpoint
CREATE TABLE `mfa_recovery_codes` (
	`user_id` text NOT NULL,
	`code_hash` text NOT NULL,
	PRIMARY KEY(`user_id`, `code_hash`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `one_time_tokens` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`user_id` text,
	`permitted` text,
	`email` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `one_time_tokens_of_user` ON `one_time_tokens` (`user_id`);--> statement-breakpoint
CREATE INDEX `one_time_tokens_by_expiry` ON `one_time_tokens` (`expires_at`);--> statement-breakpoint
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
CREATE TABLE `refresh_tokens` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`issued_at` integer NOT NULL,
	`spent_at` integer,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `refresh_tokens_of_session` ON `refresh_tokens` (`session_id`);--> statement-breakpoint
CREATE TABLE `budget_alerts` (
	`budget_id` text NOT NULL,
	`period` text NOT NULL,
	`line_id` text NOT NULL,
	`threshold` integer NOT NULL,
	`total_minor` integer NOT NULL,
	`spent_minor` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`budget_id`, `period`, `line_id`, `threshold`),
	FOREIGN KEY (`budget_id`) REFERENCES `budgets`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`line_id`) REFERENCES `budget_lines`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `budget_alerts_of_line` ON `budget_alerts` (`line_id`);--> statement-breakpoint
CREATE INDEX `budget_alerts_by_time` ON `budget_alerts` (`budget_id`,`created_at`,`period`,`line_id`,`threshold`);--> statement-breakpoint
CREATE TABLE `budget_amounts` (
	`budget_id` text NOT NULL,
	`period` text NOT NULL,
	`line_id` text NOT NULL,
	`amount_minor` integer,
	`note` text,
	PRIMARY KEY(`budget_id`, `period`, `line_id`),
	FOREIGN KEY (`budget_id`) REFERENCES `budgets`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`line_id`) REFERENCES `budget_lines`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "budget_amount_range" CHECK(amount_minor BETWEEN -9007199254740991 AND 9007199254740991)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `budget_amounts_of_line` ON `budget_amounts` (`line_id`,`period`);--> statement-breakpoint
CREATE TABLE `budget_checkpoint_accounts` (
	`account_id` text NOT NULL,
	`budget_id` text NOT NULL,
	PRIMARY KEY(`account_id`, `budget_id`),
	FOREIGN KEY (`budget_id`) REFERENCES `budgets`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `budget_checkpoint_accounts_of_budget` ON `budget_checkpoint_accounts` (`budget_id`);--> statement-breakpoint
CREATE TABLE `budget_checkpoints` (
	`budget_id` text NOT NULL,
	`period` text NOT NULL,
	`period_end` text NOT NULL,
	`accounts` text NOT NULL,
	`converted` integer NOT NULL,
	`image` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`budget_id`, `period`),
	FOREIGN KEY (`budget_id`) REFERENCES `budgets`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `budget_checkpoints_converted` ON `budget_checkpoints` (`period_end`) WHERE converted = 1;--> statement-breakpoint
CREATE TABLE `budget_closings` (
	`budget_id` text NOT NULL,
	`period` text NOT NULL,
	`image` text NOT NULL,
	`closed_by` text NOT NULL,
	`closed_at` integer NOT NULL,
	PRIMARY KEY(`budget_id`, `period`),
	FOREIGN KEY (`budget_id`) REFERENCES `budgets`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `budget_line_changes` (
	`budget_id` text NOT NULL,
	`line_id` text NOT NULL,
	`from_period` text NOT NULL,
	`policy` text,
	`cap_minor` integer,
	`amount_minor` integer,
	PRIMARY KEY(`budget_id`, `line_id`, `from_period`),
	FOREIGN KEY (`budget_id`) REFERENCES `budgets`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "budget_line_amount_range" CHECK(amount_minor BETWEEN -9007199254740991 AND 9007199254740991)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `budget_line_scopes` (
	`line_id` text NOT NULL,
	`target_id` text NOT NULL,
	`from_period` text DEFAULT '' NOT NULL,
	`until_period` text,
	`budget_id` text NOT NULL,
	`exclusive` integer NOT NULL,
	PRIMARY KEY(`line_id`, `target_id`, `from_period`),
	FOREIGN KEY (`line_id`) REFERENCES `budget_lines`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`budget_id`) REFERENCES `budgets`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `budget_line_scopes_once` ON `budget_line_scopes` (`budget_id`,`target_id`) WHERE exclusive = 1 AND until_period IS NULL;--> statement-breakpoint
CREATE INDEX `budget_line_scopes_of_target` ON `budget_line_scopes` (`target_id`);--> statement-breakpoint
CREATE INDEX `budget_line_scopes_of_budget` ON `budget_line_scopes` (`budget_id`);--> statement-breakpoint
CREATE TABLE `budget_lines` (
	`id` text PRIMARY KEY NOT NULL,
	`budget_id` text NOT NULL,
	`kind` text NOT NULL,
	`account_id` text,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`scope_kind` text NOT NULL,
	`parent_line_id` text,
	`thresholds` text,
	`target` text,
	`note` text,
	`sort_order` integer DEFAULT 0 NOT NULL,
	`color` text,
	`icon` text,
	`archived_from` text,
	`archived_into` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`budget_id`) REFERENCES `budgets`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "budget_line_card" CHECK((kind = 'cardPayment') = (account_id IS NOT NULL))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `budget_lines_name` ON `budget_lines` (`budget_id`,`name_key`) WHERE archived_from IS NULL;--> statement-breakpoint
CREATE INDEX `budget_lines_of_budget` ON `budget_lines` (`budget_id`,`sort_order`,`id`);--> statement-breakpoint
CREATE INDEX `budget_lines_by_averages` ON `budget_lines` (`budget_id`,"target" ->> 'periods') WHERE target ->> 'periods' IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `budget_lines_of_card` ON `budget_lines` (`budget_id`,`account_id`) WHERE account_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `budget_movements` (
	`id` text PRIMARY KEY NOT NULL,
	`budget_id` text NOT NULL,
	`period` text NOT NULL,
	`from_line_id` text,
	`to_line_id` text,
	`amount_minor` integer NOT NULL,
	`kind` text NOT NULL,
	`note` text,
	`actor_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`undone_by` text,
	FOREIGN KEY (`budget_id`) REFERENCES `budgets`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "budget_movement_amount" CHECK(amount_minor BETWEEN 1 AND 9007199254740991),
	CONSTRAINT "budget_movement_ends" CHECK(from_line_id IS NOT to_line_id)
) STRICT;
--> statement-breakpoint
CREATE INDEX `budget_movements_of_budget` ON `budget_movements` (`budget_id`,`id`);--> statement-breakpoint
CREATE INDEX `budget_movements_of_period` ON `budget_movements` (`budget_id`,`period`,`id`);--> statement-breakpoint
CREATE TABLE `budget_periods` (
	`budget_id` text NOT NULL,
	`period` text NOT NULL,
	`held_minor` integer DEFAULT 0 NOT NULL,
	`note` text,
	`version` integer DEFAULT 1 NOT NULL,
	PRIMARY KEY(`budget_id`, `period`),
	FOREIGN KEY (`budget_id`) REFERENCES `budgets`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "budget_held" CHECK(held_minor BETWEEN 0 AND 9007199254740991)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `budget_templates` (
	`id` text PRIMARY KEY NOT NULL,
	`budget_id` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`items` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`budget_id`) REFERENCES `budgets`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `budget_templates_name` ON `budget_templates` (`budget_id`,`name_key`);--> statement-breakpoint
CREATE TABLE `budget_watch` (
	`id` text PRIMARY KEY NOT NULL,
	`marks` integer DEFAULT 1 NOT NULL,
	`due_at` integer DEFAULT 0 NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `budget_watch_due` ON `budget_watch` (`due_at`);--> statement-breakpoint
CREATE TABLE `budgets` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text,
	`group_id` text,
	`created_by` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`mode` text NOT NULL,
	`currency` text NOT NULL,
	`unit` text NOT NULL,
	`unit_count` integer NOT NULL,
	`anchor` text NOT NULL,
	`weekend` text NOT NULL,
	`first_period` text NOT NULL,
	`first_day` text NOT NULL,
	`starts_on` text NOT NULL,
	`time_zone` text NOT NULL,
	`accounts` text NOT NULL,
	`account_ids` text DEFAULT '[]' NOT NULL,
	`cards` text DEFAULT '{}' NOT NULL,
	`strict` integer NOT NULL,
	`count_pending` integer NOT NULL,
	`count_transfers` integer NOT NULL,
	`income_in_next_period` text DEFAULT '[]' NOT NULL,
	`thresholds` text DEFAULT '[]' NOT NULL,
	`note` text,
	`archived` integer DEFAULT false NOT NULL,
	`sort_order` integer DEFAULT 0 NOT NULL,
	`color` text,
	`icon` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "budget_one_owner" CHECK((owner_id IS NULL) + (group_id IS NULL) = 1)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `budgets_name_of_owner` ON `budgets` (`owner_id`,`name_key`) WHERE owner_id IS NOT NULL AND deleted_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `budgets_name_of_group` ON `budgets` (`group_id`,`name_key`) WHERE group_id IS NOT NULL AND deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `budgets_of_owner` ON `budgets` (`owner_id`,`id`);--> statement-breakpoint
CREATE INDEX `budgets_of_group` ON `budgets` (`group_id`,`id`);--> statement-breakpoint
CREATE INDEX `budgets_to_purge` ON `budgets` (`deleted_at`,`id`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `categories` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`kind` text NOT NULL,
	`parent_id` text,
	`depth` integer NOT NULL,
	`sort_order` integer DEFAULT 0 NOT NULL,
	`color` text,
	`icon` text,
	`archived` integer DEFAULT false NOT NULL,
	`exclude_from_budget` integer DEFAULT false NOT NULL,
	`exclude_from_reports` integer DEFAULT false NOT NULL,
	`note` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`parent_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `categories_name` ON `categories` (`owner_id`,`kind`,`name_key`) WHERE parent_id IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `categories_name_in_parent` ON `categories` (`parent_id`,`name_key`) WHERE parent_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `categories_of_owner` ON `categories` (`owner_id`,`id`);--> statement-breakpoint
CREATE TABLE `exchange_rates` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`from_currency` text NOT NULL,
	`to_currency` text NOT NULL,
	`date` text NOT NULL,
	`rate` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `exchange_rates_pair_date` ON `exchange_rates` (`owner_id`,`from_currency`,`to_currency`,`date`);--> statement-breakpoint
CREATE INDEX `exchange_rates_of_owner` ON `exchange_rates` (`owner_id`,`date`,`id`);--> statement-breakpoint
CREATE TABLE `rate_coverage` (
	`currency` text NOT NULL,
	`state` text NOT NULL,
	`from_date` text NOT NULL,
	`through_date` text NOT NULL,
	`checked_at` integer NOT NULL,
	PRIMARY KEY(`currency`, `state`, `from_date`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
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
--> statement-breakpoint
CREATE TABLE `archives` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`owner_id` text NOT NULL,
	`task_id` text,
	`schedule_id` text,
	`state` text NOT NULL,
	`filter` text,
	`object_key` text,
	`size` integer,
	`sha256` text,
	`manifest` text,
	`finished_at` integer,
	`expires_at` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `archives_object_key_unique` ON `archives` (`object_key`);--> statement-breakpoint
CREATE INDEX `archives_of_owner` ON `archives` (`owner_id`,`kind`,`id`);--> statement-breakpoint
CREATE INDEX `archives_to_expire` ON `archives` (`expires_at`) WHERE object_key IS NOT NULL;--> statement-breakpoint
CREATE TABLE `attachment_links` (
	`id` text PRIMARY KEY NOT NULL,
	`attachment_id` text NOT NULL,
	`kind` text NOT NULL,
	`target_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`attachment_id`) REFERENCES `attachments`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `attachment_links_once` ON `attachment_links` (`target_id`,`attachment_id`);--> statement-breakpoint
CREATE INDEX `attachment_links_of_attachment` ON `attachment_links` (`attachment_id`,`id`);--> statement-breakpoint
CREATE INDEX `attachment_links_of_owner` ON `attachment_links` (`owner_id`);--> statement-breakpoint
CREATE TABLE `attachments` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`group_id` text,
	`storage_class_id` text NOT NULL,
	`object_key` text NOT NULL,
	`file_name` text NOT NULL,
	`content_type` text NOT NULL,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`title` text,
	`note` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`storage_class_id`) REFERENCES `storage_classes`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "attachments_size" CHECK(size >= 0)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `attachments_object_key_unique` ON `attachments` (`object_key`);--> statement-breakpoint
CREATE INDEX `attachments_of_owner` ON `attachments` (`owner_id`,`id`);--> statement-breakpoint
CREATE INDEX `attachments_of_group` ON `attachments` (`group_id`,`id`) WHERE group_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `attachments_of_class` ON `attachments` (`storage_class_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `attachments_to_purge` ON `attachments` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
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
CREATE INDEX `backup_uploads_to_expire` ON `backup_uploads` (`expires_at`);--> statement-breakpoint
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
CREATE TABLE `restored_rows` (
	`restore_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`row_id` text NOT NULL,
	`becomes` text,
	PRIMARY KEY(`restore_id`, `row_id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `restored_rows_of_owner` ON `restored_rows` (`owner_id`,`row_id`);--> statement-breakpoint
CREATE TABLE `restores` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`task_id` text,
	`state` text NOT NULL,
	`mode` text DEFAULT 'empty' NOT NULL,
	`account_map` text DEFAULT '{}' NOT NULL,
	`dry_run` integer NOT NULL,
	`file_name` text,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`objects` text NOT NULL,
	`object_key` text,
	`mapping` text,
	`replaced` text DEFAULT '{}' NOT NULL,
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
CREATE INDEX `restores_by_age` ON `restores` (`created_at`);--> statement-breakpoint
CREATE INDEX `restores_under_way` ON `restores` (`owner_id`) WHERE state NOT IN ('done', 'failed');--> statement-breakpoint
CREATE TABLE `storage_classes` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`r2_storage_class` text NOT NULL,
	`prefix` text NOT NULL,
	`quota_bytes` integer,
	`max_object_bytes` integer NOT NULL,
	`allowed_types` text NOT NULL,
	`retention_days` integer,
	`is_default` integer DEFAULT false NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `storage_classes_name_key_unique` ON `storage_classes` (`name_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `storage_classes_default` ON `storage_classes` (`is_default`) WHERE is_default = 1;--> statement-breakpoint
CREATE TABLE `storage_usage` (
	`storage_class_id` text NOT NULL,
	`holder_id` text NOT NULL,
	`bytes` integer NOT NULL,
	`objects` integer NOT NULL,
	PRIMARY KEY(`storage_class_id`, `holder_id`),
	FOREIGN KEY (`storage_class_id`) REFERENCES `storage_classes`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `storage_usage_of_holder` ON `storage_usage` (`holder_id`);--> statement-breakpoint
CREATE TABLE `user_avatars` (
	`user_id` text PRIMARY KEY NOT NULL,
	`object_key` text NOT NULL,
	`content_type` text NOT NULL,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `user_avatars_object_key_unique` ON `user_avatars` (`object_key`);--> statement-breakpoint
CREATE TABLE `account_choices` (
	`user_id` text NOT NULL,
	`account_id` text NOT NULL,
	`include_in_totals` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `account_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `account_choices_of_account` ON `account_choices` (`account_id`);--> statement-breakpoint
CREATE TABLE `group_invites` (
	`id` text PRIMARY KEY NOT NULL,
	`group_id` text NOT NULL,
	`code_hash` text NOT NULL,
	`code_prefix` text NOT NULL,
	`role` text NOT NULL,
	`email` text,
	`email_key` text,
	`invited_by` text NOT NULL,
	`expires_at` integer NOT NULL,
	`accepted_by` text,
	`accepted_at` integer,
	`declined_at` integer,
	`withdrawn_at` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invited_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`accepted_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `group_invites_code_hash_unique` ON `group_invites` (`code_hash`);--> statement-breakpoint
CREATE INDEX `group_invites_of_group` ON `group_invites` (`group_id`,`id`);--> statement-breakpoint
CREATE INDEX `group_invites_of_address` ON `group_invites` (`email_key`) WHERE email_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX `group_invites_of_inviter` ON `group_invites` (`invited_by`);--> statement-breakpoint
CREATE INDEX `group_invites_of_accepter` ON `group_invites` (`accepted_by`);--> statement-breakpoint
CREATE TABLE `group_members` (
	`group_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`joined_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	PRIMARY KEY(`group_id`, `user_id`),
	FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `group_members_of_user` ON `group_members` (`user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `group_members_owner` ON `group_members` (`group_id`) WHERE role = 'owner';--> statement-breakpoint
CREATE TABLE `groups` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`base_currency` text NOT NULL,
	`storage_class_id` text,
	`suspended_at` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`storage_class_id`) REFERENCES `storage_classes`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `groups_of_storage_class` ON `groups` (`storage_class_id`);--> statement-breakpoint
CREATE TABLE `shares` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text,
	`budget_id` text,
	`attachment_id` text,
	`owner_id` text NOT NULL,
	`grantee_user_id` text,
	`group_id` text,
	`email` text,
	`email_key` text,
	`permission` text NOT NULL,
	`write_scope` text DEFAULT 'all' NOT NULL,
	`accepted_at` integer,
	`expires_at` integer,
	`created_by` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`budget_id`) REFERENCES `budgets`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`attachment_id`) REFERENCES `attachments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`grantee_user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "shares_one_resource" CHECK((account_id IS NULL) + (budget_id IS NULL) + (attachment_id IS NULL) = 2),
	CONSTRAINT "shares_accounts_with_groups" CHECK(group_id IS NULL OR account_id IS NOT NULL),
	CONSTRAINT "shares_one_receiver" CHECK((grantee_user_id IS NULL) + (group_id IS NULL) + (email_key IS NULL) = 2),
	CONSTRAINT "shares_accepted" CHECK(accepted_at IS NULL OR email_key IS NULL),
	CONSTRAINT "shares_not_with_owner" CHECK(grantee_user_id IS NOT owner_id)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `shares_with_user` ON `shares` (`account_id`,`grantee_user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `shares_with_address` ON `shares` (`email_key`,`account_id`) WHERE email_key IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `shares_of_budget` ON `shares` (`budget_id`,`grantee_user_id`) WHERE budget_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `shares_of_budget_with_address` ON `shares` (`budget_id`,`email_key`) WHERE budget_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `shares_of_attachment` ON `shares` (`attachment_id`,`grantee_user_id`) WHERE attachment_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `shares_of_attachment_with_address` ON `shares` (`attachment_id`,`email_key`) WHERE attachment_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `shares_with_group` ON `shares` (`account_id`) WHERE group_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `shares_of_grantee` ON `shares` (`grantee_user_id`,`id`);--> statement-breakpoint
CREATE INDEX `shares_of_group` ON `shares` (`group_id`,`account_id`);--> statement-breakpoint
CREATE INDEX `shares_of_owner` ON `shares` (`owner_id`,`id`);--> statement-breakpoint
CREATE TABLE `external_identities` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `external_identities_of_issuer` ON `external_identities` (`issuer`,`subject`);--> statement-breakpoint
CREATE INDEX `external_identities_of_user` ON `external_identities` (`user_id`);--> statement-breakpoint
CREATE TABLE `identity_providers` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`domain` text NOT NULL,
	`issuer` text NOT NULL,
	`client_id` text NOT NULL,
	`client_secret` text NOT NULL,
	`scopes` text NOT NULL,
	`enabled` integer NOT NULL,
	`auto_provision` integer NOT NULL,
	`default_role_id` text,
	`trusts_email` integer NOT NULL,
	`email_claim` text NOT NULL,
	`name_claim` text NOT NULL,
	`role_claim` text,
	`role_map` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`default_role_id`) REFERENCES `roles`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `identity_providers_name_key_unique` ON `identity_providers` (`name_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `identity_providers_domain_unique` ON `identity_providers` (`domain`);--> statement-breakpoint
CREATE TABLE `sign_in_codes` (
	`code_hash` text PRIMARY KEY NOT NULL,
	`provider_id` text NOT NULL,
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`name` text NOT NULL,
	`role_ids` text,
	`expires_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `sign_in_codes_by_expiry` ON `sign_in_codes` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sign_in_flows` (
	`state_hash` text PRIMARY KEY NOT NULL,
	`browser_hash` text NOT NULL,
	`provider_id` text NOT NULL,
	`redirect_uri` text,
	`expires_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `sign_in_flows_by_expiry` ON `sign_in_flows` (`expires_at`);--> statement-breakpoint
CREATE TABLE `import_chunks` (
	`import_id` text NOT NULL,
	`number` integer NOT NULL,
	`object_key` text NOT NULL,
	`offset` integer NOT NULL,
	`length` integer NOT NULL,
	`first_row` integer NOT NULL,
	`rows` integer NOT NULL,
	`first_line` integer NOT NULL,
	`counts` text NOT NULL,
	`left_out` text,
	`oldest` text,
	`newest` text,
	PRIMARY KEY(`import_id`, `number`),
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `import_chunks_object` ON `import_chunks` (`object_key`);--> statement-breakpoint
CREATE TABLE `import_identities` (
	`account_id` text NOT NULL,
	`identity` text NOT NULL,
	`bank_key` text,
	`date` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`balance_minor` integer,
	`pending` integer NOT NULL,
	`skipped` integer DEFAULT false NOT NULL,
	`transaction_id` text,
	`import_id` text NOT NULL,
	`added` text,
	PRIMARY KEY(`account_id`, `identity`),
	FOREIGN KEY (`transaction_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `import_identities_by_bank` ON `import_identities` (`account_id`,`bank_key`) WHERE bank_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX `import_identities_by_date` ON `import_identities` (`account_id`,`date`,`amount_minor`);--> statement-breakpoint
CREATE INDEX `import_identities_pending` ON `import_identities` (`account_id`,`date`) WHERE pending = 1;--> statement-breakpoint
CREATE INDEX `import_identities_skipped` ON `import_identities` (`account_id`,`date`) WHERE skipped = 1 AND transaction_id IS NULL;--> statement-breakpoint
CREATE INDEX `import_identities_of_transaction` ON `import_identities` (`transaction_id`) WHERE transaction_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `import_identities_of_import` ON `import_identities` (`import_id`) WHERE added IS NOT NULL OR transaction_id IS NULL;--> statement-breakpoint
CREATE TABLE `import_profiles` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`account_id` text,
	`format` text NOT NULL,
	`mapping` text NOT NULL,
	`shape` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `import_profiles_name` ON `import_profiles` (`owner_id`,`name_key`);--> statement-breakpoint
CREATE INDEX `import_profiles_of_owner` ON `import_profiles` (`owner_id`,`id`);--> statement-breakpoint
CREATE TABLE `import_row_notes` (
	`import_id` text NOT NULL,
	`row` integer NOT NULL,
	`decision` text,
	`once` integer DEFAULT false NOT NULL,
	`match_id` text,
	`overrides` text,
	`found` text,
	PRIMARY KEY(`import_id`, `row`),
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `import_statements` (
	`import_id` text NOT NULL,
	`place` integer NOT NULL,
	`owner_id` text NOT NULL,
	`account_id` text DEFAULT '' NOT NULL,
	`number` text,
	`from_date` text,
	`through_date` text,
	`currency` text NOT NULL,
	`opening_minor` integer,
	`closing_minor` integer,
	`sum_minor` integer NOT NULL,
	`rows` integer NOT NULL,
	`content` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`import_id`, `place`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `import_statements_of_account` ON `import_statements` (`account_id`,`through_date`);--> statement-breakpoint
CREATE INDEX `import_statements_of_owner` ON `import_statements` (`owner_id`);--> statement-breakpoint
CREATE TABLE `imports` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`state` text NOT NULL,
	`task_id` text,
	`object_key` text,
	`file_name` text NOT NULL,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`account_id` text DEFAULT '' NOT NULL,
	`again` integer NOT NULL,
	`chosen` text DEFAULT '{}' NOT NULL,
	`mapping` text DEFAULT '{}' NOT NULL,
	`questions` text DEFAULT '[]' NOT NULL,
	`warnings` text DEFAULT '[]' NOT NULL,
	`counts` text DEFAULT '{}' NOT NULL,
	`accounts` text DEFAULT '[]' NOT NULL,
	`shape` text DEFAULT '[]' NOT NULL,
	`error` text,
	`untrusted` text DEFAULT '[]' NOT NULL,
	`vanished` text DEFAULT '[]' NOT NULL,
	`options` text DEFAULT '{}' NOT NULL,
	`outcome` text DEFAULT '{}' NOT NULL,
	`made` text DEFAULT '{}' NOT NULL,
	`reverted` text,
	`profile_id` text,
	`step` text,
	`rows_done` integer DEFAULT 0 NOT NULL,
	`rows_total` integer DEFAULT 0 NOT NULL,
	`next_chunk` integer DEFAULT 0 NOT NULL,
	`backwards` integer DEFAULT false NOT NULL,
	`analysed_at` integer,
	`expires_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "import_size" CHECK(size >= 0)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `imports_object_key_unique` ON `imports` (`object_key`);--> statement-breakpoint
CREATE INDEX `imports_of_owner` ON `imports` (`owner_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `imports_open_file` ON `imports` (`owner_id`,`account_id`,`sha256`) WHERE again = 0 AND state NOT IN ('done', 'reverting', 'reverted', 'cancelled');--> statement-breakpoint
CREATE INDEX `imports_to_expire` ON `imports` (`expires_at`) WHERE object_key IS NOT NULL;--> statement-breakpoint
CREATE TABLE `distinct_pairs` (
	`kind` text NOT NULL,
	`one_id` text NOT NULL,
	`other_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`one_id`, `other_id`, `kind`),
	FOREIGN KEY (`one_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`other_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "distinct_pairs_ordered" CHECK(one_id < other_id)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `distinct_pairs_of_other` ON `distinct_pairs` (`other_id`);--> statement-breakpoint
CREATE INDEX `distinct_pairs_of_owner` ON `distinct_pairs` (`owner_id`);--> statement-breakpoint
CREATE TABLE `entries` (
	`transaction_id` text NOT NULL,
	`line` integer NOT NULL,
	`owner_id` text NOT NULL,
	`account_id` text NOT NULL,
	`side` text NOT NULL,
	`date` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`category_id` text,
	`note` text,
	`external_id` text,
	`pair` integer,
	`payee_raw` text,
	`uncategorised` integer DEFAULT false NOT NULL,
	`external_scope` text DEFAULT '' NOT NULL,
	`counter_account_id` text,
	`flow_minor` integer,
	PRIMARY KEY(`transaction_id`, `line`),
	FOREIGN KEY (`transaction_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`category_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`,`owner_id`,`currency`) REFERENCES `accounts`(`id`,`owner_id`,`currency`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "entry_amount_range" CHECK(amount_minor BETWEEN -9007199254740991 AND 9007199254740991),
	CONSTRAINT "entry_amount_not_zero" CHECK(amount_minor <> 0),
	CONSTRAINT "entry_uncategorised" CHECK(uncategorised = 0 OR side = 'account'),
	CONSTRAINT "entry_external_scope" CHECK(external_scope = '' OR external_id IS NOT NULL),
	CONSTRAINT "entry_flow" CHECK((counter_account_id IS NULL) = (flow_minor IS NULL)),
	CONSTRAINT "entry_flow_side" CHECK(flow_minor IS NULL OR side IN ('account', 'exchange')),
	CONSTRAINT "entry_pair" CHECK(pair IS NULL OR (pair < line AND line > 2 AND side IN ('account', 'exchange'))),
	CONSTRAINT "entry_payee_raw" CHECK(payee_raw IS NULL OR (pair IS NOT NULL AND side = 'account')),
	CONSTRAINT "entry_date" CHECK(date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]')
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `entries_register` ON `entries` (`account_id`,`date`,`transaction_id`,`line`,`amount_minor`,`status`,`uncategorised`,`currency`) WHERE side = 'account';--> statement-breakpoint
CREATE INDEX `entries_of_owner` ON `entries` (`owner_id`,`date`,`transaction_id`,`line`,`account_id`,`amount_minor`,`status`,`currency`,`uncategorised`) WHERE side = 'account';--> statement-breakpoint
CREATE INDEX `entries_of_category` ON `entries` (`category_id`,`date`,`transaction_id`,`line`) WHERE category_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `entries_of_account` ON `entries` (`account_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `entries_external_id` ON `entries` (`account_id`,`external_id`,`external_scope`) WHERE external_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `transaction_links` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`kind` text NOT NULL,
	`source_id` text NOT NULL,
	`target_id` text NOT NULL,
	`amount_minor` integer,
	`currency` text,
	`note` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`source_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`target_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "transaction_links_two" CHECK(source_id <> target_id)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `transaction_links_once` ON `transaction_links` (`source_id`,`target_id`,`kind`);--> statement-breakpoint
CREATE INDEX `transaction_links_of_target` ON `transaction_links` (`target_id`);--> statement-breakpoint
CREATE INDEX `transaction_links_of_owner` ON `transaction_links` (`owner_id`,`id`);--> statement-breakpoint
CREATE TABLE `transactions` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`kind` text NOT NULL,
	`date` text NOT NULL,
	`time` text,
	`description` text DEFAULT '' NOT NULL,
	`payee_raw` text,
	`original_amount_minor` integer,
	`original_currency` text,
	`rate` text,
	`reviewed` integer DEFAULT false NOT NULL,
	`private` integer DEFAULT false NOT NULL,
	`exclude_from_reports` integer DEFAULT false NOT NULL,
	`source` text NOT NULL,
	`note` text,
	`location` text,
	`metadata` text,
	`search_text` text DEFAULT '' NOT NULL,
	`created_by` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	`matched_into` text,
	`matched_part` text,
	`last_line` integer DEFAULT 0 NOT NULL,
	`import_id` text,
	`recurring_id` text,
	`recurring_date` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`matched_into`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "transaction_matched_part" CHECK(matched_part IS NULL OR matched_into IS NOT NULL)
) STRICT;
--> statement-breakpoint
CREATE INDEX `transactions_of_owner` ON `transactions` (`owner_id`,`id`,`search_text`);--> statement-breakpoint
CREATE INDEX `transactions_private` ON `transactions` (`owner_id`) WHERE private = 1;--> statement-breakpoint
CREATE INDEX `transactions_private_by` ON `transactions` (`created_by`) WHERE private = 1;--> statement-breakpoint
CREATE INDEX `transactions_excluded` ON `transactions` (`owner_id`) WHERE exclude_from_reports = 1;--> statement-breakpoint
CREATE INDEX `transactions_matched` ON `transactions` (`matched_into`) WHERE matched_into IS NOT NULL;--> statement-breakpoint
CREATE INDEX `transactions_matched_category` ON `transactions` (matched_part->>'categoryId') WHERE matched_part IS NOT NULL;--> statement-breakpoint
CREATE INDEX `transactions_matched_payee` ON `transactions` (matched_part->>'payeeId') WHERE matched_part IS NOT NULL;--> statement-breakpoint
CREATE INDEX `transfers_of_owner` ON `transactions` (`owner_id`,`date`,`id`) WHERE kind = 'transfer' AND deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `transactions_in_trash` ON `transactions` (`owner_id`,`deleted_at`,`id`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `transactions_to_purge` ON `transactions` (`deleted_at`,`id`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `transactions_of_import` ON `transactions` (`import_id`,`id`) WHERE import_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `trashed_rows` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`image` text NOT NULL,
	`deleted_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `trashed_rows_of_owner` ON `trashed_rows` (`owner_id`,`deleted_at`,`id`);--> statement-breakpoint
CREATE INDEX `trashed_rows_to_purge` ON `trashed_rows` (`deleted_at`,`id`);--> statement-breakpoint
CREATE TABLE `unbooked_entries` (
	`transaction_id` text NOT NULL,
	`line` integer NOT NULL,
	`owner_id` text NOT NULL,
	`account_id` text NOT NULL,
	`side` text NOT NULL,
	`date` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`category_id` text,
	`note` text,
	`external_id` text,
	`pair` integer,
	`payee_raw` text,
	`reason` text NOT NULL,
	PRIMARY KEY(`transaction_id`, `line`),
	FOREIGN KEY (`transaction_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`category_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`,`owner_id`,`currency`) REFERENCES `accounts`(`id`,`owner_id`,`currency`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "unbooked_reason" CHECK(reason IN ('trash', 'match')),
	CONSTRAINT "unbooked_pair" CHECK(pair IS NULL OR (pair < line AND line > 2 AND side IN ('account', 'exchange')))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `unbooked_entries_of_account` ON `unbooked_entries` (`account_id`,`owner_id`,`currency`);--> statement-breakpoint
CREATE INDEX `unbooked_entries_of_category` ON `unbooked_entries` (`category_id`) WHERE category_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `valuations` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`account_id` text NOT NULL,
	`date` text NOT NULL,
	`value_minor` integer NOT NULL,
	`note` text,
	`transaction_id` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`transaction_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "valuation_range" CHECK(value_minor BETWEEN -9007199254740991 AND 9007199254740991)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `valuations_day` ON `valuations` (`account_id`,`date`);--> statement-breakpoint
CREATE INDEX `valuations_of_owner` ON `valuations` (`owner_id`,`date`,`id`);--> statement-breakpoint
CREATE INDEX `valuations_of_transaction` ON `valuations` (`transaction_id`) WHERE transaction_id IS NOT NULL;--> statement-breakpoint
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
--> statement-breakpoint
CREATE TABLE `log_commits` (
	`number` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`at` integer NOT NULL,
	`operation` text NOT NULL,
	`actor_type` text NOT NULL,
	`actor_id` text,
	`token_id` text,
	`type` text NOT NULL,
	`owner_id` text,
	`request_id` text NOT NULL,
	`ip` text,
	`user_agent` text,
	`first_event` integer NOT NULL,
	`event_count` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `log_commits_by_time` ON `log_commits` (`at`);--> statement-breakpoint
CREATE INDEX `log_commits_of_owner` ON `log_commits` (`owner_id`);--> statement-breakpoint
CREATE INDEX `log_commits_of_actor` ON `log_commits` (`actor_id`) WHERE actor_id IS NOT owner_id OR owner_id IS NULL;--> statement-breakpoint
CREATE INDEX `log_commits_downloads` ON `log_commits` (`at`) WHERE type = 'file.downloaded';--> statement-breakpoint
CREATE INDEX `log_commits_downloads_of_actor` ON `log_commits` (`actor_id`,`at`) WHERE type = 'file.downloaded';--> statement-breakpoint
CREATE INDEX `log_commits_registrations` ON `log_commits` (`at`) WHERE type IN ('user.registered', 'user.created');--> statement-breakpoint
CREATE TABLE `log_events` (
	`number` integer PRIMARY KEY NOT NULL,
	`commit_number` integer NOT NULL,
	`type` text,
	`resource_type` text,
	`resource_id` text,
	`owner_id` text,
	`account_id` text,
	`history` integer,
	`group_id` text,
	`version` integer,
	`content` text,
	`facts` text
) STRICT;
--> statement-breakpoint
CREATE INDEX `log_events_of_resource` ON `log_events` (`resource_id`);--> statement-breakpoint
CREATE INDEX `log_events_of_owner` ON `log_events` (`owner_id`) WHERE owner_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `log_events_of_account` ON `log_events` (`account_id`) WHERE history IS NOT NULL;--> statement-breakpoint
CREATE INDEX `log_events_of_group` ON `log_events` (`group_id`) WHERE group_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `log_seals` (
	`number` integer PRIMARY KEY NOT NULL,
	`content_hash` text NOT NULL,
	`hash` text NOT NULL,
	`key_id` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `log_segment_things` (
	`thing_id` text NOT NULL,
	`first_commit` integer NOT NULL,
	`was_private` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`thing_id`, `first_commit`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
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
	`first_event` integer DEFAULT 0 NOT NULL,
	`last_event` integer DEFAULT 0 NOT NULL,
	`first_at` integer DEFAULT 0 NOT NULL,
	`last_at` integer DEFAULT 0 NOT NULL,
	`first_date` text,
	`last_date` text,
	`object_key` text NOT NULL,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `log_segments_by_last` ON `log_segments` (`last_commit`);--> statement-breakpoint
CREATE INDEX `log_segments_by_key` ON `log_segments` (`object_key`);--> statement-breakpoint
CREATE TABLE `account_alerts` (
	`user_id` text NOT NULL,
	`account_id` text NOT NULL,
	`below_minor` integer,
	`above_minor` integer,
	`is_low` integer NOT NULL,
	`since_event` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `account_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `account_alerts_of_account` ON `account_alerts` (`account_id`);--> statement-breakpoint
CREATE TABLE `notifications` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`resource_type` text NOT NULL,
	`resource_id` text NOT NULL,
	`account_id` text,
	`facts` text NOT NULL,
	`group_key` text NOT NULL,
	`created_at` integer NOT NULL,
	`read_at` integer,
	`archived_at` integer,
	`mail_due` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `notifications_of_user` ON `notifications` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `notifications_of_resource` ON `notifications` (`user_id`,`resource_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `notifications_unread` ON `notifications` (`user_id`,`group_key`) WHERE read_at IS NULL;--> statement-breakpoint
CREATE INDEX `notifications_to_mail` ON `notifications` (`mail_due`) WHERE mail_due IS NOT NULL;--> statement-breakpoint
CREATE TABLE `payee_aliases` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`payee_id` text NOT NULL,
	`raw` text NOT NULL,
	`raw_key` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`payee_id`) REFERENCES `payees`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `payee_aliases_raw` ON `payee_aliases` (`owner_id`,`raw_key`);--> statement-breakpoint
CREATE INDEX `aliases_of_payee` ON `payee_aliases` (`payee_id`,`id`);--> statement-breakpoint
CREATE TABLE `payees` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`search_key` text,
	`default_category_id` text,
	`note` text,
	`archived` integer DEFAULT false NOT NULL,
	`exclude_from_reports` integer DEFAULT false NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`default_category_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE set null
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `payees_name` ON `payees` (`owner_id`,`name_key`);--> statement-breakpoint
CREATE INDEX `payees_of_owner` ON `payees` (`owner_id`,`id`);--> statement-breakpoint
CREATE INDEX `payees_of_category` ON `payees` (`default_category_id`);--> statement-breakpoint
CREATE INDEX `payees_excluded` ON `payees` (`owner_id`) WHERE exclude_from_reports = 1;--> statement-breakpoint
CREATE TABLE `transaction_payees` (
	`transaction_id` text NOT NULL,
	`line` integer NOT NULL,
	`payee_id` text NOT NULL,
	PRIMARY KEY(`transaction_id`, `line`),
	FOREIGN KEY (`transaction_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payee_id`) REFERENCES `payees`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `transactions_of_payee` ON `transaction_payees` (`payee_id`,`transaction_id`,`line`);--> statement-breakpoint
CREATE TABLE `account_balances` (
	`account_id` text PRIMARY KEY NOT NULL,
	`balance_minor` integer DEFAULT 0 NOT NULL,
	`cleared_minor` integer DEFAULT 0 NOT NULL,
	`reconciled_minor` integer DEFAULT 0 NOT NULL,
	`opening_minor` integer DEFAULT 0 NOT NULL,
	`transaction_count` integer DEFAULT 0 NOT NULL,
	`last_date` text,
	`is_range_deferred` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "account_balance_range" CHECK(balance_minor BETWEEN -9007199254740991 AND 9007199254740991 OR is_range_deferred = 1 AND balance_minor BETWEEN -4611686018427387904 AND 4611686018427387904),
	CONSTRAINT "account_cleared_range" CHECK(cleared_minor BETWEEN -9007199254740991 AND 9007199254740991 OR is_range_deferred = 1 AND cleared_minor BETWEEN -4611686018427387904 AND 4611686018427387904),
	CONSTRAINT "account_reconciled_range" CHECK(reconciled_minor BETWEEN -9007199254740991 AND 9007199254740991 OR is_range_deferred = 1 AND reconciled_minor BETWEEN -4611686018427387904 AND 4611686018427387904),
	CONSTRAINT "account_opening_range" CHECK(opening_minor BETWEEN -9007199254740991 AND 9007199254740991 OR is_range_deferred = 1 AND opening_minor BETWEEN -4611686018427387904 AND 4611686018427387904)
) STRICT;
--> statement-breakpoint
CREATE INDEX `account_balances_deferred` ON `account_balances` (`is_range_deferred`) WHERE is_range_deferred = 1;--> statement-breakpoint
CREATE TABLE `account_periods` (
	`account_id` text NOT NULL,
	`grain` text NOT NULL,
	`period` text NOT NULL,
	`inflow_minor` integer DEFAULT 0 NOT NULL,
	`outflow_minor` integer DEFAULT 0 NOT NULL,
	`cleared_minor` integer DEFAULT 0 NOT NULL,
	`reconciled_minor` integer DEFAULT 0 NOT NULL,
	`entry_count` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`account_id`, `grain`, `period`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "period_inflow_range" CHECK(abs(inflow_minor) <= 4611686018427387904),
	CONSTRAINT "period_outflow_range" CHECK(abs(outflow_minor) <= 4611686018427387904),
	CONSTRAINT "period_cleared_range" CHECK(abs(cleared_minor) <= 4611686018427387904),
	CONSTRAINT "period_reconciled_range" CHECK(abs(reconciled_minor) <= 4611686018427387904)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `flow_periods` (
	`account_id` text NOT NULL,
	`grain` text NOT NULL,
	`period` text NOT NULL,
	`flow` text NOT NULL,
	`category_id` text NOT NULL,
	`counter_account_id` text NOT NULL,
	`amount_minor` integer DEFAULT 0 NOT NULL,
	`pending_minor` integer DEFAULT 0 NOT NULL,
	`entry_count` integer DEFAULT 0 NOT NULL,
	`inflow_minor` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`account_id`, `grain`, `period`, `flow`, `category_id`, `counter_account_id`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "flow_amount_range" CHECK(abs(amount_minor) <= 4611686018427387904),
	CONSTRAINT "flow_pending_range" CHECK(abs(pending_minor) <= 4611686018427387904),
	CONSTRAINT "flow_inflow_range" CHECK(abs(inflow_minor) <= 4611686018427387904)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
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
CREATE INDEX `balance_assertions_of_lock` ON `balance_assertions` (`lock_id`) WHERE lock_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `period_locks` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`account_id` text,
	`through` text NOT NULL,
	`kind` text NOT NULL,
	`reason` text NOT NULL,
	`created_by` text NOT NULL,
	`balances` text NOT NULL,
	`seals` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `period_locks_of_owner` ON `period_locks` (`owner_id`,`through`,`id`);--> statement-breakpoint
CREATE INDEX `period_locks_of_account` ON `period_locks` (`account_id`,`kind`,`through`) WHERE account_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `period_locks_of_all` ON `period_locks` (`owner_id`,`kind`,`through`) WHERE account_id IS NULL;--> statement-breakpoint
CREATE TABLE `reconciliation_rows` (
	`reconciliation_id` text NOT NULL,
	`transaction_id` text NOT NULL,
	`line` integer NOT NULL,
	`status_before` text,
	`amount_minor` integer,
	`date` text,
	PRIMARY KEY(`reconciliation_id`, `transaction_id`, `line`),
	FOREIGN KEY (`reconciliation_id`) REFERENCES `reconciliations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`transaction_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `reconciliation_rows_of_transaction` ON `reconciliation_rows` (`transaction_id`);--> statement-breakpoint
CREATE TABLE `reconciliations` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`account_id` text NOT NULL,
	`statement_date` text NOT NULL,
	`opening_minor` integer NOT NULL,
	`closing_minor` integer NOT NULL,
	`state` text NOT NULL,
	`reconciled_minor` integer,
	`note` text,
	`attachment_id` text,
	`import_id` text,
	`finished_at` integer,
	`adjustment_id` text,
	`assertion_id` text,
	`created_by` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "reconciliation_opening" CHECK(opening_minor BETWEEN -9007199254740991 AND 9007199254740991),
	CONSTRAINT "reconciliation_closing" CHECK(closing_minor BETWEEN -9007199254740991 AND 9007199254740991)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `reconciliations_open` ON `reconciliations` (`account_id`) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX `reconciliations_of_account` ON `reconciliations` (`account_id`,`state`,`statement_date`,`finished_at`);--> statement-breakpoint
CREATE INDEX `reconciliations_of_owner` ON `reconciliations` (`owner_id`,`statement_date`,`id`);--> statement-breakpoint
CREATE TABLE `saved_views` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`view_of` text NOT NULL,
	`parameters` text NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`pinned` integer DEFAULT false NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `saved_views_name` ON `saved_views` (`owner_id`,`name_key`);--> statement-breakpoint
CREATE TABLE `rules` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`position` integer NOT NULL,
	`active` integer NOT NULL,
	`definition` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `rules_name` ON `rules` (`owner_id`,`name_key`);--> statement-breakpoint
CREATE INDEX `rules_of_owner` ON `rules` (`owner_id`,`position`,`id`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`key_hash` text PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`status` integer NOT NULL,
	`sealed_answer` text NOT NULL,
	`expires_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `idempotency_keys_by_expiry` ON `idempotency_keys` (`expires_at`);--> statement-breakpoint
CREATE TABLE `log_listeners` (
	`owner_id` text NOT NULL,
	`reader` text NOT NULL,
	`cursor` integer NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer,
	`error` text,
	PRIMARY KEY(`owner_id`, `reader`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `log_listeners_behind` ON `log_listeners` (`reader`,`next_attempt_at`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `log_readers` (
	`name` text PRIMARY KEY NOT NULL,
	`cursor` integer NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer DEFAULT 0 NOT NULL,
	`error` text,
	`skipped` integer DEFAULT 0 NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `rate_limits` (
	`key` text PRIMARY KEY NOT NULL,
	`tries` integer NOT NULL,
	`window_ends_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `rate_limits_by_end` ON `rate_limits` (`window_ends_at`);--> statement-breakpoint
CREATE TABLE `role_permissions` (
	`role_id` text NOT NULL,
	`permission` text NOT NULL,
	PRIMARY KEY(`role_id`, `permission`),
	FOREIGN KEY (`role_id`) REFERENCES `roles`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `roles` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`system` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `roles_name_key_unique` ON `roles` (`name_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `roles_system_unique` ON `roles` (`system`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`idle_expires_at` integer NOT NULL,
	`absolute_expires_at` integer NOT NULL,
	`revoked_at` integer,
	`ip` text,
	`user_agent` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `sessions_of_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE TABLE `settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`payload` text NOT NULL,
	`summary` text DEFAULT '' NOT NULL,
	`state` text DEFAULT 'queued' NOT NULL,
	`progress` integer,
	`cancellable` integer DEFAULT false NOT NULL,
	`cancel_requested_at` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`max_attempts` integer NOT NULL,
	`dedupe_key` text,
	`error` text,
	`created_by` text,
	`created_at` integer NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`lease_until` integer,
	`started_at` integer,
	`finished_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `tasks_dedupe_key_unique` ON `tasks` (`dedupe_key`);--> statement-breakpoint
CREATE INDEX `tasks_due` ON `tasks` (`next_attempt_at`) WHERE state IN ('queued', 'running');--> statement-breakpoint
CREATE INDEX `tasks_of_user` ON `tasks` (`created_by`,`id`) WHERE created_by IS NOT NULL;--> statement-breakpoint
CREATE INDEX `tasks_by_kind` ON `tasks` (`kind`,`state`);--> statement-breakpoint
CREATE TABLE `user_preferences` (
	`user_id` text PRIMARY KEY NOT NULL,
	`chosen` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `user_roles` (
	`user_id` text NOT NULL,
	`role_id` text NOT NULL,
	PRIMARY KEY(`user_id`, `role_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`role_id`) REFERENCES `roles`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `user_roles_of_role` ON `user_roles` (`role_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text DEFAULT '' NOT NULL,
	`password_hash` text,
	`password_changed_at` integer,
	`password_needs_mfa` integer DEFAULT false NOT NULL,
	`base_currency` text NOT NULL,
	`locale` text NOT NULL,
	`time_zone` text NOT NULL,
	`status` text DEFAULT 'active' NOT NULL,
	`email_verified_at` integer,
	`mfa_enabled_at` integer,
	`deletion_due_at` integer,
	`rule_set` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_key_unique` ON `users` (`email_key`);--> statement-breakpoint
CREATE INDEX `users_to_erase` ON `users` (`deletion_due_at`) WHERE deletion_due_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `write_guard` (
	`premise` integer NOT NULL,
	CONSTRAINT "access_session" CHECK(premise <> -1),
	CONSTRAINT "access_permission" CHECK(premise <> -2),
	CONSTRAINT "premise_1" CHECK(premise <> 1),
	CONSTRAINT "premise_2" CHECK(premise <> 2),
	CONSTRAINT "premise_3" CHECK(premise <> 3),
	CONSTRAINT "premise_4" CHECK(premise <> 4),
	CONSTRAINT "premise_5" CHECK(premise <> 5),
	CONSTRAINT "premise_6" CHECK(premise <> 6),
	CONSTRAINT "premise_7" CHECK(premise <> 7),
	CONSTRAINT "premise_8" CHECK(premise <> 8),
	CONSTRAINT "premise_9" CHECK(premise <> 9),
	CONSTRAINT "premise_10" CHECK(premise <> 10),
	CONSTRAINT "premise_11" CHECK(premise <> 11),
	CONSTRAINT "premise_12" CHECK(premise <> 12),
	CONSTRAINT "premise_13" CHECK(premise <> 13),
	CONSTRAINT "premise_14" CHECK(premise <> 14),
	CONSTRAINT "premise_15" CHECK(premise <> 15),
	CONSTRAINT "premise_16" CHECK(premise <> 16),
	CONSTRAINT "premise_17" CHECK(premise <> 17),
	CONSTRAINT "premise_18" CHECK(premise <> 18),
	CONSTRAINT "premise_19" CHECK(premise <> 19),
	CONSTRAINT "premise_20" CHECK(premise <> 20),
	CONSTRAINT "premise_21" CHECK(premise <> 21),
	CONSTRAINT "premise_22" CHECK(premise <> 22),
	CONSTRAINT "premise_23" CHECK(premise <> 23),
	CONSTRAINT "premise_24" CHECK(premise <> 24),
	CONSTRAINT "premise_25" CHECK(premise <> 25),
	CONSTRAINT "premise_26" CHECK(premise <> 26),
	CONSTRAINT "premise_27" CHECK(premise <> 27),
	CONSTRAINT "premise_28" CHECK(premise <> 28),
	CONSTRAINT "premise_29" CHECK(premise <> 29),
	CONSTRAINT "premise_30" CHECK(premise <> 30),
	CONSTRAINT "premise_31" CHECK(premise <> 31),
	CONSTRAINT "premise_32" CHECK(premise <> 32),
	CONSTRAINT "premise_33" CHECK(premise <> 33),
	CONSTRAINT "premise_34" CHECK(premise <> 34),
	CONSTRAINT "premise_35" CHECK(premise <> 35),
	CONSTRAINT "premise_36" CHECK(premise <> 36),
	CONSTRAINT "premise_37" CHECK(premise <> 37),
	CONSTRAINT "premise_38" CHECK(premise <> 38),
	CONSTRAINT "premise_39" CHECK(premise <> 39),
	CONSTRAINT "premise_40" CHECK(premise <> 40),
	CONSTRAINT "premise_41" CHECK(premise <> 41),
	CONSTRAINT "premise_42" CHECK(premise <> 42),
	CONSTRAINT "premise_43" CHECK(premise <> 43),
	CONSTRAINT "premise_44" CHECK(premise <> 44),
	CONSTRAINT "premise_45" CHECK(premise <> 45),
	CONSTRAINT "premise_46" CHECK(premise <> 46),
	CONSTRAINT "premise_47" CHECK(premise <> 47),
	CONSTRAINT "premise_48" CHECK(premise <> 48),
	CONSTRAINT "premise_known" CHECK(FALSE)
) STRICT;
--> statement-breakpoint
CREATE TABLE `tags` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`color` text,
	`archived` integer DEFAULT false NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `tags_name` ON `tags` (`owner_id`,`name_key`);--> statement-breakpoint
CREATE INDEX `tags_of_owner` ON `tags` (`owner_id`,`id`);--> statement-breakpoint
CREATE TABLE `transaction_tags` (
	`transaction_id` text NOT NULL,
	`line` integer NOT NULL,
	`tag_id` text NOT NULL,
	PRIMARY KEY(`transaction_id`, `line`, `tag_id`),
	FOREIGN KEY (`transaction_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tag_id`) REFERENCES `tags`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `transactions_of_tag` ON `transaction_tags` (`tag_id`,`transaction_id`,`line`);
--> statement-breakpoint
CREATE VIEW log_entries AS
  SELECT e.number, c.number AS commit_number,
    c.id || iif(e.number = c.first_event, '', '-' || (e.number - c.first_event + 1)) AS id, c.id AS commit_id,
    c.at, c.operation, ifnull(e.type, c.type) AS type, c.actor_type, c.actor_id, c.token_id,
    CASE WHEN e.owner_id IS NULL THEN c.owner_id WHEN e.owner_id <> '' THEN e.owner_id END AS owner_id,
    ifnull(e.resource_type, substr(ifnull(e.type, c.type), 1, instr(ifnull(e.type, c.type), '.') - 1)) AS resource_type,
    e.resource_id, e.account_id, e.history, e.group_id, e.version, e.content, e.facts, c.request_id, c.ip, c.user_agent
  FROM log_events e JOIN log_commits c ON c.number = +e.commit_number
    AND likely(e.number >= c.first_event) AND e.number < c.first_event + c.event_count;
--> statement-breakpoint
CREATE VIEW account_receivers AS
  SELECT s.account_id, s.id AS share_id, s.grantee_user_id AS user_id,
    CASE s.permission WHEN 'manage' THEN 4 WHEN 'write' THEN 3 WHEN 'annotate' THEN 2 ELSE 1 END AS rank,
    s.write_scope = 'own' AS own_rows, s.expires_at
  FROM shares s
  WHERE s.account_id IS NOT NULL AND s.grantee_user_id IS NOT NULL AND s.accepted_at IS NOT NULL
  UNION ALL
  SELECT s.account_id, s.id, m.user_id,
    CASE WHEN m.role = 'viewer' THEN 1 ELSE
      CASE s.permission WHEN 'manage' THEN 4 WHEN 'write' THEN 3 WHEN 'annotate' THEN 2 ELSE 1 END END,
    s.write_scope = 'own', s.expires_at
  FROM group_members m JOIN groups g ON g.id = m.group_id
    JOIN shares s ON s.group_id = m.group_id AND s.group_id IS NOT NULL
  WHERE g.suspended_at IS NULL AND m.user_id <> s.owner_id;
--> statement-breakpoint
CREATE TRIGGER entries_insert_checkpoints AFTER INSERT ON entries
WHEN (NEW.side IN ('expense', 'income', 'opening', 'adjustment') OR NEW.flow_minor IS NOT NULL) AND NEW.status <> 'void'
  AND EXISTS (SELECT 1 FROM budget_checkpoint_accounts WHERE account_id = NEW.account_id)
BEGIN
  DELETE FROM budget_checkpoints WHERE period_end >= NEW.date
    AND budget_id IN (SELECT budget_id FROM budget_checkpoint_accounts WHERE account_id = NEW.account_id);
END;
--> statement-breakpoint
CREATE TRIGGER entries_delete_checkpoints AFTER DELETE ON entries
WHEN (OLD.side IN ('expense', 'income', 'opening', 'adjustment') OR OLD.flow_minor IS NOT NULL) AND OLD.status <> 'void'
  AND EXISTS (SELECT 1 FROM budget_checkpoint_accounts WHERE account_id = OLD.account_id)
BEGIN
  DELETE FROM budget_checkpoints WHERE period_end >= OLD.date
    AND budget_id IN (SELECT budget_id FROM budget_checkpoint_accounts WHERE account_id = OLD.account_id);
END;
--> statement-breakpoint
CREATE TRIGGER entries_update_checkpoints AFTER UPDATE OF category_id ON entries
WHEN (NEW.side IN ('expense', 'income', 'opening', 'adjustment') OR NEW.flow_minor IS NOT NULL) AND NEW.status <> 'void' AND NEW.category_id IS NOT OLD.category_id
  AND EXISTS (SELECT 1 FROM budget_checkpoint_accounts WHERE account_id = NEW.account_id)
BEGIN
  DELETE FROM budget_checkpoints WHERE period_end >= NEW.date
    AND budget_id IN (SELECT budget_id FROM budget_checkpoint_accounts WHERE account_id = NEW.account_id);
END;
--> statement-breakpoint
CREATE TRIGGER transactions_private_checkpoints AFTER UPDATE OF private ON transactions
WHEN NEW.private <> OLD.private
BEGIN
  DELETE FROM budget_checkpoints WHERE period_end >= NEW.date AND budget_id IN (SELECT c.budget_id
    FROM entries e JOIN budget_checkpoint_accounts c ON c.account_id = e.account_id WHERE e.transaction_id = NEW.id);
END;
--> statement-breakpoint
CREATE TRIGGER categories_update_checkpoints AFTER UPDATE OF parent_id, exclude_from_budget ON categories
WHEN (NEW.parent_id, NEW.exclude_from_budget) IS NOT (OLD.parent_id, OLD.exclude_from_budget)
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id IN (SELECT c.budget_id FROM accounts a
    JOIN budget_checkpoint_accounts c ON c.account_id = a.id WHERE a.owner_id = NEW.owner_id);
END;
--> statement-breakpoint
CREATE TRIGGER exchange_rates_insert_checkpoints AFTER INSERT ON exchange_rates
BEGIN
  DELETE FROM budget_checkpoints WHERE converted = 1 AND period_end >= NEW.date AND budget_id IN (SELECT id FROM budgets WHERE owner_id = NEW.owner_id
    UNION SELECT b.id FROM group_members m JOIN budgets b ON b.group_id = m.group_id WHERE m.user_id = NEW.owner_id AND m.role = 'owner');
END;
--> statement-breakpoint
CREATE TRIGGER system_exchange_rates_insert_checkpoints AFTER INSERT ON system_exchange_rates
BEGIN
  DELETE FROM budget_checkpoints WHERE converted = 1 AND period_end >= NEW.date;
END;
--> statement-breakpoint
CREATE TRIGGER exchange_rates_delete_checkpoints AFTER DELETE ON exchange_rates
BEGIN
  DELETE FROM budget_checkpoints WHERE converted = 1 AND period_end >= OLD.date AND budget_id IN (SELECT id FROM budgets WHERE owner_id = OLD.owner_id
    UNION SELECT b.id FROM group_members m JOIN budgets b ON b.group_id = m.group_id WHERE m.user_id = OLD.owner_id AND m.role = 'owner');
END;
--> statement-breakpoint
CREATE TRIGGER system_exchange_rates_delete_checkpoints AFTER DELETE ON system_exchange_rates
BEGIN
  DELETE FROM budget_checkpoints WHERE converted = 1 AND period_end >= OLD.date;
END;
--> statement-breakpoint
CREATE TRIGGER exchange_rates_update_checkpoints AFTER UPDATE ON exchange_rates
BEGIN
  DELETE FROM budget_checkpoints WHERE converted = 1 AND period_end >= min(NEW.date, OLD.date) AND budget_id IN (SELECT id FROM budgets WHERE owner_id = NEW.owner_id
    UNION SELECT b.id FROM group_members m JOIN budgets b ON b.group_id = m.group_id WHERE m.user_id = NEW.owner_id AND m.role = 'owner');
END;
--> statement-breakpoint
CREATE TRIGGER system_exchange_rates_update_checkpoints AFTER UPDATE ON system_exchange_rates
BEGIN
  DELETE FROM budget_checkpoints WHERE converted = 1 AND period_end >= min(NEW.date, OLD.date);
END;
--> statement-breakpoint
CREATE TRIGGER users_base_checkpoints AFTER UPDATE OF base_currency ON users
WHEN NEW.base_currency <> OLD.base_currency
BEGIN
  DELETE FROM budget_checkpoints WHERE converted = 1 AND budget_id IN (SELECT id FROM budgets WHERE owner_id = NEW.id);
END;
--> statement-breakpoint
CREATE TRIGGER groups_base_checkpoints AFTER UPDATE OF base_currency ON groups
WHEN NEW.base_currency <> OLD.base_currency
BEGIN
  DELETE FROM budget_checkpoints WHERE converted = 1 AND budget_id IN (SELECT id FROM budgets WHERE group_id = NEW.id);
END;
--> statement-breakpoint
CREATE TRIGGER group_members_update_checkpoints AFTER UPDATE OF role ON group_members
WHEN NEW.role = 'owner'
BEGIN
  DELETE FROM budget_checkpoints WHERE converted = 1 AND budget_id IN (SELECT id FROM budgets WHERE group_id = NEW.group_id);
END;
--> statement-breakpoint
CREATE TRIGGER transaction_tags_insert_checkpoints AFTER INSERT ON transaction_tags
WHEN EXISTS (SELECT 1 FROM budget_line_scopes WHERE target_id IN (NEW.tag_id))
BEGIN
  DELETE FROM budget_checkpoints WHERE period_end >= ifnull((SELECT date FROM transactions WHERE id = NEW.transaction_id), '')
    AND budget_id IN (SELECT budget_id FROM budget_line_scopes WHERE target_id IN (NEW.tag_id));
END;
--> statement-breakpoint
CREATE TRIGGER transaction_tags_delete_checkpoints AFTER DELETE ON transaction_tags
WHEN EXISTS (SELECT 1 FROM budget_line_scopes WHERE target_id IN (OLD.tag_id))
BEGIN
  DELETE FROM budget_checkpoints WHERE period_end >= ifnull((SELECT date FROM transactions WHERE id = OLD.transaction_id), '')
    AND budget_id IN (SELECT budget_id FROM budget_line_scopes WHERE target_id IN (OLD.tag_id));
END;
--> statement-breakpoint
CREATE TRIGGER transaction_payees_insert_checkpoints AFTER INSERT ON transaction_payees
WHEN EXISTS (SELECT 1 FROM budget_line_scopes WHERE target_id IN (NEW.payee_id))
BEGIN
  DELETE FROM budget_checkpoints WHERE period_end >= ifnull((SELECT date FROM transactions WHERE id = NEW.transaction_id), '')
    AND budget_id IN (SELECT budget_id FROM budget_line_scopes WHERE target_id IN (NEW.payee_id));
END;
--> statement-breakpoint
CREATE TRIGGER transaction_payees_delete_checkpoints AFTER DELETE ON transaction_payees
WHEN EXISTS (SELECT 1 FROM budget_line_scopes WHERE target_id IN (OLD.payee_id))
BEGIN
  DELETE FROM budget_checkpoints WHERE period_end >= ifnull((SELECT date FROM transactions WHERE id = OLD.transaction_id), '')
    AND budget_id IN (SELECT budget_id FROM budget_line_scopes WHERE target_id IN (OLD.payee_id));
END;
--> statement-breakpoint
CREATE TRIGGER transaction_payees_update_checkpoints AFTER UPDATE ON transaction_payees
WHEN EXISTS (SELECT 1 FROM budget_line_scopes WHERE target_id IN (NEW.payee_id, OLD.payee_id))
BEGIN
  DELETE FROM budget_checkpoints WHERE period_end >= ifnull((SELECT date FROM transactions WHERE id = NEW.transaction_id), '')
    AND budget_id IN (SELECT budget_id FROM budget_line_scopes WHERE target_id IN (NEW.payee_id, OLD.payee_id));
END;
--> statement-breakpoint
CREATE TRIGGER budget_amounts_insert_checkpoints AFTER INSERT ON budget_amounts
WHEN NEW.amount_minor IS NOT NULL
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = NEW.budget_id AND period >= NEW.period;
END;
--> statement-breakpoint
CREATE TRIGGER budget_amounts_update_checkpoints AFTER UPDATE OF amount_minor ON budget_amounts
WHEN NEW.amount_minor IS NOT OLD.amount_minor
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = NEW.budget_id AND period >= NEW.period;
END;
--> statement-breakpoint
CREATE TRIGGER budget_closings_insert_checkpoints AFTER INSERT ON budget_closings
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = NEW.budget_id AND period >= NEW.period;
END;
--> statement-breakpoint
CREATE TRIGGER budget_closings_delete_checkpoints AFTER DELETE ON budget_closings
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = OLD.budget_id AND period >= OLD.period;
END;
--> statement-breakpoint
CREATE TRIGGER budget_line_changes_insert_checkpoints AFTER INSERT ON budget_line_changes
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = NEW.budget_id AND period >= NEW.from_period;
END;
--> statement-breakpoint
CREATE TRIGGER budget_line_changes_update_checkpoints AFTER UPDATE ON budget_line_changes
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = NEW.budget_id AND period >= NEW.from_period;
END;
--> statement-breakpoint
CREATE TRIGGER budget_line_scopes_insert_checkpoints AFTER INSERT ON budget_line_scopes
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = NEW.budget_id;
END;
--> statement-breakpoint
CREATE TRIGGER budget_line_scopes_update_checkpoints AFTER UPDATE ON budget_line_scopes
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = NEW.budget_id;
END;
--> statement-breakpoint
CREATE TRIGGER budget_line_scopes_delete_checkpoints AFTER DELETE ON budget_line_scopes
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = OLD.budget_id;
END;
--> statement-breakpoint
CREATE TRIGGER budgets_update_checkpoints AFTER UPDATE OF unit, unit_count, anchor, weekend, first_day, accounts, account_ids, cards, count_pending, count_transfers, income_in_next_period, owner_id, group_id, currency ON budgets
WHEN (NEW.unit, NEW.unit_count, NEW.anchor, NEW.weekend, NEW.first_day, NEW.accounts, NEW.account_ids, NEW.cards, NEW.count_pending, NEW.count_transfers, NEW.income_in_next_period, NEW.owner_id, NEW.group_id, NEW.currency)
  IS NOT (OLD.unit, OLD.unit_count, OLD.anchor, OLD.weekend, OLD.first_day, OLD.accounts, OLD.account_ids, OLD.cards, OLD.count_pending, OLD.count_transfers, OLD.income_in_next_period, OLD.owner_id, OLD.group_id, OLD.currency)
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER transaction_tags_update_checkpoints AFTER UPDATE ON transaction_tags
WHEN EXISTS (SELECT 1 FROM budget_line_scopes WHERE target_id IN (NEW.tag_id, OLD.tag_id))
BEGIN
  DELETE FROM budget_checkpoints WHERE period_end >= ifnull((SELECT date FROM transactions WHERE id = NEW.transaction_id), '')
    AND budget_id IN (SELECT budget_id FROM budget_line_scopes WHERE target_id IN (NEW.tag_id, OLD.tag_id));
END;
--> statement-breakpoint
CREATE TRIGGER entries_insert_watch AFTER INSERT ON entries
WHEN (NEW.side = 'expense' OR NEW.flow_minor IS NOT NULL) AND NEW.status <> 'void'
  AND (EXISTS (SELECT 1 FROM budgets WHERE owner_id = NEW.owner_id)
    OR EXISTS (SELECT 1 FROM shares s JOIN budgets b ON b.group_id = s.group_id WHERE s.account_id = NEW.account_id)
    OR EXISTS (SELECT 1 FROM account_receivers r JOIN budgets b ON b.owner_id = r.user_id WHERE r.account_id = NEW.account_id))
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.account_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER entries_delete_watch AFTER DELETE ON entries
WHEN (OLD.side = 'expense' OR OLD.flow_minor IS NOT NULL) AND OLD.status <> 'void'
  AND (EXISTS (SELECT 1 FROM budgets WHERE owner_id = OLD.owner_id)
    OR EXISTS (SELECT 1 FROM shares s JOIN budgets b ON b.group_id = s.group_id WHERE s.account_id = OLD.account_id)
    OR EXISTS (SELECT 1 FROM account_receivers r JOIN budgets b ON b.owner_id = r.user_id WHERE r.account_id = OLD.account_id))
BEGIN
  INSERT INTO budget_watch (id) VALUES (OLD.account_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER entries_update_watch AFTER UPDATE OF category_id ON entries
WHEN (NEW.side = 'expense' OR NEW.flow_minor IS NOT NULL) AND NEW.status <> 'void' AND NEW.category_id IS NOT OLD.category_id
  AND (EXISTS (SELECT 1 FROM budgets WHERE owner_id = NEW.owner_id)
    OR EXISTS (SELECT 1 FROM shares s JOIN budgets b ON b.group_id = s.group_id WHERE s.account_id = NEW.account_id)
    OR EXISTS (SELECT 1 FROM account_receivers r JOIN budgets b ON b.owner_id = r.user_id WHERE r.account_id = NEW.account_id))
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.account_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER transactions_private_watch AFTER UPDATE OF private ON transactions
WHEN NEW.private <> OLD.private
BEGIN
  INSERT INTO budget_watch (id) SELECT DISTINCT account_id FROM entries WHERE transaction_id = NEW.id
    ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER transaction_tags_insert_watch AFTER INSERT ON transaction_tags
WHEN EXISTS (SELECT 1 FROM budget_line_scopes WHERE target_id = NEW.tag_id)
BEGIN
  INSERT INTO budget_watch (id) SELECT DISTINCT budget_id FROM budget_line_scopes WHERE target_id = NEW.tag_id
    ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER transaction_payees_insert_watch AFTER INSERT ON transaction_payees
WHEN EXISTS (SELECT 1 FROM budget_line_scopes WHERE target_id = NEW.payee_id)
BEGIN
  INSERT INTO budget_watch (id) SELECT DISTINCT budget_id FROM budget_line_scopes WHERE target_id = NEW.payee_id
    ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER transaction_payees_update_watch AFTER UPDATE OF payee_id ON transaction_payees
WHEN EXISTS (SELECT 1 FROM budget_line_scopes WHERE target_id = NEW.payee_id)
BEGIN
  INSERT INTO budget_watch (id) SELECT DISTINCT budget_id FROM budget_line_scopes WHERE target_id = NEW.payee_id
    ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER budgets_update_watch AFTER UPDATE ON budgets
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER budget_amounts_insert_watch AFTER INSERT ON budget_amounts
WHEN NEW.amount_minor IS NOT NULL
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.budget_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER budget_amounts_update_watch AFTER UPDATE OF amount_minor ON budget_amounts
WHEN NEW.amount_minor IS NOT OLD.amount_minor
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.budget_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER budget_line_changes_insert_watch AFTER INSERT ON budget_line_changes
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.budget_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER budget_line_changes_update_watch AFTER UPDATE ON budget_line_changes
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.budget_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER budget_line_scopes_insert_watch AFTER INSERT ON budget_line_scopes
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.budget_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER budget_line_scopes_delete_watch AFTER DELETE ON budget_line_scopes
WHEN EXISTS (SELECT 1 FROM budgets WHERE id = OLD.budget_id)
BEGIN
  INSERT INTO budget_watch (id) VALUES (OLD.budget_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER accounts_delete_watch AFTER DELETE ON accounts
BEGIN
  DELETE FROM budget_watch WHERE id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER budget_lines_update_watch AFTER UPDATE OF thresholds ON budget_lines
WHEN NEW.thresholds IS NOT OLD.thresholds
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.budget_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER transaction_tags_delete_watch AFTER DELETE ON transaction_tags
WHEN EXISTS (SELECT 1 FROM budget_line_scopes WHERE target_id = OLD.tag_id)
BEGIN
  INSERT INTO budget_watch (id) SELECT DISTINCT budget_id FROM budget_line_scopes WHERE target_id = OLD.tag_id
    ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER transaction_payees_delete_watch AFTER DELETE ON transaction_payees
WHEN EXISTS (SELECT 1 FROM budget_line_scopes WHERE target_id = OLD.payee_id)
BEGIN
  INSERT INTO budget_watch (id) SELECT DISTINCT budget_id FROM budget_line_scopes WHERE target_id = OLD.payee_id
    ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER transaction_tags_update_watch AFTER UPDATE OF tag_id ON transaction_tags
WHEN EXISTS (SELECT 1 FROM budget_line_scopes WHERE target_id = NEW.tag_id)
BEGIN
  INSERT INTO budget_watch (id) SELECT DISTINCT budget_id FROM budget_line_scopes WHERE target_id = NEW.tag_id
    ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER budget_line_scopes_update_watch AFTER UPDATE ON budget_line_scopes
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.budget_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER budget_closings_delete_watch AFTER DELETE ON budget_closings
BEGIN
  INSERT INTO budget_watch (id) SELECT id FROM budgets WHERE id = OLD.budget_id
    ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER categories_update_watch AFTER UPDATE OF parent_id, exclude_from_budget ON categories
WHEN (NEW.parent_id, NEW.exclude_from_budget) IS NOT (OLD.parent_id, OLD.exclude_from_budget)
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.owner_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER exchange_rates_insert_watch AFTER INSERT ON exchange_rates
WHEN EXISTS (SELECT 1 FROM budgets WHERE owner_id = NEW.owner_id)
  OR EXISTS (SELECT 1 FROM group_members m JOIN budgets b ON b.group_id = m.group_id WHERE m.user_id = NEW.owner_id AND m.role = 'owner')
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.owner_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER exchange_rates_update_watch AFTER UPDATE ON exchange_rates
WHEN EXISTS (SELECT 1 FROM budgets WHERE owner_id = NEW.owner_id)
  OR EXISTS (SELECT 1 FROM group_members m JOIN budgets b ON b.group_id = m.group_id WHERE m.user_id = NEW.owner_id AND m.role = 'owner')
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.owner_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER exchange_rates_delete_watch AFTER DELETE ON exchange_rates
WHEN EXISTS (SELECT 1 FROM budgets WHERE owner_id = OLD.owner_id)
  OR EXISTS (SELECT 1 FROM group_members m JOIN budgets b ON b.group_id = m.group_id WHERE m.user_id = OLD.owner_id AND m.role = 'owner')
BEGIN
  INSERT INTO budget_watch (id) VALUES (OLD.owner_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER system_exchange_rates_insert_watch AFTER INSERT ON system_exchange_rates
BEGIN
  INSERT INTO budget_watch (id) VALUES ('rates after ') ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER system_exchange_rates_update_watch AFTER UPDATE ON system_exchange_rates
BEGIN
  INSERT INTO budget_watch (id) VALUES ('rates after ') ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER system_exchange_rates_delete_watch AFTER DELETE ON system_exchange_rates
BEGIN
  INSERT INTO budget_watch (id) VALUES ('rates after ') ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER users_base_watch AFTER UPDATE OF base_currency ON users
WHEN NEW.base_currency <> OLD.base_currency
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER groups_update_watch AFTER UPDATE OF base_currency, suspended_at ON groups
WHEN (NEW.base_currency, NEW.suspended_at) IS NOT (OLD.base_currency, OLD.suspended_at)
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER group_members_update_watch AFTER UPDATE OF role ON group_members
WHEN NEW.role = 'owner'
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.group_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER group_members_insert_watch AFTER INSERT ON group_members
WHEN EXISTS (SELECT 1 FROM budgets WHERE owner_id = NEW.user_id)
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.user_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER group_members_delete_watch AFTER DELETE ON group_members
WHEN EXISTS (SELECT 1 FROM budgets WHERE owner_id = OLD.user_id)
BEGIN
  INSERT INTO budget_watch (id) VALUES (OLD.user_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER shares_insert_watch AFTER INSERT ON shares
WHEN EXISTS (SELECT 1 FROM budgets WHERE group_id = NEW.group_id OR owner_id = NEW.grantee_user_id)
  OR EXISTS (SELECT 1 FROM group_members m JOIN budgets b ON b.owner_id = m.user_id WHERE m.group_id = NEW.group_id)
BEGIN
  INSERT INTO budget_watch (id) VALUES (ifnull(NEW.group_id, NEW.grantee_user_id)) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER shares_update_watch AFTER UPDATE ON shares
WHEN EXISTS (SELECT 1 FROM budgets WHERE group_id = NEW.group_id OR owner_id = NEW.grantee_user_id)
  OR EXISTS (SELECT 1 FROM group_members m JOIN budgets b ON b.owner_id = m.user_id WHERE m.group_id = NEW.group_id)
BEGIN
  INSERT INTO budget_watch (id) VALUES (ifnull(NEW.group_id, NEW.grantee_user_id)) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER shares_delete_watch AFTER DELETE ON shares
WHEN EXISTS (SELECT 1 FROM budgets WHERE group_id = OLD.group_id OR owner_id = OLD.grantee_user_id)
  OR EXISTS (SELECT 1 FROM group_members m JOIN budgets b ON b.owner_id = m.user_id WHERE m.group_id = OLD.group_id)
BEGIN
  INSERT INTO budget_watch (id) VALUES (ifnull(OLD.group_id, OLD.grantee_user_id)) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER accounts_update_watch AFTER UPDATE OF on_budget, deleted_at ON accounts
WHEN (NEW.on_budget, NEW.deleted_at) IS NOT (OLD.on_budget, OLD.deleted_at)
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER account_choices_insert_watch AFTER INSERT ON account_choices
WHEN EXISTS (SELECT 1 FROM budgets WHERE owner_id = NEW.user_id)
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.user_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER account_choices_update_watch AFTER UPDATE ON account_choices
WHEN EXISTS (SELECT 1 FROM budgets WHERE owner_id = NEW.user_id)
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.user_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER shares_insert_checkpoints AFTER INSERT ON shares
WHEN NEW.budget_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM shares WHERE budget_id = NEW.budget_id AND id <> NEW.id)
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = NEW.budget_id;
  DELETE FROM budget_alerts WHERE budget_id = NEW.budget_id;
END;
--> statement-breakpoint
CREATE TRIGGER shares_delete_checkpoints AFTER DELETE ON shares
WHEN OLD.budget_id IS NOT NULL
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = OLD.budget_id;
END;
--> statement-breakpoint
CREATE TRIGGER budget_shares_insert_watch AFTER INSERT ON shares
WHEN NEW.budget_id IS NOT NULL
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.budget_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER budget_shares_delete_watch AFTER DELETE ON shares
WHEN EXISTS (SELECT 1 FROM budgets WHERE id = OLD.budget_id)
BEGIN
  INSERT INTO budget_watch (id) VALUES (OLD.budget_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER shares_of_deleted_budget AFTER DELETE ON budgets
BEGIN DELETE FROM shares WHERE budget_id = OLD.id; END;
--> statement-breakpoint
CREATE TRIGGER shares_of_deleted_attachment AFTER DELETE ON attachments
BEGIN DELETE FROM shares WHERE attachment_id = OLD.id; END;
--> statement-breakpoint
CREATE TRIGGER attachments_insert_usage AFTER INSERT ON attachments
BEGIN
  INSERT INTO storage_usage (storage_class_id, holder_id, bytes, objects)
  VALUES (NEW.storage_class_id, ifnull(NEW.group_id, NEW.owner_id), NEW.size, 1)
  ON CONFLICT (storage_class_id, holder_id) DO UPDATE SET
    bytes = bytes + NEW.size, objects = objects + 1;
END;
--> statement-breakpoint
CREATE TRIGGER attachments_delete_usage AFTER DELETE ON attachments
BEGIN
  UPDATE storage_usage SET bytes = bytes - OLD.size, objects = objects - 1
  WHERE storage_class_id = OLD.storage_class_id AND holder_id = ifnull(OLD.group_id, OLD.owner_id);
  DELETE FROM storage_usage
  WHERE storage_class_id = OLD.storage_class_id AND holder_id = ifnull(OLD.group_id, OLD.owner_id)
    AND objects = 0;
END;
--> statement-breakpoint
CREATE TRIGGER attachments_update_usage
AFTER UPDATE OF storage_class_id, group_id, owner_id, size ON attachments
BEGIN
  UPDATE storage_usage SET bytes = bytes - OLD.size, objects = objects - 1
  WHERE storage_class_id = OLD.storage_class_id AND holder_id = ifnull(OLD.group_id, OLD.owner_id);
  DELETE FROM storage_usage
  WHERE storage_class_id = OLD.storage_class_id AND holder_id = ifnull(OLD.group_id, OLD.owner_id)
    AND objects = 0;
  INSERT INTO storage_usage (storage_class_id, holder_id, bytes, objects)
  VALUES (NEW.storage_class_id, ifnull(NEW.group_id, NEW.owner_id), NEW.size, 1)
  ON CONFLICT (storage_class_id, holder_id) DO UPDATE SET
    bytes = bytes + NEW.size, objects = objects + 1;
END;
--> statement-breakpoint
CREATE TRIGGER attachment_links_of_transaction AFTER DELETE ON transactions
BEGIN DELETE FROM attachment_links WHERE target_id = OLD.id; END;
--> statement-breakpoint
CREATE TRIGGER attachment_links_of_account AFTER DELETE ON accounts
BEGIN DELETE FROM attachment_links WHERE target_id = OLD.id; END;
--> statement-breakpoint
CREATE TRIGGER transactions_delete_identities BEFORE DELETE ON transactions
BEGIN
  UPDATE import_identities SET transaction_id = NULL WHERE transaction_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER entries_no_replace BEFORE INSERT ON entries
WHEN EXISTS (SELECT 1 FROM entries WHERE transaction_id = NEW.transaction_id AND line = NEW.line)
BEGIN SELECT RAISE(ABORT, 'entries are never replaced in place'); END;
--> statement-breakpoint
CREATE TRIGGER entries_insert_balance AFTER INSERT ON entries WHEN NEW.side = 'account'
BEGIN
  UPDATE account_balances SET
    balance_minor = balance_minor + CASE WHEN NEW.status = 'void' THEN 0 ELSE NEW.amount_minor END,
    cleared_minor = cleared_minor
      + CASE WHEN NEW.status IN ('cleared', 'reconciled') THEN NEW.amount_minor ELSE 0 END,
    reconciled_minor = reconciled_minor
      + CASE WHEN NEW.status = 'reconciled' THEN NEW.amount_minor ELSE 0 END,
    transaction_count = transaction_count + 1,
    last_date = max(ifnull(last_date, NEW.date), NEW.date)
  WHERE account_id = NEW.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER entries_delete_balance AFTER DELETE ON entries WHEN OLD.side = 'account'
BEGIN
  UPDATE account_balances SET
    balance_minor = balance_minor - CASE WHEN OLD.status = 'void' THEN 0 ELSE OLD.amount_minor END,
    cleared_minor = cleared_minor
      - CASE WHEN OLD.status IN ('cleared', 'reconciled') THEN OLD.amount_minor ELSE 0 END,
    reconciled_minor = reconciled_minor
      - CASE WHEN OLD.status = 'reconciled' THEN OLD.amount_minor ELSE 0 END,
    transaction_count = transaction_count - 1,
    last_date = CASE WHEN OLD.date < last_date THEN last_date ELSE
      (SELECT max(date) FROM entries WHERE account_id = OLD.account_id AND side = 'account') END
  WHERE account_id = OLD.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER entries_insert_opening AFTER INSERT ON entries
WHEN NEW.side = 'opening' AND NEW.status <> 'void'
BEGIN
  UPDATE account_balances SET opening_minor = opening_minor - NEW.amount_minor
  WHERE account_id = NEW.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER entries_delete_opening AFTER DELETE ON entries
WHEN OLD.side = 'opening' AND OLD.status <> 'void'
BEGIN
  UPDATE account_balances SET opening_minor = opening_minor + OLD.amount_minor
  WHERE account_id = OLD.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER entries_insert_period AFTER INSERT ON entries WHEN NEW.side = 'account'
BEGIN
  INSERT INTO account_periods (account_id, grain, period, inflow_minor, outflow_minor, cleared_minor,
    reconciled_minor, entry_count)
  SELECT NEW.account_id, grain, period,
    CASE WHEN NEW.status <> 'void' THEN max(NEW.amount_minor, 0) ELSE 0 END,
    CASE WHEN NEW.status <> 'void' THEN min(NEW.amount_minor, 0) ELSE 0 END,
    CASE WHEN NEW.status IN ('cleared', 'reconciled') THEN NEW.amount_minor ELSE 0 END,
    CASE WHEN NEW.status = 'reconciled' THEN NEW.amount_minor ELSE 0 END,
    1
  FROM (SELECT 'day' AS grain, NEW.date AS period UNION ALL SELECT 'month', substr(NEW.date, 1, 7))
  WHERE true
  ON CONFLICT (account_id, grain, period) DO UPDATE SET
    inflow_minor = inflow_minor + excluded.inflow_minor,
    outflow_minor = outflow_minor + excluded.outflow_minor,
    cleared_minor = cleared_minor + excluded.cleared_minor,
    reconciled_minor = reconciled_minor + excluded.reconciled_minor,
    entry_count = entry_count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER entries_delete_period AFTER DELETE ON entries WHEN OLD.side = 'account'
BEGIN
  UPDATE account_periods SET
    inflow_minor = inflow_minor - CASE WHEN OLD.status <> 'void' THEN max(OLD.amount_minor, 0) ELSE 0 END,
    outflow_minor = outflow_minor - CASE WHEN OLD.status <> 'void' THEN min(OLD.amount_minor, 0) ELSE 0 END,
    cleared_minor = cleared_minor
      - CASE WHEN OLD.status IN ('cleared', 'reconciled') THEN OLD.amount_minor ELSE 0 END,
    reconciled_minor = reconciled_minor
      - CASE WHEN OLD.status = 'reconciled' THEN OLD.amount_minor ELSE 0 END,
    entry_count = entry_count - 1
  WHERE account_id = OLD.account_id AND ((grain = 'day' AND period = OLD.date)
    OR (grain = 'month' AND period = substr(OLD.date, 1, 7)));
  DELETE FROM account_periods
  WHERE account_id = OLD.account_id AND ((grain = 'day' AND period = OLD.date)
    OR (grain = 'month' AND period = substr(OLD.date, 1, 7))) AND entry_count = 0;
END;
--> statement-breakpoint
CREATE TRIGGER transactions_delete_matched BEFORE DELETE ON transactions
BEGIN
  DELETE FROM transactions WHERE matched_into = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER transactions_delete_links BEFORE DELETE ON transactions
BEGIN
  DELETE FROM transaction_tags WHERE transaction_id = OLD.id;
  DELETE FROM transaction_payees WHERE transaction_id = OLD.id;
  DELETE FROM transaction_links WHERE source_id = OLD.id;
  DELETE FROM transaction_links WHERE target_id = OLD.id;
  DELETE FROM distinct_pairs WHERE one_id = OLD.id;
  DELETE FROM distinct_pairs WHERE other_id = OLD.id;
  DELETE FROM unbooked_entries WHERE transaction_id = OLD.id;
  UPDATE valuations SET transaction_id = NULL WHERE transaction_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER entries_update_status AFTER UPDATE OF status ON entries
WHEN NEW.side = 'account' AND NEW.status <> OLD.status
BEGIN
  UPDATE account_balances SET
    cleared_minor = cleared_minor + NEW.amount_minor
      * ((NEW.status IN ('cleared', 'reconciled')) - (OLD.status IN ('cleared', 'reconciled'))),
    reconciled_minor = reconciled_minor + NEW.amount_minor
      * ((NEW.status = 'reconciled') - (OLD.status = 'reconciled'))
  WHERE account_id = NEW.account_id;
  UPDATE account_periods SET
    cleared_minor = cleared_minor + NEW.amount_minor
      * ((NEW.status IN ('cleared', 'reconciled')) - (OLD.status IN ('cleared', 'reconciled'))),
    reconciled_minor = reconciled_minor + NEW.amount_minor
      * ((NEW.status = 'reconciled') - (OLD.status = 'reconciled'))
  WHERE account_id = NEW.account_id AND ((grain = 'day' AND period = NEW.date)
    OR (grain = 'month' AND period = substr(NEW.date, 1, 7)));
END;
--> statement-breakpoint
CREATE TRIGGER entries_update_uncategorised AFTER UPDATE OF category_id ON entries
WHEN (NEW.category_id IS NULL) <> (OLD.category_id IS NULL)
BEGIN
  UPDATE entries SET
    uncategorised = EXISTS (SELECT 1 FROM entries part WHERE part.transaction_id = NEW.transaction_id
      AND part.account_id = NEW.account_id AND part.side IN ('expense', 'income') AND part.category_id IS NULL)
  WHERE transaction_id = NEW.transaction_id AND account_id = NEW.account_id AND side = 'account';
END;
--> statement-breakpoint
CREATE TRIGGER entries_insert_flow AFTER INSERT ON entries
WHEN (NEW.side IN ('expense', 'income', 'opening', 'adjustment') OR NEW.flow_minor IS NOT NULL) AND NEW.status <> 'void'
BEGIN
  INSERT INTO flow_periods (account_id, grain, period, flow, category_id, counter_account_id, amount_minor, pending_minor,
    entry_count, inflow_minor)
  SELECT NEW.account_id, grain, period, iif(NEW.flow_minor IS NULL, NEW.side, 'transfer'), ifnull(NEW.category_id, ''),
    ifnull(NEW.counter_account_id, ''), ifnull(NEW.flow_minor, 0 - NEW.amount_minor),
    iif(NEW.status = 'pending', ifnull(NEW.flow_minor, 0 - NEW.amount_minor), 0), 1,
    max(ifnull(NEW.flow_minor, 0 - NEW.amount_minor), 0)
  FROM (SELECT 'day' AS grain, NEW.date AS period UNION ALL SELECT 'month', substr(NEW.date, 1, 7))
  WHERE true
  ON CONFLICT (account_id, grain, period, flow, category_id, counter_account_id) DO UPDATE SET
    amount_minor = amount_minor + excluded.amount_minor,
    pending_minor = pending_minor + excluded.pending_minor,
    entry_count = entry_count + 1,
    inflow_minor = inflow_minor + excluded.inflow_minor;
END;
--> statement-breakpoint
CREATE TRIGGER entries_delete_flow AFTER DELETE ON entries
WHEN (OLD.side IN ('expense', 'income', 'opening', 'adjustment') OR OLD.flow_minor IS NOT NULL) AND OLD.status <> 'void'
BEGIN
  UPDATE flow_periods SET
    amount_minor = amount_minor - ifnull(OLD.flow_minor, 0 - OLD.amount_minor),
    pending_minor = pending_minor - iif(OLD.status = 'pending', ifnull(OLD.flow_minor, 0 - OLD.amount_minor), 0),
    entry_count = entry_count - 1,
    inflow_minor = inflow_minor - max(ifnull(OLD.flow_minor, 0 - OLD.amount_minor), 0)
  WHERE account_id = OLD.account_id
    AND (grain = 'day' AND period = OLD.date OR grain = 'month' AND period = substr(OLD.date, 1, 7))
    AND flow = iif(OLD.flow_minor IS NULL, OLD.side, 'transfer') AND category_id = ifnull(OLD.category_id, '')
    AND counter_account_id = ifnull(OLD.counter_account_id, '');
  DELETE FROM flow_periods
  WHERE account_id = OLD.account_id
    AND (grain = 'day' AND period = OLD.date OR grain = 'month' AND period = substr(OLD.date, 1, 7))
    AND flow = iif(OLD.flow_minor IS NULL, OLD.side, 'transfer') AND category_id = ifnull(OLD.category_id, '')
    AND counter_account_id = ifnull(OLD.counter_account_id, '')
    AND entry_count = 0;
END;
--> statement-breakpoint
CREATE TRIGGER entries_update_flow AFTER UPDATE OF category_id ON entries
WHEN (NEW.side IN ('expense', 'income', 'opening', 'adjustment') OR NEW.flow_minor IS NOT NULL) AND NEW.status <> 'void'
  AND NEW.category_id IS NOT OLD.category_id
BEGIN
  INSERT INTO flow_periods (account_id, grain, period, flow, category_id, counter_account_id, amount_minor, pending_minor,
    entry_count, inflow_minor)
  SELECT NEW.account_id, grain, period, iif(NEW.flow_minor IS NULL, NEW.side, 'transfer'), ifnull(NEW.category_id, ''),
    ifnull(NEW.counter_account_id, ''), ifnull(NEW.flow_minor, 0 - NEW.amount_minor),
    iif(NEW.status = 'pending', ifnull(NEW.flow_minor, 0 - NEW.amount_minor), 0), 1,
    max(ifnull(NEW.flow_minor, 0 - NEW.amount_minor), 0)
  FROM (SELECT 'day' AS grain, NEW.date AS period UNION ALL SELECT 'month', substr(NEW.date, 1, 7))
  WHERE true
  ON CONFLICT (account_id, grain, period, flow, category_id, counter_account_id) DO UPDATE SET
    amount_minor = amount_minor + excluded.amount_minor,
    pending_minor = pending_minor + excluded.pending_minor,
    entry_count = entry_count + 1,
    inflow_minor = inflow_minor + excluded.inflow_minor;
  UPDATE flow_periods SET
    amount_minor = amount_minor - ifnull(OLD.flow_minor, 0 - OLD.amount_minor),
    pending_minor = pending_minor - iif(OLD.status = 'pending', ifnull(OLD.flow_minor, 0 - OLD.amount_minor), 0),
    entry_count = entry_count - 1,
    inflow_minor = inflow_minor - max(ifnull(OLD.flow_minor, 0 - OLD.amount_minor), 0)
  WHERE account_id = OLD.account_id
    AND (grain = 'day' AND period = OLD.date OR grain = 'month' AND period = substr(OLD.date, 1, 7))
    AND flow = iif(OLD.flow_minor IS NULL, OLD.side, 'transfer') AND category_id = ifnull(OLD.category_id, '')
    AND counter_account_id = ifnull(OLD.counter_account_id, '');
  DELETE FROM flow_periods
  WHERE account_id = OLD.account_id
    AND (grain = 'day' AND period = OLD.date OR grain = 'month' AND period = substr(OLD.date, 1, 7))
    AND flow = iif(OLD.flow_minor IS NULL, OLD.side, 'transfer') AND category_id = ifnull(OLD.category_id, '')
    AND counter_account_id = ifnull(OLD.counter_account_id, '')
    AND entry_count = 0;
END;
--> statement-breakpoint
CREATE TRIGGER entries_no_update BEFORE UPDATE ON entries
WHEN (NEW.transaction_id, NEW.line, NEW.owner_id, NEW.account_id, NEW.date, NEW.amount_minor, NEW.currency,
    NEW.external_id, NEW.counter_account_id, NEW.flow_minor, NEW.pair)
  IS NOT (OLD.transaction_id, OLD.line, OLD.owner_id, OLD.account_id, OLD.date, OLD.amount_minor, OLD.currency,
    OLD.external_id, OLD.counter_account_id, OLD.flow_minor, OLD.pair)
  OR NEW.side <> OLD.side AND NOT (NEW.side IN ('expense', 'income') AND OLD.side IN ('expense', 'income')
    AND NEW.category_id IS NOT OLD.category_id)
  OR NEW.status <> OLD.status AND NOT (NEW.status IN ('uncleared', 'cleared', 'reconciled')
    AND OLD.status IN ('uncleared', 'cleared', 'reconciled'))
  OR NEW.external_scope <> OLD.external_scope
    AND NEW.external_scope <> (SELECT iif(private, created_by, '') FROM transactions WHERE id = NEW.transaction_id)
BEGIN SELECT RAISE(ABORT, 'entries are never moved in place'); END;
--> statement-breakpoint
CREATE TRIGGER log_commits_no_update BEFORE UPDATE ON log_commits
WHEN NOT ((NEW.ip IS NULL OR NEW.ip IS OLD.ip)
  AND (NEW.user_agent IS NULL OR NEW.user_agent IS OLD.user_agent)
  AND (NEW.number, NEW.id, NEW.at, NEW.operation, NEW.actor_type, NEW.actor_id, NEW.token_id, NEW.type, NEW.owner_id,
      NEW.request_id, NEW.first_event, NEW.event_count)
    IS (OLD.number, OLD.id, OLD.at, OLD.operation, OLD.actor_type, OLD.actor_id, OLD.token_id, OLD.type, OLD.owner_id,
      OLD.request_id, OLD.first_event, OLD.event_count)
  AND EXISTS (SELECT 1 FROM users u WHERE u.id IN (OLD.owner_id, OLD.actor_id) AND u.status = 'deleted'))
BEGIN SELECT RAISE(ABORT, 'log_commits is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER log_events_no_update BEFORE UPDATE ON log_events
WHEN NOT ((NEW.content IS NULL OR NEW.content IS OLD.content)
  AND (NEW.facts IS NULL OR NEW.facts IS OLD.facts)
  AND (NEW.number, NEW.commit_number, NEW.type, NEW.resource_type, NEW.resource_id, NEW.owner_id, NEW.account_id,
      NEW.history, NEW.group_id, NEW.version)
    IS (OLD.number, OLD.commit_number, OLD.type, OLD.resource_type, OLD.resource_id, OLD.owner_id, OLD.account_id,
      OLD.history, OLD.group_id, OLD.version)
  AND EXISTS (SELECT 1 FROM log_commits c JOIN users u ON u.id = ifnull(OLD.owner_id, c.owner_id)
    WHERE c.number = OLD.commit_number AND u.status = 'deleted'))
BEGIN SELECT RAISE(ABORT, 'log_events is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER log_seals_no_update BEFORE UPDATE ON log_seals
BEGIN SELECT RAISE(ABORT, 'log_seals is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER log_seals_no_replace BEFORE INSERT ON log_seals
WHEN EXISTS (SELECT 1 FROM log_seals WHERE number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'log_seals is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER log_commits_no_delete BEFORE DELETE ON log_commits
WHEN NOT (OLD.number = (SELECT min(number) FROM log_commits)
  AND OLD.number < (SELECT max(number) FROM log_seals)
  AND OLD.at < unixepoch('now', 'start of month', '-13 months') * 1000
  AND EXISTS (SELECT 1 FROM log_segments s WHERE s.last_commit >= OLD.number
    AND s.first_commit = (SELECT max(f.first_commit) FROM log_segments f WHERE f.first_commit <= OLD.number))
  AND OLD.first_event + OLD.event_count - 1 <= ifnull((SELECT min(cursor) FROM log_readers), 0))
BEGIN SELECT RAISE(ABORT, 'log_commits is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER log_commits_go_whole AFTER DELETE ON log_commits
BEGIN
  DELETE FROM log_events WHERE number >= OLD.first_event AND number < OLD.first_event + OLD.event_count;
  DELETE FROM log_seals WHERE number < OLD.number;
END;
--> statement-breakpoint
CREATE TRIGGER log_events_no_delete BEFORE DELETE ON log_events
WHEN OLD.number >= ifnull((SELECT first_event FROM log_commits
  WHERE number = (SELECT min(number) FROM log_commits)), 0)
BEGIN SELECT RAISE(ABORT, 'log_events is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER log_seals_no_delete BEFORE DELETE ON log_seals
WHEN OLD.number >= ifnull((SELECT min(number) FROM log_commits), 0) - 1
BEGIN SELECT RAISE(ABORT, 'log_seals is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER log_commits_no_replace BEFORE INSERT ON log_commits
WHEN NEW.number BETWEEN 0 AND (SELECT max(number) FROM log_commits)
BEGIN SELECT RAISE(ABORT, 'log_commits is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER log_events_no_replace BEFORE INSERT ON log_events
WHEN NEW.number BETWEEN 0 AND (SELECT max(number) FROM log_events)
BEGIN SELECT RAISE(ABORT, 'log_events is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER log_segments_no_delete BEFORE DELETE ON log_segments
WHEN OLD.first_commit < (SELECT min(number) FROM log_commits)
BEGIN SELECT RAISE(ABORT, 'the log has these commits in their segment alone'); END;
--> statement-breakpoint
CREATE TRIGGER log_segments_no_replace BEFORE INSERT ON log_segments
WHEN NEW.last_event < 1 OR EXISTS (SELECT 1 FROM log_segments WHERE first_commit = NEW.first_commit)
BEGIN SELECT RAISE(ABORT, 'a segment is stored once, and says what it has'); END;
--> statement-breakpoint
CREATE TRIGGER log_segments_no_update BEFORE UPDATE ON log_segments
WHEN (NEW.first_commit, NEW.last_commit, NEW.previous_hash, NEW.last_hash, NEW.first_event, NEW.last_event, NEW.first_at,
    NEW.last_at, NEW.first_date, NEW.last_date, NEW.created_at)
  IS NOT (OLD.first_commit, OLD.last_commit, OLD.previous_hash, OLD.last_hash, OLD.first_event, OLD.last_event, OLD.first_at,
    OLD.last_at, OLD.first_date, OLD.last_date, OLD.created_at)
BEGIN SELECT RAISE(ABORT, 'a segment changes its object alone'); END;
--> statement-breakpoint
CREATE TRIGGER period_locks_insert_days AFTER INSERT ON period_locks
BEGIN
  UPDATE accounts SET locked_through = max(ifnull(locked_through, ''), NEW.through),
      hard_locked_through = CASE NEW.kind WHEN 'hard' THEN max(ifnull(hard_locked_through, ''), NEW.through)
        ELSE hard_locked_through END
    WHERE id IN (SELECT NEW.account_id UNION ALL
      SELECT a.id FROM accounts a WHERE a.owner_id = iif(NEW.account_id IS NULL, NEW.owner_id, NULL));
END;
--> statement-breakpoint
CREATE TRIGGER period_locks_delete_days AFTER DELETE ON period_locks
BEGIN
  UPDATE accounts SET locked_through = nullif(max(
        ifnull((SELECT max(k.through) FROM period_locks k WHERE k.account_id = accounts.id AND k.kind = 'soft'), ''),
        ifnull((SELECT max(k.through) FROM period_locks k WHERE k.account_id = accounts.id AND k.kind = 'hard'), ''),
        ifnull((SELECT max(k.through) FROM period_locks k WHERE k.owner_id = OLD.owner_id AND k.kind = 'soft'
          AND k.account_id IS NULL), ''),
        ifnull((SELECT max(k.through) FROM period_locks k WHERE k.owner_id = OLD.owner_id AND k.kind = 'hard'
          AND k.account_id IS NULL), '')), ''),
      hard_locked_through = nullif(max(
        ifnull((SELECT max(k.through) FROM period_locks k WHERE k.account_id = accounts.id AND k.kind = 'hard'), ''),
        ifnull((SELECT max(k.through) FROM period_locks k WHERE k.owner_id = OLD.owner_id AND k.kind = 'hard'
          AND k.account_id IS NULL), '')), '')
    WHERE id IN (SELECT OLD.account_id UNION ALL
      SELECT a.id FROM accounts a WHERE a.owner_id = iif(OLD.account_id IS NULL, OLD.owner_id, NULL));
END;
--> statement-breakpoint
CREATE TRIGGER accounts_insert_days AFTER INSERT ON accounts
WHEN EXISTS (SELECT 1 FROM period_locks WHERE owner_id = NEW.owner_id AND account_id IS NULL)
BEGIN
  UPDATE accounts SET locked_through = (SELECT max(k.through) FROM period_locks k WHERE k.owner_id = NEW.owner_id
        AND k.account_id IS NULL),
      hard_locked_through = (SELECT max(k.through) FROM period_locks k WHERE k.owner_id = NEW.owner_id
        AND k.account_id IS NULL AND k.kind = 'hard')
    WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER transactions_delete_ticks BEFORE DELETE ON transactions
BEGIN
  DELETE FROM reconciliation_rows WHERE transaction_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER reconciliations_delete_rows BEFORE DELETE ON reconciliations
BEGIN
  DELETE FROM reconciliation_rows WHERE reconciliation_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER users_update_rule_set AFTER UPDATE OF rule_set ON users
WHEN NEW.rule_set >= 0
BEGIN
  UPDATE accounts SET rule_set = NEW.rule_set WHERE owner_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER users_time_zone_rule_set AFTER UPDATE OF time_zone ON users
WHEN NEW.time_zone <> OLD.time_zone AND NEW.rule_set > 0
BEGIN
  UPDATE users SET rule_set = rule_set + 1 WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER accounts_insert_rule_set AFTER INSERT ON accounts
WHEN (SELECT rule_set FROM users WHERE id = NEW.owner_id) > 0
BEGIN
  UPDATE accounts SET rule_set = (SELECT rule_set FROM users WHERE id = NEW.owner_id) WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER rules_insert_rule_set AFTER INSERT ON rules
BEGIN
  UPDATE users SET rule_set = rule_set + 1 WHERE id = NEW.owner_id AND rule_set >= 0;
END;
--> statement-breakpoint
CREATE TRIGGER rules_update_rule_set AFTER UPDATE OF position, active, definition ON rules
WHEN NEW.active <> OLD.active OR NEW.definition <> OLD.definition OR NEW.position = 1
BEGIN
  UPDATE users SET rule_set = rule_set + 1 WHERE id = NEW.owner_id AND rule_set >= 0;
END;
--> statement-breakpoint
CREATE TRIGGER rules_delete_rule_set AFTER DELETE ON rules
BEGIN
  UPDATE users SET rule_set = rule_set + 1 WHERE id = OLD.owner_id AND rule_set >= 0;
END;
--> statement-breakpoint
CREATE TRIGGER categories_insert_rule_set AFTER INSERT ON categories
WHEN (SELECT rule_set >= 0 FROM users WHERE id = NEW.owner_id)
  AND EXISTS (SELECT 1 FROM rules WHERE owner_id = NEW.owner_id AND instr(definition, NEW.id) > 0)
BEGIN
  UPDATE users SET rule_set = rule_set + 1 WHERE id = NEW.owner_id;
END;
--> statement-breakpoint
CREATE TRIGGER categories_update_rule_set AFTER UPDATE OF archived, kind ON categories
WHEN (NEW.archived <> OLD.archived OR NEW.kind <> OLD.kind)
  AND (EXISTS (SELECT 1 FROM rules WHERE owner_id = NEW.owner_id AND instr(definition, NEW.id) > 0)
    OR EXISTS (SELECT 1 FROM payees WHERE default_category_id = NEW.id))
BEGIN
  UPDATE users SET rule_set = rule_set + 1 WHERE id = NEW.owner_id;
END;
--> statement-breakpoint
CREATE TRIGGER categories_delete_rule_set AFTER DELETE ON categories
WHEN (SELECT rule_set >= 0 FROM users WHERE id = OLD.owner_id)
  AND EXISTS (SELECT 1 FROM rules WHERE owner_id = OLD.owner_id AND instr(definition, OLD.id) > 0)
BEGIN
  UPDATE users SET rule_set = rule_set + 1 WHERE id = OLD.owner_id;
END;
--> statement-breakpoint
CREATE TRIGGER tags_insert_rule_set AFTER INSERT ON tags
WHEN (SELECT rule_set >= 0 FROM users WHERE id = NEW.owner_id)
  AND EXISTS (SELECT 1 FROM rules WHERE owner_id = NEW.owner_id AND instr(definition, NEW.id) > 0)
BEGIN
  UPDATE users SET rule_set = rule_set + 1 WHERE id = NEW.owner_id;
END;
--> statement-breakpoint
CREATE TRIGGER tags_update_rule_set AFTER UPDATE OF archived ON tags
WHEN NEW.archived <> OLD.archived
  AND EXISTS (SELECT 1 FROM rules WHERE owner_id = NEW.owner_id AND instr(definition, NEW.id) > 0)
BEGIN
  UPDATE users SET rule_set = rule_set + 1 WHERE id = NEW.owner_id;
END;
--> statement-breakpoint
CREATE TRIGGER tags_delete_rule_set AFTER DELETE ON tags
WHEN (SELECT rule_set >= 0 FROM users WHERE id = OLD.owner_id)
  AND EXISTS (SELECT 1 FROM rules WHERE owner_id = OLD.owner_id AND instr(definition, OLD.id) > 0)
BEGIN
  UPDATE users SET rule_set = rule_set + 1 WHERE id = OLD.owner_id;
END;
--> statement-breakpoint
CREATE TRIGGER payees_insert_rule_set AFTER INSERT ON payees
WHEN (SELECT rule_set >= 0 FROM users WHERE id = NEW.owner_id)
  AND (NEW.default_category_id IS NOT NULL
    OR EXISTS (SELECT 1 FROM rules WHERE owner_id = NEW.owner_id
      AND (instr(definition, NEW.id) > 0 OR instr(definition, '{payee}') > 0)))
BEGIN
  UPDATE users SET rule_set = rule_set + 1 WHERE id = NEW.owner_id;
END;
--> statement-breakpoint
CREATE TRIGGER payees_update_rule_set AFTER UPDATE OF name, archived, default_category_id ON payees
WHEN NEW.default_category_id IS NOT OLD.default_category_id
  OR (NEW.archived <> OLD.archived
    AND EXISTS (SELECT 1 FROM rules WHERE owner_id = NEW.owner_id AND instr(definition, NEW.id) > 0))
  OR (NEW.name <> OLD.name
    AND EXISTS (SELECT 1 FROM rules WHERE owner_id = NEW.owner_id AND instr(definition, '{payee}') > 0))
BEGIN
  UPDATE users SET rule_set = rule_set + 1 WHERE id = NEW.owner_id AND rule_set >= 0;
END;
--> statement-breakpoint
CREATE TRIGGER payees_delete_rule_set AFTER DELETE ON payees
WHEN (SELECT rule_set >= 0 FROM users WHERE id = OLD.owner_id)
  AND EXISTS (SELECT 1 FROM rules WHERE owner_id = OLD.owner_id AND instr(definition, OLD.id) > 0)
BEGIN
  UPDATE users SET rule_set = rule_set + 1 WHERE id = OLD.owner_id;
END;
--> statement-breakpoint
CREATE TRIGGER accounts_update_rule_set AFTER UPDATE OF deleted_at ON accounts
WHEN (NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL)
  AND EXISTS (SELECT 1 FROM rules WHERE owner_id = NEW.owner_id AND instr(definition, NEW.id) > 0)
BEGIN
  UPDATE users SET rule_set = rule_set + 1 WHERE id = NEW.owner_id;
END;
--> statement-breakpoint
-- The two system roles; what they may do is read from the permission catalogue in code.
INSERT INTO roles (id, name, name_key, description, system, version, created_at, updated_at) VALUES
  ('rol_admin', 'admin', 'admin', 'Every permission', 'admin', 1, 0, 0),
  ('rol_user', 'user', 'user', 'Every permission that is not reserved to administrators', 'user', 1, 0, 0);
--> statement-breakpoint
-- Where files go until an administrator says otherwise: 25 MiB each, pictures and documents.
INSERT INTO storage_classes (id, name, name_key, r2_storage_class, prefix, quota_bytes, max_object_bytes,
  allowed_types, retention_days, is_default, version, created_at, updated_at) VALUES
  ('stc_standard', 'Standard', 'standard', 'Standard', 'files/', 1073741824, 26214400,
  '["application/pdf","image/jpeg","image/png","image/gif","image/webp","image/heic","text/plain","text/csv","application/json","application/xml","application/zip","application/vnd.openxmlformats-officedocument.spreadsheetml.sheet","application/vnd.openxmlformats-officedocument.wordprocessingml.document"]',
  NULL, 1, 1, 0, 0);
--> statement-breakpoint
CREATE TABLE `recurring` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`created_by` text NOT NULL,
	`name` text NOT NULL,
	`purpose` text NOT NULL,
	`mode` text NOT NULL,
	`active` integer NOT NULL,
	`private` integer NOT NULL,
	`account_id` text,
	`account_ids` text NOT NULL,
	`currency` text NOT NULL,
	`definition` text NOT NULL,
	`first_day` text NOT NULL,
	`rests` text DEFAULT '[]' NOT NULL,
	`rested_on` text,
	`handled_through` text,
	`reminded_on` text,
	`previous_id` text,
	`next_at` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `recurring_of_owner` ON `recurring` (`owner_id`,`id`);
--> statement-breakpoint
CREATE INDEX `recurring_due` ON `recurring` (`next_at`,`owner_id`) WHERE next_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `recurring_of_previous` ON `recurring` (`previous_id`) WHERE previous_id IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `recurring_occurrences` (
	`recurring_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`nominal_date` text NOT NULL,
	`date` text,
	`changes` text,
	`state` text,
	`reason` text,
	`expected_minor` integer,
	`told` integer DEFAULT false NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`recurring_id`, `nominal_date`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `recurring_occurrences_moved` ON `recurring_occurrences` (`recurring_id`) WHERE date IS NOT NULL AND told = 0;
--> statement-breakpoint
CREATE INDEX `recurring_occurrences_of_owner` ON `recurring_occurrences` (`owner_id`,`recurring_id`,`nominal_date`);
--> statement-breakpoint
CREATE INDEX `transactions_original_currency` ON `transactions` (`owner_id`,`original_currency`,`date`) WHERE original_currency IS NOT NULL AND deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `transactions_of_recurring` ON `transactions` (`recurring_id`,`recurring_date`) WHERE recurring_id IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER accounts_update_recurring AFTER UPDATE OF deleted_at ON accounts
WHEN (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)
BEGIN
  UPDATE recurring SET next_at = NEW.updated_at WHERE owner_id = NEW.owner_id AND instr(account_ids, NEW.id) > 0;
END;
--> statement-breakpoint
CREATE TRIGGER accounts_delete_recurring AFTER DELETE ON accounts
BEGIN
  DELETE FROM recurring_occurrences WHERE owner_id = OLD.owner_id AND recurring_id IN (
    SELECT id FROM recurring WHERE owner_id = OLD.owner_id AND instr(account_ids, OLD.id) > 0);
  DELETE FROM recurring WHERE owner_id = OLD.owner_id AND instr(account_ids, OLD.id) > 0;
END;
--> statement-breakpoint
CREATE TABLE `recurring_dismissals` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`key` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `recurring_dismissals_key` ON `recurring_dismissals` (`owner_id`,`key`);
--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`webhook_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`event_id` text NOT NULL,
	`type` text NOT NULL,
	`body` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`last_status` integer,
	`last_reason` text,
	`next_attempt_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_sequence` ON `webhook_deliveries` (`owner_id`,`webhook_id`,`sequence`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`webhook_id`,`next_attempt_at`,`sequence`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_state` ON `webhook_deliveries` (`owner_id`,`webhook_id`,`state`,`sequence`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`url` text NOT NULL,
	`types` text NOT NULL,
	`account_ids` text,
	`ignore_token_ids` text NOT NULL,
	`description` text NOT NULL,
	`active` integer NOT NULL,
	`secret` text NOT NULL,
	`secret_prefix` text NOT NULL,
	`previous_secret` text,
	`rotated_at` integer,
	`failing_since` integer,
	`after_event` integer NOT NULL,
	`last_sequence` integer NOT NULL,
	`next_at` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `webhooks_of_owner` ON `webhooks` (`owner_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhooks_due` ON `webhooks` (`next_at`) WHERE next_at IS NOT NULL AND active = 1;--> statement-breakpoint
CREATE INDEX `webhooks_rotating` ON `webhooks` (`rotated_at`) WHERE previous_secret IS NOT NULL;
