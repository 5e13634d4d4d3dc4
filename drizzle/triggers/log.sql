-- The log is append-only, whoever writes. OR REPLACE deletes without firing delete triggers, hence the third of each.
-- One change is allowed: what it says of a user who is being erased is taken out, never put in.
CREATE TRIGGER log_commits_no_update BEFORE UPDATE ON log_commits
WHEN NOT ((NEW.ip IS NULL OR NEW.ip IS OLD.ip)
  AND (NEW.user_agent IS NULL OR NEW.user_agent IS OLD.user_agent)
  AND (NEW.number, NEW.id, NEW.at, NEW.operation, NEW.actor_type, NEW.actor_id, NEW.token_id, NEW.type, NEW.owner_id,
      NEW.request_id, NEW.first_event, NEW.event_count)
    IS (OLD.number, OLD.id, OLD.at, OLD.operation, OLD.actor_type, OLD.actor_id, OLD.token_id, OLD.type, OLD.owner_id,
      OLD.request_id, OLD.first_event, OLD.event_count)
  AND EXISTS (SELECT 1 FROM users u WHERE u.id IN (OLD.owner_id, OLD.actor_id) AND u.status = 'deleted'))
BEGIN SELECT RAISE(ABORT, 'log_commits is append-only'); END;

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

CREATE TRIGGER log_seals_no_update BEFORE UPDATE ON log_seals
BEGIN SELECT RAISE(ABORT, 'log_seals is append-only'); END;

CREATE TRIGGER log_seals_no_replace BEFORE INSERT ON log_seals
WHEN EXISTS (SELECT 1 FROM log_seals WHERE number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'log_seals is append-only'); END;

CREATE TRIGGER log_commits_no_delete BEFORE DELETE ON log_commits
WHEN NOT (OLD.number = (SELECT min(number) FROM log_commits)
  AND OLD.number < (SELECT max(number) FROM log_seals)
  AND OLD.at < unixepoch('now', 'start of month', '-13 months') * 1000
  AND EXISTS (SELECT 1 FROM log_segments s WHERE s.last_commit >= OLD.number
    AND s.first_commit = (SELECT max(f.first_commit) FROM log_segments f WHERE f.first_commit <= OLD.number))
  AND OLD.first_event + OLD.event_count - 1 <= ifnull((SELECT min(cursor) FROM log_readers), 0))
BEGIN SELECT RAISE(ABORT, 'log_commits is append-only'); END;

CREATE TRIGGER log_commits_go_whole AFTER DELETE ON log_commits
BEGIN
  DELETE FROM log_events WHERE number >= OLD.first_event AND number < OLD.first_event + OLD.event_count;
  DELETE FROM log_seals WHERE number < OLD.number;
END;

CREATE TRIGGER log_events_no_delete BEFORE DELETE ON log_events
WHEN OLD.number >= ifnull((SELECT first_event FROM log_commits
  WHERE number = (SELECT min(number) FROM log_commits)), 0)
BEGIN SELECT RAISE(ABORT, 'log_events is append-only'); END;

CREATE TRIGGER log_seals_no_delete BEFORE DELETE ON log_seals
WHEN OLD.number >= ifnull((SELECT min(number) FROM log_commits), 0) - 1
BEGIN SELECT RAISE(ABORT, 'log_seals is append-only'); END;

CREATE TRIGGER log_commits_no_replace BEFORE INSERT ON log_commits
WHEN NEW.number BETWEEN 0 AND (SELECT max(number) FROM log_commits)
BEGIN SELECT RAISE(ABORT, 'log_commits is append-only'); END;

CREATE TRIGGER log_events_no_replace BEFORE INSERT ON log_events
WHEN NEW.number BETWEEN 0 AND (SELECT max(number) FROM log_events)
BEGIN SELECT RAISE(ABORT, 'log_events is append-only'); END;

-- What was cut off is in its segment alone.
CREATE TRIGGER log_segments_no_delete BEFORE DELETE ON log_segments
WHEN OLD.first_commit < (SELECT min(number) FROM log_commits)
BEGIN SELECT RAISE(ABORT, 'the log has these commits in their segment alone'); END;

CREATE TRIGGER log_segments_no_replace BEFORE INSERT ON log_segments
WHEN NEW.last_event < 1 OR EXISTS (SELECT 1 FROM log_segments WHERE first_commit = NEW.first_commit)
BEGIN SELECT RAISE(ABORT, 'a segment is stored once, and says what it has'); END;

CREATE TRIGGER log_segments_no_update BEFORE UPDATE ON log_segments
WHEN (NEW.first_commit, NEW.last_commit, NEW.previous_hash, NEW.last_hash, NEW.first_event, NEW.last_event, NEW.first_at,
    NEW.last_at, NEW.first_date, NEW.last_date, NEW.created_at)
  IS NOT (OLD.first_commit, OLD.last_commit, OLD.previous_hash, OLD.last_hash, OLD.first_event, OLD.last_event, OLD.first_at,
    OLD.last_at, OLD.first_date, OLD.last_date, OLD.created_at)
BEGIN SELECT RAISE(ABORT, 'a segment changes its object alone'); END;
