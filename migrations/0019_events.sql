CREATE TABLE `history_notes` (
	`event_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`comment` text,
	`hidden_at` integer,
	`version` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `history_notes_of_account` ON `history_notes` (`account_id`);--> statement-breakpoint
CREATE TABLE `log_commits` (
	`number` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`at` integer NOT NULL,
	`operation` text NOT NULL,
	`actor_type` text NOT NULL,
	`actor_id` text,
	`token_id` text,
	`type` text NOT NULL,
	`owner_id` text,
	`request_id` text NOT NULL,
	`ip` text,
	`user_agent` text,
	`first_event` integer NOT NULL,
	`event_count` integer NOT NULL,
	`format` integer DEFAULT 2 NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `log_commits_by_time` ON `log_commits` (`at`);--> statement-breakpoint
CREATE INDEX `log_commits_of_owner` ON `log_commits` (`owner_id`);--> statement-breakpoint
CREATE INDEX `log_commits_of_actor` ON `log_commits` (`actor_id`) WHERE actor_id IS NOT owner_id OR owner_id IS NULL;--> statement-breakpoint
CREATE INDEX `log_commits_downloads` ON `log_commits` (`at`) WHERE type = 'file.downloaded';--> statement-breakpoint
CREATE INDEX `log_commits_downloads_of_actor` ON `log_commits` (`actor_id`,`at`) WHERE type = 'file.downloaded';--> statement-breakpoint
CREATE INDEX `log_commits_registrations` ON `log_commits` (`at`) WHERE type IN ('user.registered', 'user.created');--> statement-breakpoint
CREATE TABLE `log_events` (
	`number` integer PRIMARY KEY NOT NULL,
	`commit_number` integer NOT NULL,
	`type` text,
	`resource_type` text,
	`resource_id` text,
	`owner_id` text,
	`account_id` text,
	`history` integer,
	`group_id` text,
	`version` integer,
	`content` text,
	`facts` text
) STRICT;
--> statement-breakpoint
CREATE INDEX `log_events_of_resource` ON `log_events` (`resource_id`);--> statement-breakpoint
CREATE INDEX `log_events_of_owner` ON `log_events` (`owner_id`) WHERE owner_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `log_events_of_account` ON `log_events` (`account_id`) WHERE history IS NOT NULL;--> statement-breakpoint
CREATE INDEX `log_events_of_group` ON `log_events` (`group_id`) WHERE group_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `log_seals` (
	`number` integer PRIMARY KEY NOT NULL,
	`content_hash` text NOT NULL,
	`hash` text NOT NULL,
	`key_id` text NOT NULL
) STRICT;
--> statement-breakpoint

-- The log of before becomes commits and events: a row is a commit with one event, and one more for each of its items.
-- Rows never left it, so their places are the numbers of the chain.
INSERT INTO log_commits (number, id, at, operation, actor_type, actor_id, token_id, type, owner_id, request_id, ip,
    user_agent, first_event, event_count, format)
  SELECT place, id, at, action, actor_type, actor_id, token_id, action, owner_id, request_id, ip, user_agent,
    1 + sum(events) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING) - events, events, 1
  FROM (SELECT l.rowid AS place, l.id, l.at, l.action, l.actor_type, l.actor_id, l.token_id, l.owner_id,
      l.request_id, l.ip, l.user_agent,
      1 + (SELECT count(*) FROM audit_log_items i WHERE i.log_id = l.id) AS events
    FROM audit_log l);
--> statement-breakpoint
INSERT INTO log_events (number, commit_number, resource_type, resource_id, account_id, history, group_id, content, facts)
  SELECT c.first_event, c.number, l.resource_type, l.resource_id, ifnull(l.booked_on, l.account_id),
    CASE WHEN l.account_id IS NOT NULL THEN iif(l.booked_on IS NULL, 2, 1) END, l.group_id, l.changes, l.facts
  FROM log_commits c JOIN audit_log l ON l.rowid = c.number;
--> statement-breakpoint
INSERT INTO log_events (number, commit_number, resource_type, resource_id, content)
  SELECT c.first_event + row_number() OVER (PARTITION BY i.log_id ORDER BY i.resource_id), c.number,
    l.resource_type, i.resource_id, i.changes
  FROM audit_log_items i JOIN audit_log l ON l.id = i.log_id JOIN log_commits c ON c.number = l.rowid;
--> statement-breakpoint
INSERT INTO log_seals (number, content_hash, hash, key_id) SELECT number, content_hash, hash, key_id FROM audit_chain;
--> statement-breakpoint
INSERT INTO history_notes (event_id, account_id, comment, hidden_at, version, updated_at)
  SELECT n.log_id, l.account_id, n.comment, n.hidden_at, n.version, n.updated_at
  FROM account_history_notes n JOIN audit_log l ON l.id = n.log_id WHERE l.account_id IS NOT NULL;
--> statement-breakpoint
DROP TABLE `account_history_notes`;
--> statement-breakpoint
DROP TABLE `audit_chain`;
--> statement-breakpoint
DROP TABLE `audit_log_items`;
--> statement-breakpoint
DROP TABLE `audit_log`;
--> statement-breakpoint

-- What readers see: an event with its commit. The id of the first event is the commit's.
CREATE VIEW log_entries AS
  SELECT e.number, c.number AS commit_number,
    c.id || iif(e.number = c.first_event, '', '-' || (e.number - c.first_event + 1)) AS id, c.id AS commit_id,
    c.at, c.operation, ifnull(e.type, c.type) AS type, c.actor_type, c.actor_id, c.token_id,
    CASE WHEN e.owner_id IS NULL THEN c.owner_id WHEN e.owner_id <> '' THEN e.owner_id END AS owner_id,
    ifnull(e.resource_type, substr(ifnull(e.type, c.type), 1, instr(ifnull(e.type, c.type), '.') - 1)) AS resource_type,
    e.resource_id, e.account_id, e.history, e.group_id, e.version, e.content, e.facts, c.request_id, c.ip, c.user_agent
  FROM log_events e JOIN log_commits c ON c.number = +e.commit_number
    AND likely(e.number >= c.first_event) AND e.number < c.first_event + c.event_count;
--> statement-breakpoint

-- The log is append-only, whoever writes. OR REPLACE deletes without firing delete triggers, hence the third of each.
-- One change is allowed: what it says of a user who is being erased is taken out, never put in.
CREATE TRIGGER log_commits_no_update BEFORE UPDATE ON log_commits
WHEN NOT ((NEW.ip IS NULL OR NEW.ip IS OLD.ip)
  AND (NEW.user_agent IS NULL OR NEW.user_agent IS OLD.user_agent)
  AND (NEW.number, NEW.id, NEW.at, NEW.operation, NEW.actor_type, NEW.actor_id, NEW.token_id, NEW.type, NEW.owner_id,
      NEW.request_id, NEW.first_event, NEW.event_count, NEW.format)
    IS (OLD.number, OLD.id, OLD.at, OLD.operation, OLD.actor_type, OLD.actor_id, OLD.token_id, OLD.type, OLD.owner_id,
      OLD.request_id, OLD.first_event, OLD.event_count, OLD.format)
  AND EXISTS (SELECT 1 FROM users u WHERE u.id IN (OLD.owner_id, OLD.actor_id) AND u.status = 'deleted'))
BEGIN SELECT RAISE(ABORT, 'log_commits is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER log_commits_no_delete BEFORE DELETE ON log_commits
BEGIN SELECT RAISE(ABORT, 'log_commits is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER log_commits_no_replace BEFORE INSERT ON log_commits
WHEN EXISTS (SELECT 1 FROM log_commits WHERE number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'log_commits is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER log_events_no_update BEFORE UPDATE ON log_events
WHEN NOT ((NEW.content IS NULL OR NEW.content IS OLD.content)
  AND (NEW.facts IS NULL OR NEW.facts IS OLD.facts)
  AND (NEW.number, NEW.commit_number, NEW.type, NEW.resource_type, NEW.resource_id, NEW.owner_id, NEW.account_id,
      NEW.history, NEW.group_id, NEW.version)
    IS (OLD.number, OLD.commit_number, OLD.type, OLD.resource_type, OLD.resource_id, OLD.owner_id, OLD.account_id,
      OLD.history, OLD.group_id, OLD.version)
  AND EXISTS (SELECT 1 FROM log_commits c JOIN users u ON u.id = ifnull(OLD.owner_id, c.owner_id)
    WHERE c.number = OLD.commit_number AND u.status = 'deleted'))
BEGIN SELECT RAISE(ABORT, 'log_events is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER log_events_no_delete BEFORE DELETE ON log_events
BEGIN SELECT RAISE(ABORT, 'log_events is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER log_events_no_replace BEFORE INSERT ON log_events
WHEN EXISTS (SELECT 1 FROM log_events WHERE number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'log_events is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER log_seals_no_update BEFORE UPDATE ON log_seals
BEGIN SELECT RAISE(ABORT, 'log_seals is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER log_seals_no_delete BEFORE DELETE ON log_seals
BEGIN SELECT RAISE(ABORT, 'log_seals is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER log_seals_no_replace BEFORE INSERT ON log_seals
WHEN EXISTS (SELECT 1 FROM log_seals WHERE number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'log_seals is append-only'); END;
