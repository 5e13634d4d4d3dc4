-- Checkpoints: whatever changes what they were made from deletes them.
CREATE TRIGGER entries_insert_checkpoints AFTER INSERT ON entries
WHEN (NEW.side IN ('expense', 'income', 'opening', 'adjustment') OR NEW.flow_minor IS NOT NULL) AND NEW.status <> 'void'
  AND EXISTS (SELECT 1 FROM budget_checkpoint_accounts WHERE account_id = NEW.account_id)
BEGIN
  DELETE FROM budget_checkpoints WHERE period_end >= NEW.date
    AND budget_id IN (SELECT budget_id FROM budget_checkpoint_accounts WHERE account_id = NEW.account_id);
END;

CREATE TRIGGER entries_delete_checkpoints AFTER DELETE ON entries
WHEN (OLD.side IN ('expense', 'income', 'opening', 'adjustment') OR OLD.flow_minor IS NOT NULL) AND OLD.status <> 'void'
  AND EXISTS (SELECT 1 FROM budget_checkpoint_accounts WHERE account_id = OLD.account_id)
BEGIN
  DELETE FROM budget_checkpoints WHERE period_end >= OLD.date
    AND budget_id IN (SELECT budget_id FROM budget_checkpoint_accounts WHERE account_id = OLD.account_id);
END;

CREATE TRIGGER entries_update_checkpoints AFTER UPDATE OF category_id ON entries
WHEN (NEW.side IN ('expense', 'income', 'opening', 'adjustment') OR NEW.flow_minor IS NOT NULL) AND NEW.status <> 'void' AND NEW.category_id IS NOT OLD.category_id
  AND EXISTS (SELECT 1 FROM budget_checkpoint_accounts WHERE account_id = NEW.account_id)
BEGIN
  DELETE FROM budget_checkpoints WHERE period_end >= NEW.date
    AND budget_id IN (SELECT budget_id FROM budget_checkpoint_accounts WHERE account_id = NEW.account_id);
END;

CREATE TRIGGER transactions_private_checkpoints AFTER UPDATE OF private ON transactions
WHEN NEW.private <> OLD.private
BEGIN
  DELETE FROM budget_checkpoints WHERE period_end >= NEW.date AND budget_id IN (SELECT c.budget_id
    FROM entries e JOIN budget_checkpoint_accounts c ON c.account_id = e.account_id WHERE e.transaction_id = NEW.id);
END;

CREATE TRIGGER categories_update_checkpoints AFTER UPDATE OF parent_id, exclude_from_budget ON categories
WHEN (NEW.parent_id, NEW.exclude_from_budget) IS NOT (OLD.parent_id, OLD.exclude_from_budget)
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id IN (SELECT c.budget_id FROM accounts a
    JOIN budget_checkpoint_accounts c ON c.account_id = a.id WHERE a.owner_id = NEW.owner_id);
END;

CREATE TRIGGER exchange_rates_insert_checkpoints AFTER INSERT ON exchange_rates
BEGIN
  DELETE FROM budget_checkpoints WHERE converted = 1 AND period_end >= NEW.date AND budget_id IN (SELECT id FROM budgets WHERE owner_id = NEW.owner_id
    UNION SELECT b.id FROM group_members m JOIN budgets b ON b.group_id = m.group_id WHERE m.user_id = NEW.owner_id AND m.role = 'owner');
END;

CREATE TRIGGER system_exchange_rates_insert_checkpoints AFTER INSERT ON system_exchange_rates
BEGIN
  DELETE FROM budget_checkpoints WHERE converted = 1 AND period_end >= NEW.date;
END;

CREATE TRIGGER exchange_rates_delete_checkpoints AFTER DELETE ON exchange_rates
BEGIN
  DELETE FROM budget_checkpoints WHERE converted = 1 AND period_end >= OLD.date AND budget_id IN (SELECT id FROM budgets WHERE owner_id = OLD.owner_id
    UNION SELECT b.id FROM group_members m JOIN budgets b ON b.group_id = m.group_id WHERE m.user_id = OLD.owner_id AND m.role = 'owner');
END;

CREATE TRIGGER system_exchange_rates_delete_checkpoints AFTER DELETE ON system_exchange_rates
BEGIN
  DELETE FROM budget_checkpoints WHERE converted = 1 AND period_end >= OLD.date;
