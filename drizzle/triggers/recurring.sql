-- Items rest while one of their accounts is in the trash: the next scheduled run looks at them.
CREATE TRIGGER accounts_update_recurring AFTER UPDATE OF deleted_at ON accounts
WHEN (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)
BEGIN
  UPDATE recurring SET next_at = NEW.updated_at WHERE owner_id = NEW.owner_id AND instr(account_ids, NEW.id) > 0;
END;

CREATE TRIGGER accounts_delete_recurring AFTER DELETE ON accounts
BEGIN
  DELETE FROM recurring_occurrences WHERE owner_id = OLD.owner_id AND recurring_id IN (
    SELECT id FROM recurring WHERE owner_id = OLD.owner_id AND instr(account_ids, OLD.id) > 0);
  DELETE FROM recurring WHERE owner_id = OLD.owner_id AND instr(account_ids, OLD.id) > 0;
END;
