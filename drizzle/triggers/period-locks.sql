-- One lock of an account is looked up by its account, and not among all accounts of the owner.
CREATE TRIGGER period_locks_insert_days AFTER INSERT ON period_locks
BEGIN
  UPDATE accounts SET locked_through = max(ifnull(locked_through, ''), NEW.through),
      hard_locked_through = CASE NEW.kind WHEN 'hard' THEN max(ifnull(hard_locked_through, ''), NEW.through)
        ELSE hard_locked_through END
    WHERE id IN (SELECT NEW.account_id UNION ALL
      SELECT a.id FROM accounts a WHERE a.owner_id = iif(NEW.account_id IS NULL, NEW.owner_id, NULL));
END;

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

CREATE TRIGGER accounts_insert_days AFTER INSERT ON accounts
WHEN EXISTS (SELECT 1 FROM period_locks WHERE owner_id = NEW.owner_id AND account_id IS NULL)
BEGIN
  UPDATE accounts SET locked_through = (SELECT max(k.through) FROM period_locks k WHERE k.owner_id = NEW.owner_id
        AND k.account_id IS NULL),
      hard_locked_through = (SELECT max(k.through) FROM period_locks k WHERE k.owner_id = NEW.owner_id
        AND k.account_id IS NULL AND k.kind = 'hard')
    WHERE id = NEW.id;
END;
