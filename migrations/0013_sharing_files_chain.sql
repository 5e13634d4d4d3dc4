CREATE TABLE `archives` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`owner_id` text NOT NULL,
	`task_id` text,
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
CREATE INDEX `attachment_links_of_attachment` ON `attachment_links` (`attachment_id`);--> statement-breakpoint
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
	`token_hash` text NOT NULL,
	`token_prefix` text NOT NULL,
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
CREATE UNIQUE INDEX `group_invites_token_hash_unique` ON `group_invites` (`token_hash`);--> statement-breakpoint
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
	`account_id` text NOT NULL,
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
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`grantee_user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "shares_one_receiver" CHECK((grantee_user_id IS NULL) + (group_id IS NULL) + (email_key IS NULL) = 2),
	CONSTRAINT "shares_accepted" CHECK(accepted_at IS NULL OR email_key IS NULL),
	CONSTRAINT "shares_not_with_owner" CHECK(grantee_user_id IS NOT owner_id)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `shares_with_user` ON `shares` (`account_id`,`grantee_user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `shares_with_address` ON `shares` (`email_key`,`account_id`) WHERE email_key IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `shares_with_group` ON `shares` (`account_id`) WHERE group_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `shares_of_grantee` ON `shares` (`grantee_user_id`,`id`);--> statement-breakpoint
