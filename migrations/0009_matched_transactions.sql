ALTER TABLE `transactions` ADD `matched_into` text REFERENCES transactions(id);--> statement-breakpoint
CREATE INDEX `transactions_matched` ON `transactions` (`matched_into`) WHERE matched_into IS NOT NULL;--> statement-breakpoint

-- Whoever erases a transfer erases the two rows that it took the place of.
CREATE TRIGGER transactions_delete_matched BEFORE DELETE ON transactions
BEGIN
  DELETE FROM transactions WHERE matched_into = OLD.id;
END;
