DROP INDEX `transactions_words`;--> statement-breakpoint
CREATE INDEX `transactions_of_owner` ON `transactions` (`owner_id`,`id`,`search_text`);