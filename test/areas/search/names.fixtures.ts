import { rows } from '../../support/api.ts'

/** Stores so many payees of a user, whose ids come before those that the service makes. */
export const storePayees = (ownerId: string, count: number, name = 'Market') =>
  rows(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
      INSERT INTO payees (id, owner_id, name, name_key, created_at, updated_at)
      SELECT 'pay_00' || ?1 || i, ?1, ?3 || ' ' || i, lower(?3) || ' ' || i, 0, 0 FROM n`,
    ownerId,
    count,
    name,
  )
