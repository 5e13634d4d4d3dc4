CREATE INDEX `budget_lines_of_budget` ON `budget_lines` (`budget_id`,`sort_order`,`id`);
--> statement-breakpoint
CREATE INDEX `budget_lines_by_averages` ON `budget_lines` (`budget_id`,"target" ->> 'periods') WHERE target ->> 'periods' IS NOT NULL;
--> statement-breakpoint
-- A mark goes with its account.
CREATE TRIGGER accounts_delete_watch AFTER DELETE ON accounts
BEGIN
  DELETE FROM budget_watch WHERE id = OLD.id;
END;
