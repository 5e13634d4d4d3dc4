ALTER TABLE `entries` ADD `external_scope` text DEFAULT '' NOT NULL
  CONSTRAINT "entry_external_scope" CHECK(external_scope = '' OR external_id IS NOT NULL);
--> statement-breakpoint
UPDATE entries SET external_scope = (SELECT created_by FROM transactions t WHERE t.id = entries.transaction_id)
WHERE external_id IS NOT NULL AND transaction_id IN (SELECT id FROM transactions WHERE private = 1);
--> statement-breakpoint
DROP INDEX `entries_external_id`;--> statement-breakpoint
CREATE UNIQUE INDEX `entries_external_id` ON `entries` (`account_id`,`external_id`,`external_scope`) WHERE external_id IS NOT NULL;--> statement-breakpoint
DROP TRIGGER entries_no_update;
--> statement-breakpoint
-- Money moves by lines that come and go, which the triggers on inserts and deletions count. In place only what moves none
-- changes: the category, the note, the status among those that count in the balance and say how far it is confirmed, and
-- to what the header says, among which lines an external id is unique.
CREATE TRIGGER entries_no_update BEFORE UPDATE ON entries
WHEN (NEW.transaction_id, NEW.line, NEW.owner_id, NEW.account_id, NEW.side, NEW.date, NEW.amount_minor, NEW.currency,
    NEW.external_id)
  IS NOT (OLD.transaction_id, OLD.line, OLD.owner_id, OLD.account_id, OLD.side, OLD.date, OLD.amount_minor, OLD.currency,
    OLD.external_id)
  OR NEW.status <> OLD.status AND NOT (NEW.status IN ('uncleared', 'cleared', 'reconciled')
    AND OLD.status IN ('uncleared', 'cleared', 'reconciled'))
  OR NEW.external_scope <> OLD.external_scope
    AND NEW.external_scope <> (SELECT iif(private, created_by, '') FROM transactions WHERE id = NEW.transaction_id)
BEGIN SELECT RAISE(ABORT, 'entries are never moved in place'); END;
