import { rows } from '../../support/api.ts'

/** Does something in a database that lacks a trigger. */
export async function without<Result>(
  trigger: string,
  act: () => Promise<Result>,
): Promise<Result> {
  const [found] = await rows<{ sql: string }>(
    "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = ?",
    trigger,
  )
  if (!found) {
    throw new Error(`there is no trigger ${trigger}`)
  }
  await rows(`DROP TRIGGER ${trigger}`)
  try {
    return await act()
  } finally {
    await rows(found.sql)
  }
}
