-- No figure needs these: what changes with their rows deletes checkpoints in the same commit, or is no part of them. What is held
-- is back in the pool of the next period, a line is archived in periods that have no checkpoints yet, and nothing can be booked on
-- a category that is not there.
DROP TRIGGER budget_amounts_delete_checkpoints;
--> statement-breakpoint
DROP TRIGGER budget_line_changes_delete_checkpoints;
--> statement-breakpoint
DROP TRIGGER budget_lines_insert_checkpoints;
--> statement-breakpoint
DROP TRIGGER budget_lines_update_checkpoints;
--> statement-breakpoint
DROP TRIGGER budget_lines_delete_checkpoints;
--> statement-breakpoint
DROP TRIGGER budget_periods_insert_checkpoints;
--> statement-breakpoint
DROP TRIGGER budget_periods_update_checkpoints;
--> statement-breakpoint
DROP TRIGGER budget_periods_delete_checkpoints;
--> statement-breakpoint
DROP TRIGGER categories_insert_checkpoints;
--> statement-breakpoint
DROP TRIGGER categories_delete_checkpoints;
--> statement-breakpoint
DROP TRIGGER group_members_insert_checkpoints;
--> statement-breakpoint
-- Tags are merged in place.
CREATE TRIGGER transaction_tags_update_checkpoints AFTER UPDATE ON transaction_tags
WHEN EXISTS (SELECT 1 FROM budget_line_scopes WHERE target_id IN (NEW.tag_id, OLD.tag_id))
BEGIN
  DELETE FROM budget_checkpoints WHERE period_end >= ifnull((SELECT date FROM transactions WHERE id = NEW.transaction_id), '')
    AND budget_id IN (SELECT budget_id FROM budget_line_scopes WHERE target_id IN (NEW.tag_id, OLD.tag_id));
END;
