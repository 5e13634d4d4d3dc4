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
	`id` text PRIMARY KEY NOT NULL
) STRICT;
--> statement-breakpoint
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
CREATE INDEX `budgets_to_purge` ON `budgets` (`deleted_at`) WHERE deleted_at IS NOT NULL;
--> statement-breakpoint
-- Checkpoints: whatever changes what they were made from deletes them.
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
CREATE TRIGGER categories_insert_checkpoints AFTER INSERT ON categories
WHEN NEW.parent_id IS NOT NULL OR NEW.exclude_from_budget
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id IN (SELECT c.budget_id FROM accounts a
    JOIN budget_checkpoint_accounts c ON c.account_id = a.id WHERE a.owner_id = NEW.owner_id);
END;
--> statement-breakpoint
CREATE TRIGGER categories_delete_checkpoints AFTER DELETE ON categories
WHEN OLD.parent_id IS NOT NULL OR OLD.exclude_from_budget
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id IN (SELECT c.budget_id FROM accounts a
    JOIN budget_checkpoint_accounts c ON c.account_id = a.id WHERE a.owner_id = OLD.owner_id);
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
CREATE TRIGGER group_members_insert_checkpoints AFTER INSERT ON group_members
WHEN NEW.role = 'owner'
BEGIN
  DELETE FROM budget_checkpoints WHERE converted = 1 AND budget_id IN (SELECT id FROM budgets WHERE group_id = NEW.group_id);
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
CREATE TRIGGER budget_amounts_delete_checkpoints AFTER DELETE ON budget_amounts
WHEN OLD.amount_minor IS NOT NULL
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = OLD.budget_id AND period >= OLD.period;
END;
--> statement-breakpoint
CREATE TRIGGER budget_periods_insert_checkpoints AFTER INSERT ON budget_periods
WHEN NEW.held_minor <> 0
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = NEW.budget_id AND period >= NEW.period;
END;
--> statement-breakpoint
CREATE TRIGGER budget_periods_update_checkpoints AFTER UPDATE OF held_minor ON budget_periods
WHEN NEW.held_minor <> OLD.held_minor
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = NEW.budget_id AND period >= NEW.period;
END;
--> statement-breakpoint
CREATE TRIGGER budget_periods_delete_checkpoints AFTER DELETE ON budget_periods
WHEN OLD.held_minor <> 0
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = OLD.budget_id AND period >= OLD.period;
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
CREATE TRIGGER budget_line_changes_delete_checkpoints AFTER DELETE ON budget_line_changes
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = OLD.budget_id AND period >= OLD.from_period;
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
CREATE TRIGGER budget_lines_insert_checkpoints AFTER INSERT ON budget_lines
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = NEW.budget_id;
END;
--> statement-breakpoint
CREATE TRIGGER budget_lines_update_checkpoints AFTER UPDATE OF archived_from, archived_into ON budget_lines
WHEN (NEW.archived_from, NEW.archived_into) IS NOT (OLD.archived_from, OLD.archived_into)
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = NEW.budget_id;
END;
--> statement-breakpoint
CREATE TRIGGER budget_lines_delete_checkpoints AFTER DELETE ON budget_lines
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