END;

CREATE TRIGGER exchange_rates_update_checkpoints AFTER UPDATE ON exchange_rates
BEGIN
  DELETE FROM budget_checkpoints WHERE converted = 1 AND period_end >= min(NEW.date, OLD.date) AND budget_id IN (SELECT id FROM budgets WHERE owner_id = NEW.owner_id
    UNION SELECT b.id FROM group_members m JOIN budgets b ON b.group_id = m.group_id WHERE m.user_id = NEW.owner_id AND m.role = 'owner');
END;

CREATE TRIGGER system_exchange_rates_update_checkpoints AFTER UPDATE ON system_exchange_rates
BEGIN
  DELETE FROM budget_checkpoints WHERE converted = 1 AND period_end >= min(NEW.date, OLD.date);
END;

CREATE TRIGGER users_base_checkpoints AFTER UPDATE OF base_currency ON users
WHEN NEW.base_currency <> OLD.base_currency
BEGIN
  DELETE FROM budget_checkpoints WHERE converted = 1 AND budget_id IN (SELECT id FROM budgets WHERE owner_id = NEW.id);
END;

CREATE TRIGGER groups_base_checkpoints AFTER UPDATE OF base_currency ON groups
WHEN NEW.base_currency <> OLD.base_currency
BEGIN
  DELETE FROM budget_checkpoints WHERE converted = 1 AND budget_id IN (SELECT id FROM budgets WHERE group_id = NEW.id);
END;

CREATE TRIGGER group_members_update_checkpoints AFTER UPDATE OF role ON group_members
WHEN NEW.role = 'owner'
BEGIN
  DELETE FROM budget_checkpoints WHERE converted = 1 AND budget_id IN (SELECT id FROM budgets WHERE group_id = NEW.group_id);
END;

CREATE TRIGGER transaction_tags_insert_checkpoints AFTER INSERT ON transaction_tags
WHEN EXISTS (SELECT 1 FROM budget_line_scopes WHERE target_id IN (NEW.tag_id))
BEGIN
  DELETE FROM budget_checkpoints WHERE period_end >= ifnull((SELECT date FROM transactions WHERE id = NEW.transaction_id), '')
    AND budget_id IN (SELECT budget_id FROM budget_line_scopes WHERE target_id IN (NEW.tag_id));
END;

CREATE TRIGGER transaction_tags_delete_checkpoints AFTER DELETE ON transaction_tags
WHEN EXISTS (SELECT 1 FROM budget_line_scopes WHERE target_id IN (OLD.tag_id))
BEGIN
  DELETE FROM budget_checkpoints WHERE period_end >= ifnull((SELECT date FROM transactions WHERE id = OLD.transaction_id), '')
    AND budget_id IN (SELECT budget_id FROM budget_line_scopes WHERE target_id IN (OLD.tag_id));
END;

CREATE TRIGGER transaction_payees_insert_checkpoints AFTER INSERT ON transaction_payees
WHEN EXISTS (SELECT 1 FROM budget_line_scopes WHERE target_id IN (NEW.payee_id))
BEGIN
  DELETE FROM budget_checkpoints WHERE period_end >= ifnull((SELECT date FROM transactions WHERE id = NEW.transaction_id), '')
    AND budget_id IN (SELECT budget_id FROM budget_line_scopes WHERE target_id IN (NEW.payee_id));
END;

CREATE TRIGGER transaction_payees_delete_checkpoints AFTER DELETE ON transaction_payees
WHEN EXISTS (SELECT 1 FROM budget_line_scopes WHERE target_id IN (OLD.payee_id))
BEGIN
  DELETE FROM budget_checkpoints WHERE period_end >= ifnull((SELECT date FROM transactions WHERE id = OLD.transaction_id), '')
    AND budget_id IN (SELECT budget_id FROM budget_line_scopes WHERE target_id IN (OLD.payee_id));
END;

