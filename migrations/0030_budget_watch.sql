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
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `notifications_of_user` ON `notifications` (`user_id`,`archived_at`,`id`);--> statement-breakpoint
DROP INDEX `entries_of_category`;--> statement-breakpoint
CREATE INDEX `entries_of_category` ON `entries` (`category_id`,`date`,`transaction_id`,`line`) WHERE category_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `budget_watch` ADD `marks` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `budget_watch` ADD `due_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `budget_watch_due` ON `budget_watch` (`due_at`);--> statement-breakpoint
-- Thresholds: whatever changes what is spent marks the account or the budgets, and a sweep looks at them. Accounts that are in
-- nobody's budget are not marked.
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
CREATE TRIGGER budgets_insert_watch AFTER INSERT ON budgets
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER budgets_update_watch AFTER UPDATE ON budgets
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
--> statement-breakpoint
CREATE TRIGGER budgets_delete_watch AFTER DELETE ON budgets
BEGIN
  DELETE FROM budget_watch WHERE id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER budget_lines_update_watch AFTER UPDATE OF thresholds, archived_from, archived_into ON budget_lines
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.budget_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
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
