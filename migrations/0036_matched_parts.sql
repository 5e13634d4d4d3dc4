-- A row may be matched into a part of a split: it is kept with what the part was before.
ALTER TABLE `transactions` ADD `matched_part` text
  CONSTRAINT "transaction_matched_part" CHECK(matched_part IS NULL OR matched_into IS NOT NULL);
--> statement-breakpoint
CREATE INDEX `transactions_matched_category` ON `transactions` (matched_part->>'categoryId') WHERE matched_part IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `transactions_matched_payee` ON `transactions` (matched_part->>'payeeId') WHERE matched_part IS NOT NULL;
--> statement-breakpoint
-- The other side of a part has a text of its own bank.
ALTER TABLE `entries` ADD `payee_raw` text
  CONSTRAINT "entry_payee_raw" CHECK(payee_raw IS NULL OR (pair IS NOT NULL AND side = 'account'));
--> statement-breakpoint
ALTER TABLE `unbooked_entries` ADD `payee_raw` text;