CREATE TRIGGER transaction_payees_update_checkpoints AFTER UPDATE ON transaction_payees
WHEN EXISTS (SELECT 1 FROM budget_line_scopes WHERE target_id IN (NEW.payee_id, OLD.payee_id))
BEGIN
  DELETE FROM budget_checkpoints WHERE period_end >= ifnull((SELECT date FROM transactions WHERE id = NEW.transaction_id), '')
    AND budget_id IN (SELECT budget_id FROM budget_line_scopes WHERE target_id IN (NEW.payee_id, OLD.payee_id));
END;

CREATE TRIGGER budget_amounts_insert_checkpoints AFTER INSERT ON budget_amounts
WHEN NEW.amount_minor IS NOT NULL
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = NEW.budget_id AND period >= NEW.period;
END;

CREATE TRIGGER budget_amounts_update_checkpoints AFTER UPDATE OF amount_minor ON budget_amounts
WHEN NEW.amount_minor IS NOT OLD.amount_minor
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = NEW.budget_id AND period >= NEW.period;
END;

CREATE TRIGGER budget_closings_insert_checkpoints AFTER INSERT ON budget_closings
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = NEW.budget_id AND period >= NEW.period;
END;

CREATE TRIGGER budget_closings_delete_checkpoints AFTER DELETE ON budget_closings
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = OLD.budget_id AND period >= OLD.period;
END;

CREATE TRIGGER budget_line_changes_insert_checkpoints AFTER INSERT ON budget_line_changes
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = NEW.budget_id AND period >= NEW.from_period;
END;

CREATE TRIGGER budget_line_changes_update_checkpoints AFTER UPDATE ON budget_line_changes
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = NEW.budget_id AND period >= NEW.from_period;
END;

CREATE TRIGGER budget_line_scopes_insert_checkpoints AFTER INSERT ON budget_line_scopes
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = NEW.budget_id;
END;

CREATE TRIGGER budget_line_scopes_update_checkpoints AFTER UPDATE ON budget_line_scopes
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = NEW.budget_id;
END;

CREATE TRIGGER budget_line_scopes_delete_checkpoints AFTER DELETE ON budget_line_scopes
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = OLD.budget_id;
END;

CREATE TRIGGER budgets_update_checkpoints AFTER UPDATE OF unit, unit_count, anchor, weekend, first_day, accounts, account_ids, cards, count_pending, count_transfers, income_in_next_period, owner_id, group_id, currency ON budgets
WHEN (NEW.unit, NEW.unit_count, NEW.anchor, NEW.weekend, NEW.first_day, NEW.accounts, NEW.account_ids, NEW.cards, NEW.count_pending, NEW.count_transfers, NEW.income_in_next_period, NEW.owner_id, NEW.group_id, NEW.currency)
  IS NOT (OLD.unit, OLD.unit_count, OLD.anchor, OLD.weekend, OLD.first_day, OLD.accounts, OLD.account_ids, OLD.cards, OLD.count_pending, OLD.count_transfers, OLD.income_in_next_period, OLD.owner_id, OLD.group_id, OLD.currency)
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = NEW.id;
END;

-- Tags are merged in place.
CREATE TRIGGER transaction_tags_update_checkpoints AFTER UPDATE ON transaction_tags
WHEN EXISTS (SELECT 1 FROM budget_line_scopes WHERE target_id IN (NEW.tag_id, OLD.tag_id))
BEGIN
  DELETE FROM budget_checkpoints WHERE period_end >= ifnull((SELECT date FROM transactions WHERE id = NEW.transaction_id), '')
    AND budget_id IN (SELECT budget_id FROM budget_line_scopes WHERE target_id IN (NEW.tag_id, OLD.tag_id));
END;

-- What is private to the owner of a budget counts on its lines until it is shared, and again when it is not any more.
-- Alerts keep such sums, too: the first share ends them, and the watch tells anew what is still reached.
CREATE TRIGGER shares_insert_checkpoints AFTER INSERT ON shares
WHEN NEW.budget_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM shares WHERE budget_id = NEW.budget_id AND id <> NEW.id)
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = NEW.budget_id;
  DELETE FROM budget_alerts WHERE budget_id = NEW.budget_id;
END;

CREATE TRIGGER shares_delete_checkpoints AFTER DELETE ON shares
WHEN OLD.budget_id IS NOT NULL
BEGIN
  DELETE FROM budget_checkpoints WHERE budget_id = OLD.budget_id;
END;
