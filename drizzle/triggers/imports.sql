CREATE TRIGGER transactions_delete_identities BEFORE DELETE ON transactions
BEGIN
  UPDATE import_identities SET transaction_id = NULL WHERE transaction_id = OLD.id;
END;
