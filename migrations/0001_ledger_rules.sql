-- The log is append-only, whoever writes. OR REPLACE deletes without firing delete triggers, hence the third.
CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log
BEGIN SELECT RAISE(ABORT, 'audit_log is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log
BEGIN SELECT RAISE(ABORT, 'audit_log is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER audit_log_no_replace BEFORE INSERT ON audit_log
WHEN EXISTS (SELECT 1 FROM audit_log WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'audit_log is append-only'); END;
--> statement-breakpoint

-- Entries are replaced, never updated; so the insert and delete triggers below see every change.
CREATE TRIGGER entries_no_update BEFORE UPDATE ON entries
BEGIN SELECT RAISE(ABORT, 'entries are never updated'); END;
--> statement-breakpoint
CREATE TRIGGER entries_no_replace BEFORE INSERT ON entries
WHEN EXISTS (SELECT 1 FROM entries WHERE transaction_id = NEW.transaction_id AND line = NEW.line)
BEGIN SELECT RAISE(ABORT, 'entries are never replaced in place'); END;
--> statement-breakpoint

-- Projection account_balances: the account's own lines, void ones counted but without their amount.
CREATE TRIGGER entries_insert_balance AFTER INSERT ON entries WHEN NEW."end" = 'account'
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
CREATE TRIGGER entries_delete_balance AFTER DELETE ON entries WHEN OLD."end" = 'account'
BEGIN
  UPDATE account_balances SET
    balance_minor = balance_minor - CASE WHEN OLD.status = 'void' THEN 0 ELSE OLD.amount_minor END,
    cleared_minor = cleared_minor
      - CASE WHEN OLD.status IN ('cleared', 'reconciled') THEN OLD.amount_minor ELSE 0 END,
    reconciled_minor = reconciled_minor
      - CASE WHEN OLD.status = 'reconciled' THEN OLD.amount_minor ELSE 0 END,
    transaction_count = transaction_count - 1,
    last_date = CASE WHEN OLD.date < last_date THEN last_date ELSE
      (SELECT max(date) FROM entries WHERE account_id = OLD.account_id AND "end" = 'account') END
  WHERE account_id = OLD.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER entries_insert_opening AFTER INSERT ON entries
WHEN NEW."end" = 'opening' AND NEW.status <> 'void'
BEGIN
  UPDATE account_balances SET opening_minor = opening_minor - NEW.amount_minor
  WHERE account_id = NEW.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER entries_delete_opening AFTER DELETE ON entries
WHEN OLD."end" = 'opening' AND OLD.status <> 'void'
BEGIN
  UPDATE account_balances SET opening_minor = opening_minor + OLD.amount_minor
  WHERE account_id = OLD.account_id;
END;
--> statement-breakpoint

-- Projection category_months: what left for expenses (positive) or came from income (negative).
CREATE TRIGGER entries_insert_activity AFTER INSERT ON entries
WHEN NEW."end" IN ('expense', 'income') AND NEW.status <> 'void'
BEGIN
  INSERT INTO category_months (account_id, month, category_id, activity_minor, entry_count)
  VALUES (NEW.account_id, substr(NEW.date, 1, 7), ifnull(NEW.category_id, ''), NEW.amount_minor, 1)
  ON CONFLICT (account_id, month, category_id) DO UPDATE SET
    activity_minor = activity_minor + NEW.amount_minor,
    entry_count = entry_count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER entries_delete_activity AFTER DELETE ON entries
WHEN OLD."end" IN ('expense', 'income') AND OLD.status <> 'void'
BEGIN
  UPDATE category_months SET
    activity_minor = activity_minor - OLD.amount_minor,
    entry_count = entry_count - 1
  WHERE account_id = OLD.account_id AND month = substr(OLD.date, 1, 7)
    AND category_id = ifnull(OLD.category_id, '');
  DELETE FROM category_months
  WHERE account_id = OLD.account_id AND month = substr(OLD.date, 1, 7)
    AND category_id = ifnull(OLD.category_id, '') AND entry_count = 0;
END;
--> statement-breakpoint

-- The two system roles; what they may do is read from the permission catalogue in code.
INSERT INTO roles (id, name, name_key, description, system, version, created_at, updated_at) VALUES
  ('rol_admin', 'admin', 'admin', 'Every permission', 'admin', 1, 0, 0),
  ('rol_user', 'user', 'user', 'Every permission that is not reserved to administrators', 'user', 1, 0, 0);
