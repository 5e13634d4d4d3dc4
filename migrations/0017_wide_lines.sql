-- The lines of an owner with all that they are searched and sorted by, so that a search reads nothing else of them.
DROP INDEX `entries_of_owner`;--> statement-breakpoint
CREATE INDEX `entries_of_owner` ON `entries` (`owner_id`,`date`,`transaction_id`,`line`,`account_id`,`amount_minor`,`status`,`currency`) WHERE "end" = 'account';