-- Who sees somebody else's account, and by what: the one place that says so. Rank 4 manages, 3 writes,
-- 2 annotates, 1 views; a viewer of a group only views. Who sees an account in more ways has a row for each.
CREATE VIEW account_receivers AS
  SELECT s.account_id, s.id AS share_id, s.grantee_user_id AS user_id,
    CASE s.permission WHEN 'manage' THEN 4 WHEN 'write' THEN 3 WHEN 'annotate' THEN 2 ELSE 1 END AS rank,
    s.write_scope = 'own' AS own_rows, s.expires_at
  FROM shares s
  WHERE s.account_id IS NOT NULL AND s.grantee_user_id IS NOT NULL AND s.accepted_at IS NOT NULL
  UNION ALL
  SELECT s.account_id, s.id, m.user_id,
    CASE WHEN m.role = 'viewer' THEN 1 ELSE
      CASE s.permission WHEN 'manage' THEN 4 WHEN 'write' THEN 3 WHEN 'annotate' THEN 2 ELSE 1 END END,
    s.write_scope = 'own', s.expires_at
  FROM group_members m JOIN groups g ON g.id = m.group_id
    JOIN shares s ON s.group_id = m.group_id AND s.group_id IS NOT NULL
  WHERE g.suspended_at IS NULL AND m.user_id <> s.owner_id;
