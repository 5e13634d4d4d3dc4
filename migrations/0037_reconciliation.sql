CREATE TABLE `period_locks` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`account_id` text,
	`through` text NOT NULL,
	`kind` text NOT NULL,
	`reason` text NOT NULL,
	`created_by` text NOT NULL,
	`balances` text NOT NULL,
	`seals` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `period_locks_of_owner` ON `period_locks` (`owner_id`,`through`,`id`);--> statement-breakpoint
CREATE INDEX `period_locks_of_account` ON `period_locks` (`account_id`) WHERE account_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `accounts` ADD `locked_through` text;--> statement-breakpoint
ALTER TABLE `accounts` ADD `hard_locked_through` text;--> statement-breakpoint
-- The effective days of each account, whoever makes or ends a lock. A lock for all accounts is for those to come, too.
CREATE TRIGGER period_locks_insert_days AFTER INSERT ON period_locks
BEGIN
  UPDATE accounts SET locked_through = max(ifnull(locked_through, ''), NEW.through),
      hard_locked_through = CASE NEW.kind WHEN 'hard' THEN max(ifnull(hard_locked_through, ''), NEW.through)
        ELSE hard_locked_through END
    WHERE owner_id = NEW.owner_id AND (NEW.account_id IS NULL OR id = NEW.account_id);
END;
--> statement-breakpoint
CREATE TRIGGER period_locks_delete_days AFTER DELETE ON period_locks
BEGIN
  UPDATE accounts SET locked_through = (SELECT max(k.through) FROM period_locks k WHERE k.owner_id = OLD.owner_id
        AND (k.account_id IS NULL OR k.account_id = accounts.id)),
      hard_locked_through = (SELECT max(k.through) FROM period_locks k WHERE k.owner_id = OLD.owner_id
        AND (k.account_id IS NULL OR k.account_id = accounts.id) AND k.kind = 'hard')
    WHERE owner_id = OLD.owner_id AND (OLD.account_id IS NULL OR id = OLD.account_id);
END;
--> statement-breakpoint
CREATE TRIGGER accounts_insert_days AFTER INSERT ON accounts
WHEN EXISTS (SELECT 1 FROM period_locks WHERE owner_id = NEW.owner_id AND account_id IS NULL)
BEGIN
  UPDATE accounts SET locked_through = (SELECT max(k.through) FROM period_locks k WHERE k.owner_id = NEW.owner_id
        AND k.account_id IS NULL),
      hard_locked_through = (SELECT max(k.through) FROM period_locks k WHERE k.owner_id = NEW.owner_id
        AND k.account_id IS NULL AND k.kind = 'hard')
    WHERE id = NEW.id;
END;
