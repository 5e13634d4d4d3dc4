-- A part of a split may be a transfer. On its other account it has two lines, which name the line of the part.
ALTER TABLE `entries` ADD `pair` integer
  CONSTRAINT "entry_pair" CHECK(pair IS NULL OR (pair < line AND line > 2 AND side IN ('account', 'exchange')))
  CONSTRAINT "entry_flow_side" CHECK(flow_minor IS NULL OR side IN ('account', 'exchange'));
--> statement-breakpoint
ALTER TABLE `unbooked_entries` ADD `pair` integer
  CONSTRAINT "unbooked_pair" CHECK(pair IS NULL OR (pair < line AND line > 2 AND side IN ('account', 'exchange')));
--> statement-breakpoint
DROP TRIGGER entries_no_update;
--> statement-breakpoint
-- Money moves by lines that come and go, which the triggers on inserts and deletions count. In place only what moves none
-- changes: the category, the note, the status among those that count in the balance and say how far it is confirmed, and
-- to what the header says, among which lines an external id is unique. With the category a line of an income changes between
-- the sides of incomes and of expenses, where it is a refund: a trigger keeps the flows of both.
CREATE TRIGGER entries_no_update BEFORE UPDATE ON entries
WHEN (NEW.transaction_id, NEW.line, NEW.owner_id, NEW.account_id, NEW.date, NEW.amount_minor, NEW.currency,
    NEW.external_id, NEW.counter_account_id, NEW.flow_minor, NEW.pair)
  IS NOT (OLD.transaction_id, OLD.line, OLD.owner_id, OLD.account_id, OLD.date, OLD.amount_minor, OLD.currency,
    OLD.external_id, OLD.counter_account_id, OLD.flow_minor, OLD.pair)
  OR NEW.side <> OLD.side AND NOT (NEW.side IN ('expense', 'income') AND OLD.side IN ('expense', 'income')
    AND NEW.category_id IS NOT OLD.category_id)
  OR NEW.status <> OLD.status AND NOT (NEW.status IN ('uncleared', 'cleared', 'reconciled')
    AND OLD.status IN ('uncleared', 'cleared', 'reconciled'))
  OR NEW.external_scope <> OLD.external_scope
    AND NEW.external_scope <> (SELECT iif(private, created_by, '') FROM transactions WHERE id = NEW.transaction_id)
BEGIN SELECT RAISE(ABORT, 'entries are never moved in place'); END;