CREATE INDEX `shares_of_group` ON `shares` (`group_id`,`account_id`);--> statement-breakpoint
CREATE INDEX `shares_of_owner` ON `shares` (`owner_id`,`id`);--> statement-breakpoint
CREATE TABLE `audit_chain` (
	`number` integer PRIMARY KEY NOT NULL,
	`log_id` text NOT NULL,
	`content_hash` text NOT NULL,
	`hash` text NOT NULL,
	`key_id` text NOT NULL,
	FOREIGN KEY (`log_id`) REFERENCES `audit_log`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_chain_log_id_unique` ON `audit_chain` (`log_id`);--> statement-breakpoint
ALTER TABLE `invite_codes` ADD `group_id` text REFERENCES groups(id);--> statement-breakpoint
ALTER TABLE `invite_codes` ADD `group_role` text;--> statement-breakpoint
CREATE INDEX `invite_codes_of_group` ON `invite_codes` (`group_id`);--> statement-breakpoint
ALTER TABLE `audit_log` ADD `booked_on` text;--> statement-breakpoint
ALTER TABLE `audit_log` ADD `group_id` text;--> statement-breakpoint
CREATE INDEX `audit_log_of_owner` ON `audit_log` (`owner_id`);--> statement-breakpoint
CREATE INDEX `audit_log_of_actor` ON `audit_log` (`actor_id`) WHERE actor_id IS NOT owner_id OR owner_id IS NULL;--> statement-breakpoint
CREATE INDEX `audit_log_of_group` ON `audit_log` (`group_id`) WHERE group_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `audit_log_downloads` ON `audit_log` (`at`) WHERE action = 'file.downloaded';--> statement-breakpoint
CREATE INDEX `audit_log_downloads_of_actor` ON `audit_log` (`actor_id`,`at`) WHERE action = 'file.downloaded';--> statement-breakpoint
CREATE INDEX `audit_log_registrations` ON `audit_log` (`at`) WHERE action IN ('user.registered', 'user.created');--> statement-breakpoint

-- Who sees somebody else's account, and by what: the one place that says so. Rank 4 manages, 3 writes,
-- 2 annotates, 1 views; a viewer of a group only views. Who sees an account in more ways has a row for each.
CREATE VIEW account_receivers AS
  SELECT s.account_id, s.id AS share_id, s.grantee_user_id AS user_id,
    CASE s.permission WHEN 'manage' THEN 4 WHEN 'write' THEN 3 WHEN 'annotate' THEN 2 ELSE 1 END AS rank,
    s.write_scope = 'own' AS own_rows, s.expires_at
  FROM shares s
  WHERE s.grantee_user_id IS NOT NULL AND s.accepted_at IS NOT NULL
  UNION ALL
  SELECT s.account_id, s.id, m.user_id,
    CASE WHEN m.role = 'viewer' THEN 1 ELSE
      CASE s.permission WHEN 'manage' THEN 4 WHEN 'write' THEN 3 WHEN 'annotate' THEN 2 ELSE 1 END END,
    s.write_scope = 'own', s.expires_at
  FROM group_members m JOIN groups g ON g.id = m.group_id
    JOIN shares s ON s.group_id = m.group_id AND s.group_id IS NOT NULL
  WHERE g.suspended_at IS NULL AND m.user_id <> s.owner_id;
--> statement-breakpoint

-- Projection storage_usage: what a person or a group keeps in a storage class.
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

-- Whoever erases what files are linked to takes the links off; the files stay.
CREATE TRIGGER attachment_links_of_transaction AFTER DELETE ON transactions
BEGIN DELETE FROM attachment_links WHERE target_id = OLD.id; END;
--> statement-breakpoint
CREATE TRIGGER attachment_links_of_account AFTER DELETE ON accounts
BEGIN DELETE FROM attachment_links WHERE target_id = OLD.id; END;
--> statement-breakpoint

-- The chain is as unchangeable as the log that it proves.
CREATE TRIGGER audit_chain_no_update BEFORE UPDATE ON audit_chain
BEGIN SELECT RAISE(ABORT, 'audit_chain is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER audit_chain_no_delete BEFORE DELETE ON audit_chain
BEGIN SELECT RAISE(ABORT, 'audit_chain is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER audit_chain_no_replace BEFORE INSERT ON audit_chain
WHEN EXISTS (SELECT 1 FROM audit_chain WHERE number = NEW.number OR log_id = NEW.log_id)
BEGIN SELECT RAISE(ABORT, 'audit_chain is append-only'); END;
--> statement-breakpoint

-- One change of the log is allowed: what it says of a user who is being erased is taken out, never put in.
DROP TRIGGER audit_log_no_update;
--> statement-breakpoint
CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log
WHEN NOT ((NEW.changes IS NULL OR NEW.changes IS OLD.changes)
  AND (NEW.facts IS NULL OR NEW.facts IS OLD.facts)
  AND (NEW.ip IS NULL OR NEW.ip IS OLD.ip)
  AND (NEW.user_agent IS NULL OR NEW.user_agent IS OLD.user_agent)
  AND (NEW.id, NEW.at, NEW.action, NEW.actor_type, NEW.actor_id, NEW.token_id, NEW.owner_id,
      NEW.resource_type, NEW.resource_id, NEW.account_id, NEW.booked_on, NEW.group_id, NEW.request_id)
    IS (OLD.id, OLD.at, OLD.action, OLD.actor_type, OLD.actor_id, OLD.token_id, OLD.owner_id,
      OLD.resource_type, OLD.resource_id, OLD.account_id, OLD.booked_on, OLD.group_id, OLD.request_id)
  AND EXISTS (SELECT 1 FROM users u WHERE u.id IN (OLD.owner_id, OLD.actor_id) AND u.status = 'deleted'))
BEGIN SELECT RAISE(ABORT, 'audit_log is append-only'); END;
--> statement-breakpoint
DROP TRIGGER audit_log_items_no_update;
--> statement-breakpoint
CREATE TRIGGER audit_log_items_no_update BEFORE UPDATE ON audit_log_items
WHEN NOT (NEW.changes = '{}' AND (NEW.resource_id, NEW.log_id) IS (OLD.resource_id, OLD.log_id)
  AND EXISTS (SELECT 1 FROM audit_log l JOIN users u ON u.id IN (l.owner_id, l.actor_id)
    WHERE l.id = OLD.log_id AND u.status = 'deleted'))
BEGIN SELECT RAISE(ABORT, 'audit_log is append-only'); END;
--> statement-breakpoint

-- Where files go until an administrator says otherwise: 25 MiB each, pictures and documents.
INSERT INTO storage_classes (id, name, name_key, r2_storage_class, prefix, quota_bytes, max_object_bytes,
  allowed_types, retention_days, is_default, version, created_at, updated_at) VALUES
  ('stc_standard', 'Standard', 'standard', 'Standard', 'files/', 1073741824, 26214400,
  '["application/pdf","image/jpeg","image/png","image/gif","image/webp","image/heic","text/plain","text/csv","application/json","application/xml","application/zip","application/vnd.openxmlformats-officedocument.spreadsheetml.sheet","application/vnd.openxmlformats-officedocument.wordprocessingml.document"]',
  NULL, 1, 1, 0, 0);
