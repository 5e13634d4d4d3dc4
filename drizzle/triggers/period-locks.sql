CREATE TRIGGER period_locks_insert_days AFTER INSERT ON period_locks
BEGIN
  UPDATE accounts SET locked_through = max(ifnull(locked_through, ''), NEW.through),
      hard_locked_through = CASE NEW.kind WHEN 'hard' THEN max(ifnull(hard_locked_through, ''), NEW.through)
        ELSE hard_locked_through END
    WHERE owner_id = NEW.owner_id AND (NEW.account_id IS NULL OR id = NEW.account_id);
END;

CREATE TRIGGER period_locks_delete_days AFTER DELETE ON period_locks
BEGIN
  UPDATE accounts SET locked_through = (SELECT max(k.through) FROM period_locks k WHERE k.owner_id = OLD.owner_id
        AND (k.account_id IS NULL OR k.account_id = accounts.id)),
      hard_locked_through = (SELECT max(k.through) FROM period_locks k WHERE k.owner_id = OLD.owner_id
        AND (k.account_id IS NULL OR k.account_id = accounts.id) AND k.kind = 'hard')
    WHERE owner_id = OLD.owner_id AND (OLD.account_id IS NULL OR id = OLD.account_id);
END;

CREATE TRIGGER accounts_insert_days AFTER INSERT ON accounts
WHEN EXISTS (SELECT 1 FROM period_locks WHERE owner_id = NEW.owner_id AND account_id IS NULL)
BEGIN
  UPDATE accounts SET locked_through = (SELECT max(k.through) FROM period_locks k WHERE k.owner_id = NEW.owner_id
        AND k.account_id IS NULL),
      hard_locked_through = (SELECT max(k.through) FROM period_locks k WHERE k.owner_id = NEW.owner_id
        AND k.account_id IS NULL AND k.kind = 'hard')
    WHERE id = NEW.id;
END;
