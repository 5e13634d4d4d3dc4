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
