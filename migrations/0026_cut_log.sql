CREATE TABLE `log_segment_things` (
	`thing_id` text NOT NULL,
	`first_commit` integer NOT NULL,
	`was_private` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`thing_id`, `first_commit`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `log_segments` ADD `first_event` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `log_segments` ADD `last_event` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `log_segments` ADD `first_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `log_segments` ADD `last_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `log_segments` ADD `first_date` text;--> statement-breakpoint
ALTER TABLE `log_segments` ADD `last_date` text;
--> statement-breakpoint

-- Segments were stored without what they name. All that they hold is in the log, so the next night stores them again.
DELETE FROM log_segment_users;
--> statement-breakpoint
DELETE FROM log_segments;
--> statement-breakpoint

-- A commit goes from the beginning of the log, with its events, when it is older than 13 whole months, a segment has it, and
-- all readers are done with it. The last seal that is cut off stays: the chain goes on from there.
DROP TRIGGER log_commits_no_delete;
--> statement-breakpoint
CREATE TRIGGER log_commits_no_delete BEFORE DELETE ON log_commits
WHEN NOT (OLD.number = (SELECT min(number) FROM log_commits)
  AND OLD.number < (SELECT max(number) FROM log_seals)
  AND OLD.at < unixepoch('now', 'start of month', '-13 months') * 1000
  AND EXISTS (SELECT 1 FROM log_segments s WHERE s.last_commit >= OLD.number
    AND s.first_commit = (SELECT max(f.first_commit) FROM log_segments f WHERE f.first_commit <= OLD.number))
  AND OLD.first_event + OLD.event_count - 1 <= ifnull((SELECT min(cursor) FROM log_readers), 0))
BEGIN SELECT RAISE(ABORT, 'log_commits is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER log_commits_go_whole AFTER DELETE ON log_commits
BEGIN
  DELETE FROM log_events WHERE number >= OLD.first_event AND number < OLD.first_event + OLD.event_count;
  DELETE FROM log_seals WHERE number < OLD.number;
END;
--> statement-breakpoint
DROP TRIGGER log_events_no_delete;
--> statement-breakpoint
CREATE TRIGGER log_events_no_delete BEFORE DELETE ON log_events
WHEN OLD.number >= ifnull((SELECT first_event FROM log_commits
  WHERE number = (SELECT min(number) FROM log_commits)), 0)
BEGIN SELECT RAISE(ABORT, 'log_events is append-only'); END;
--> statement-breakpoint
DROP TRIGGER log_seals_no_delete;
--> statement-breakpoint
CREATE TRIGGER log_seals_no_delete BEFORE DELETE ON log_seals
WHEN OLD.number >= ifnull((SELECT min(number) FROM log_commits), 0) - 1
BEGIN SELECT RAISE(ABORT, 'log_seals is append-only'); END;
--> statement-breakpoint

-- The numbers of what was cut off are not given again.
DROP TRIGGER log_commits_no_replace;
--> statement-breakpoint
CREATE TRIGGER log_commits_no_replace BEFORE INSERT ON log_commits
WHEN NEW.number BETWEEN 0 AND (SELECT max(number) FROM log_commits)
BEGIN SELECT RAISE(ABORT, 'log_commits is append-only'); END;
--> statement-breakpoint
DROP TRIGGER log_events_no_replace;
--> statement-breakpoint
CREATE TRIGGER log_events_no_replace BEFORE INSERT ON log_events
WHEN NEW.number BETWEEN 0 AND (SELECT max(number) FROM log_events)
BEGIN SELECT RAISE(ABORT, 'log_events is append-only'); END;
--> statement-breakpoint

-- What was cut off is in its segment alone.
CREATE TRIGGER log_segments_no_delete BEFORE DELETE ON log_segments
WHEN OLD.first_commit < (SELECT min(number) FROM log_commits)
BEGIN SELECT RAISE(ABORT, 'the log has these commits in their segment alone'); END;
--> statement-breakpoint
CREATE TRIGGER log_segments_no_replace BEFORE INSERT ON log_segments
WHEN NEW.last_event < 1 OR EXISTS (SELECT 1 FROM log_segments WHERE first_commit = NEW.first_commit)
BEGIN SELECT RAISE(ABORT, 'a segment is stored once, and says what it has'); END;
--> statement-breakpoint
CREATE TRIGGER log_segments_no_update BEFORE UPDATE ON log_segments
WHEN (NEW.first_commit, NEW.last_commit, NEW.previous_hash, NEW.last_hash, NEW.first_event, NEW.last_event, NEW.first_at,
    NEW.last_at, NEW.first_date, NEW.last_date, NEW.created_at)
  IS NOT (OLD.first_commit, OLD.last_commit, OLD.previous_hash, OLD.last_hash, OLD.first_event, OLD.last_event, OLD.first_at,
    OLD.last_at, OLD.first_date, OLD.last_date, OLD.created_at)
BEGIN SELECT RAISE(ABORT, 'a segment changes its object alone'); END;
