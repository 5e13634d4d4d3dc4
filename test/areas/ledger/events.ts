import { rows } from '../../support/api.ts'

/** An event of the log. */
export interface LoggedEvent {
  /** Of the commit that told of it. */
  commitId: string
  type: string
  resourceType: string
  id: string
  accountId: string | null
  ownerId: string | null
  groupId: string | null
  version: number | null
  /** Whether it is a record of the account's history. */
  isInHistory: boolean
  content: LoggedContent | null
}

type Fields = Record<string, unknown>

export interface LoggedContent {
  before?: Fields
  after?: Fields
  forced?: true
  private?: true
}

const COLUMNS = `commit_id AS commitId, type, resource_type AS resourceType, resource_id AS id, account_id AS accountId,
  owner_id AS ownerId, group_id AS groupId, version, history, content`

type Row = Omit<LoggedEvent, 'isInHistory' | 'content'> & {
  history: number | null
  content: string | null
}

const asEvent = ({ history, content, ...row }: Row): LoggedEvent => ({
  ...row,
  isInHistory: history === 1,
  content: content === null ? null : (JSON.parse(content) as LoggedContent),
})

/** The events of these transactions or legs, the first one first. */
export const eventsOf = async (...ids: string[]): Promise<LoggedEvent[]> =>
  (
    await rows<Row>(
      `SELECT ${COLUMNS} FROM log_entries
        WHERE resource_id IN (SELECT value FROM json_each(?)) ORDER BY number`,
      JSON.stringify(ids),
    )
  ).map(asEvent)

/** All events of transactions that this user owns, the first one first. */
export const eventsOfAll = async ({ id }: { id: string }): Promise<LoggedEvent[]> =>
  (
    await rows<Row>(
      `SELECT ${COLUMNS} FROM log_entries
        WHERE owner_id = ? AND resource_type = 'transaction' ORDER BY number`,
      id,
    )
  ).map(asEvent)

/** What the events of these transactions or legs say, with their types. */
export const toldOf = async (...ids: string[]): Promise<[string, LoggedContent | null][]> =>
  (await eventsOf(...ids)).map(({ type, content }) => [type, content])
