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

CREATE TRIGGER entries_delete_watch AFTER DELETE ON entries
WHEN (OLD.side = 'expense' OR OLD.flow_minor IS NOT NULL) AND OLD.status <> 'void'
  AND (EXISTS (SELECT 1 FROM budgets WHERE owner_id = OLD.owner_id)
    OR EXISTS (SELECT 1 FROM shares s JOIN budgets b ON b.group_id = s.group_id WHERE s.account_id = OLD.account_id)
    OR EXISTS (SELECT 1 FROM account_receivers r JOIN budgets b ON b.owner_id = r.user_id WHERE r.account_id = OLD.account_id))
BEGIN
  INSERT INTO budget_watch (id) VALUES (OLD.account_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER entries_update_watch AFTER UPDATE OF category_id ON entries
WHEN (NEW.side = 'expense' OR NEW.flow_minor IS NOT NULL) AND NEW.status <> 'void' AND NEW.category_id IS NOT OLD.category_id
  AND (EXISTS (SELECT 1 FROM budgets WHERE owner_id = NEW.owner_id)
    OR EXISTS (SELECT 1 FROM shares s JOIN budgets b ON b.group_id = s.group_id WHERE s.account_id = NEW.account_id)
    OR EXISTS (SELECT 1 FROM account_receivers r JOIN budgets b ON b.owner_id = r.user_id WHERE r.account_id = NEW.account_id))
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.account_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER transactions_private_watch AFTER UPDATE OF private ON transactions
WHEN NEW.private <> OLD.private
BEGIN
  INSERT INTO budget_watch (id) SELECT DISTINCT account_id FROM entries WHERE transaction_id = NEW.id
    ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER transaction_tags_insert_watch AFTER INSERT ON transaction_tags
WHEN EXISTS (SELECT 1 FROM budget_line_scopes WHERE target_id = NEW.tag_id)
BEGIN
  INSERT INTO budget_watch (id) SELECT DISTINCT budget_id FROM budget_line_scopes WHERE target_id = NEW.tag_id
    ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER transaction_payees_insert_watch AFTER INSERT ON transaction_payees
WHEN EXISTS (SELECT 1 FROM budget_line_scopes WHERE target_id = NEW.payee_id)
BEGIN
  INSERT INTO budget_watch (id) SELECT DISTINCT budget_id FROM budget_line_scopes WHERE target_id = NEW.payee_id
    ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER transaction_payees_update_watch AFTER UPDATE OF payee_id ON transaction_payees
WHEN EXISTS (SELECT 1 FROM budget_line_scopes WHERE target_id = NEW.payee_id)
BEGIN
  INSERT INTO budget_watch (id) SELECT DISTINCT budget_id FROM budget_line_scopes WHERE target_id = NEW.payee_id
    ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER budgets_update_watch AFTER UPDATE ON budgets
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER budget_amounts_insert_watch AFTER INSERT ON budget_amounts
WHEN NEW.amount_minor IS NOT NULL
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.budget_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER budget_amounts_update_watch AFTER UPDATE OF amount_minor ON budget_amounts
WHEN NEW.amount_minor IS NOT OLD.amount_minor
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.budget_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER budget_line_changes_insert_watch AFTER INSERT ON budget_line_changes
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.budget_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER budget_line_changes_update_watch AFTER UPDATE ON budget_line_changes
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.budget_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER budget_line_scopes_insert_watch AFTER INSERT ON budget_line_scopes
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.budget_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER budget_line_scopes_delete_watch AFTER DELETE ON budget_line_scopes
WHEN EXISTS (SELECT 1 FROM budgets WHERE id = OLD.budget_id)
BEGIN
  INSERT INTO budget_watch (id) VALUES (OLD.budget_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

-- A mark goes with its account.
CREATE TRIGGER accounts_delete_watch AFTER DELETE ON accounts
BEGIN
  DELETE FROM budget_watch WHERE id = OLD.id;
END;

CREATE TRIGGER budget_lines_update_watch AFTER UPDATE OF thresholds ON budget_lines
WHEN NEW.thresholds IS NOT OLD.thresholds
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.budget_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER transaction_tags_delete_watch AFTER DELETE ON transaction_tags
WHEN EXISTS (SELECT 1 FROM budget_line_scopes WHERE target_id = OLD.tag_id)
BEGIN
  INSERT INTO budget_watch (id) SELECT DISTINCT budget_id FROM budget_line_scopes WHERE target_id = OLD.tag_id
    ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER transaction_payees_delete_watch AFTER DELETE ON transaction_payees
WHEN EXISTS (SELECT 1 FROM budget_line_scopes WHERE target_id = OLD.payee_id)
BEGIN
  INSERT INTO budget_watch (id) SELECT DISTINCT budget_id FROM budget_line_scopes WHERE target_id = OLD.payee_id
    ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER transaction_tags_update_watch AFTER UPDATE OF tag_id ON transaction_tags
WHEN EXISTS (SELECT 1 FROM budget_line_scopes WHERE target_id = NEW.tag_id)
BEGIN
  INSERT INTO budget_watch (id) SELECT DISTINCT budget_id FROM budget_line_scopes WHERE target_id = NEW.tag_id
    ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER budget_line_scopes_update_watch AFTER UPDATE ON budget_line_scopes
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.budget_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER budget_closings_delete_watch AFTER DELETE ON budget_closings
BEGIN
  INSERT INTO budget_watch (id) SELECT id FROM budgets WHERE id = OLD.budget_id
    ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

-- What belongs to a person or a group marks it, and a sweep marks the budgets that it may count in.
CREATE TRIGGER categories_update_watch AFTER UPDATE OF parent_id, exclude_from_budget ON categories
WHEN (NEW.parent_id, NEW.exclude_from_budget) IS NOT (OLD.parent_id, OLD.exclude_from_budget)
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.owner_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER exchange_rates_insert_watch AFTER INSERT ON exchange_rates
WHEN EXISTS (SELECT 1 FROM budgets WHERE owner_id = NEW.owner_id)
  OR EXISTS (SELECT 1 FROM group_members m JOIN budgets b ON b.group_id = m.group_id WHERE m.user_id = NEW.owner_id AND m.role = 'owner')
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.owner_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER exchange_rates_update_watch AFTER UPDATE ON exchange_rates
WHEN EXISTS (SELECT 1 FROM budgets WHERE owner_id = NEW.owner_id)
  OR EXISTS (SELECT 1 FROM group_members m JOIN budgets b ON b.group_id = m.group_id WHERE m.user_id = NEW.owner_id AND m.role = 'owner')
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.owner_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER exchange_rates_delete_watch AFTER DELETE ON exchange_rates
WHEN EXISTS (SELECT 1 FROM budgets WHERE owner_id = OLD.owner_id)
  OR EXISTS (SELECT 1 FROM group_members m JOIN budgets b ON b.group_id = m.group_id WHERE m.user_id = OLD.owner_id AND m.role = 'owner')
BEGIN
  INSERT INTO budget_watch (id) VALUES (OLD.owner_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

-- Rates of the system count everywhere: one mark stands for all budgets, which a sweep goes through some at a time.
CREATE TRIGGER system_exchange_rates_insert_watch AFTER INSERT ON system_exchange_rates
BEGIN
  INSERT INTO budget_watch (id) VALUES ('rates after ') ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER system_exchange_rates_update_watch AFTER UPDATE ON system_exchange_rates
BEGIN
  INSERT INTO budget_watch (id) VALUES ('rates after ') ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER system_exchange_rates_delete_watch AFTER DELETE ON system_exchange_rates
BEGIN
  INSERT INTO budget_watch (id) VALUES ('rates after ') ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER users_base_watch AFTER UPDATE OF base_currency ON users
WHEN NEW.base_currency <> OLD.base_currency
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER groups_update_watch AFTER UPDATE OF base_currency, suspended_at ON groups
WHEN (NEW.base_currency, NEW.suspended_at) IS NOT (OLD.base_currency, OLD.suspended_at)
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER group_members_update_watch AFTER UPDATE OF role ON group_members
WHEN NEW.role = 'owner'
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.group_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

-- Who joins or leaves a group sees other accounts in budgets of their own.
CREATE TRIGGER group_members_insert_watch AFTER INSERT ON group_members
WHEN EXISTS (SELECT 1 FROM budgets WHERE owner_id = NEW.user_id)
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.user_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER group_members_delete_watch AFTER DELETE ON group_members
WHEN EXISTS (SELECT 1 FROM budgets WHERE owner_id = OLD.user_id)
BEGIN
  INSERT INTO budget_watch (id) VALUES (OLD.user_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER shares_insert_watch AFTER INSERT ON shares
WHEN EXISTS (SELECT 1 FROM budgets WHERE group_id = NEW.group_id OR owner_id = NEW.grantee_user_id)
  OR EXISTS (SELECT 1 FROM group_members m JOIN budgets b ON b.owner_id = m.user_id WHERE m.group_id = NEW.group_id)
BEGIN
  INSERT INTO budget_watch (id) VALUES (ifnull(NEW.group_id, NEW.grantee_user_id)) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER shares_update_watch AFTER UPDATE ON shares
WHEN EXISTS (SELECT 1 FROM budgets WHERE group_id = NEW.group_id OR owner_id = NEW.grantee_user_id)
  OR EXISTS (SELECT 1 FROM group_members m JOIN budgets b ON b.owner_id = m.user_id WHERE m.group_id = NEW.group_id)
BEGIN
  INSERT INTO budget_watch (id) VALUES (ifnull(NEW.group_id, NEW.grantee_user_id)) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER shares_delete_watch AFTER DELETE ON shares
WHEN EXISTS (SELECT 1 FROM budgets WHERE group_id = OLD.group_id OR owner_id = OLD.grantee_user_id)
  OR EXISTS (SELECT 1 FROM group_members m JOIN budgets b ON b.owner_id = m.user_id WHERE m.group_id = OLD.group_id)
BEGIN
  INSERT INTO budget_watch (id) VALUES (ifnull(OLD.group_id, OLD.grantee_user_id)) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER accounts_update_watch AFTER UPDATE OF on_budget, deleted_at ON accounts
WHEN (NEW.on_budget, NEW.deleted_at) IS NOT (OLD.on_budget, OLD.deleted_at)
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER account_choices_insert_watch AFTER INSERT ON account_choices
WHEN EXISTS (SELECT 1 FROM budgets WHERE owner_id = NEW.user_id)
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.user_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER account_choices_update_watch AFTER UPDATE ON account_choices
WHEN EXISTS (SELECT 1 FROM budgets WHERE owner_id = NEW.user_id)
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.user_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER budget_shares_insert_watch AFTER INSERT ON shares
WHEN NEW.budget_id IS NOT NULL
BEGIN
  INSERT INTO budget_watch (id) VALUES (NEW.budget_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;

CREATE TRIGGER budget_shares_delete_watch AFTER DELETE ON shares
WHEN EXISTS (SELECT 1 FROM budgets WHERE id = OLD.budget_id)
BEGIN
  INSERT INTO budget_watch (id) VALUES (OLD.budget_id) ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0;
END;
