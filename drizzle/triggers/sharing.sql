-- Whoever erases a budget or a file ends its shares.
CREATE TRIGGER shares_of_deleted_budget AFTER DELETE ON budgets
BEGIN DELETE FROM shares WHERE budget_id = OLD.id; END;

CREATE TRIGGER shares_of_deleted_attachment AFTER DELETE ON attachments
BEGIN DELETE FROM shares WHERE attachment_id = OLD.id; END;
