CREATE TABLE `account_history_notes` (
	`log_id` text PRIMARY KEY NOT NULL,
	`comment` text,
	`hidden_at` integer,
	`version` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`log_id`) REFERENCES `audit_log`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
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
	`interest_rate` text,
	`color` text,
	`icon` text,
	`sort_order` integer DEFAULT 0 NOT NULL,
	`note` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_name` ON `accounts` (`owner_id`,`name_key`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_identity` ON `accounts` (`id`,`owner_id`,`currency`);--> statement-breakpoint
CREATE INDEX `accounts_of_owner` ON `accounts` (`owner_id`);--> statement-breakpoint
CREATE TABLE `invite_codes` (
	`id` text PRIMARY KEY NOT NULL,
	`code_hash` text NOT NULL,
	`role_id` text,
	`max_uses` integer NOT NULL,
	`uses` integer DEFAULT 0 NOT NULL,
	`expires_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`role_id`) REFERENCES `roles`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `invite_codes_code_hash_unique` ON `invite_codes` (`code_hash`);--> statement-breakpoint
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
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `one_time_tokens_of_user` ON `one_time_tokens` (`user_id`);--> statement-breakpoint
CREATE INDEX `one_time_tokens_by_expiry` ON `one_time_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `refresh_tokens` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`issued_at` integer NOT NULL,
	`spent_at` integer,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `refresh_tokens_of_session` ON `refresh_tokens` (`session_id`);--> statement-breakpoint
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
	`email_claim` text NOT NULL,
	`name_claim` text NOT NULL,
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
CREATE TABLE `account_balances` (
	`account_id` text PRIMARY KEY NOT NULL,
	`balance_minor` integer DEFAULT 0 NOT NULL,
	`cleared_minor` integer DEFAULT 0 NOT NULL,
	`reconciled_minor` integer DEFAULT 0 NOT NULL,
	`opening_minor` integer DEFAULT 0 NOT NULL,
	`transaction_count` integer DEFAULT 0 NOT NULL,
	`last_date` text,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "account_balance_range" CHECK(balance_minor BETWEEN -9007199254740991 AND 9007199254740991),
	CONSTRAINT "account_cleared_range" CHECK(cleared_minor BETWEEN -9007199254740991 AND 9007199254740991),
	CONSTRAINT "account_reconciled_range" CHECK(reconciled_minor BETWEEN -9007199254740991 AND 9007199254740991),
	CONSTRAINT "account_opening_range" CHECK(opening_minor BETWEEN -9007199254740991 AND 9007199254740991)
) STRICT;
--> statement-breakpoint
CREATE TABLE `category_months` (
	`account_id` text NOT NULL,
	`month` text NOT NULL,
	`category_id` text NOT NULL,
	`activity_minor` integer DEFAULT 0 NOT NULL,
	`entry_count` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`account_id`, `month`, `category_id`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "category_activity_range" CHECK(activity_minor BETWEEN -9007199254740991 AND 9007199254740991)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `entries` (
	`transaction_id` text NOT NULL,
	`line` integer NOT NULL,
	`owner_id` text NOT NULL,
	`account_id` text NOT NULL,
	`end` text NOT NULL,
	`date` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`category_id` text,
	`note` text,
	`external_id` text,
	PRIMARY KEY(`transaction_id`, `line`),
	FOREIGN KEY (`transaction_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`category_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`,`owner_id`,`currency`) REFERENCES `accounts`(`id`,`owner_id`,`currency`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "entry_amount_range" CHECK(amount_minor BETWEEN -9007199254740991 AND 9007199254740991),
	CONSTRAINT "entry_amount_not_zero" CHECK(amount_minor <> 0),
	CONSTRAINT "entry_date" CHECK(date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]')
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `entries_register` ON `entries` (`account_id`,`date`,`transaction_id`,`line`,`amount_minor`,`status`) WHERE "end" = 'account';--> statement-breakpoint
CREATE INDEX `entries_of_owner` ON `entries` (`owner_id`,`date`,`transaction_id`,`line`,`account_id`) WHERE "end" = 'account';--> statement-breakpoint
CREATE INDEX `entries_of_category` ON `entries` (`category_id`) WHERE category_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `entries_external_id` ON `entries` (`account_id`,`external_id`) WHERE external_id IS NOT NULL;--> statement-breakpoint
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
	`source` text NOT NULL,
	`note` text,
	`location` text,
	`metadata` text,
	`created_by` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `transfers_of_owner` ON `transactions` (`owner_id`,`date`,`id`) WHERE kind = 'transfer' AND deleted_at IS NULL;--> statement-breakpoint
CREATE TABLE `audit_log` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`action` text NOT NULL,
	`actor_type` text NOT NULL,
	`actor_id` text,
	`owner_id` text,
	`resource_type` text NOT NULL,
	`resource_id` text,
	`account_id` text,
	`changes` text,
	`facts` text,
	`request_id` text NOT NULL,
	`ip` text,
	`user_agent` text
) STRICT;
--> statement-breakpoint
CREATE INDEX `audit_log_of_account` ON `audit_log` (`account_id`) WHERE account_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`key_hash` text PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`status` integer NOT NULL,
	`sealed_answer` text NOT NULL,
	`expires_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `idempotency_keys_by_expiry` ON `idempotency_keys` (`expires_at`);--> statement-breakpoint
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
CREATE TABLE `tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`payload` text NOT NULL,
	`state` text DEFAULT 'queued' NOT NULL,
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
	`password_hash` text,
	`password_changed_at` integer,
	`base_currency` text NOT NULL,
	`locale` text NOT NULL,
	`time_zone` text NOT NULL,
	`status` text DEFAULT 'active' NOT NULL,
	`email_verified_at` integer,
	`mfa_enabled_at` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_key_unique` ON `users` (`email_key`);--> statement-breakpoint
CREATE TABLE `write_guard` (
	`reason` text NOT NULL,
	CONSTRAINT "guard_session" CHECK(reason <> 'session'),
	CONSTRAINT "guard_permission" CHECK(reason <> 'permission'),
	CONSTRAINT "guard_stale" CHECK(reason <> 'stale'),
	CONSTRAINT "guard_gone" CHECK(reason <> 'gone'),
	CONSTRAINT "guard_conflict" CHECK(reason <> 'conflict'),
	CONSTRAINT "guard_limit" CHECK(reason <> 'limit'),
	CONSTRAINT "guard_unbalanced" CHECK(reason <> 'unbalanced'),
	CONSTRAINT "guard_known" CHECK(reason IN ('session', 'permission', 'stale', 'gone', 'conflict', 'limit', 'unbalanced'))
) STRICT;
