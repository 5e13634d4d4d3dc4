CREATE TRIGGER transactions_delete_ticks BEFORE DELETE ON transactions
BEGIN
  DELETE FROM reconciliation_rows WHERE transaction_id = OLD.id;
END;

CREATE TRIGGER reconciliations_delete_rows BEFORE DELETE ON reconciliations
BEGIN
  DELETE FROM reconciliation_rows WHERE reconciliation_id = OLD.id;
END;
