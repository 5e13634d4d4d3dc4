-- What was in the trash before its entries were kept there, on an account that took another currency since, came out of
-- the log in part or not at all: it cannot come back, and half a transfer must not.
DELETE FROM transactions WHERE deleted_at IS NOT NULL AND iif(kind = 'transfer', 2, 1) >
  (SELECT count(*) FROM trashed_entries e WHERE e.transaction_id = transactions.id AND e."end" = 'account');
