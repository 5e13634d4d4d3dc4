import document from '../../../docs/guides/access.md?raw'
import '../../../src/app.ts'
import { isAdminOnly } from '../../../src/domain/permissions.ts'
import { allOperations, type OperationEntry } from '../../../src/http/registry.ts'
import { rows } from '../../support/api.ts'
import { type Samples, sendSample } from '../../support/samples.ts'
import { newUser, type TestUser } from '../../support/world.ts'
import { storeGroup } from '../../support/stored.ts'

/** Accounts, what is booked on them, said of them and attached to them, and their shares. */
const ABOUT_ACCOUNTS = /\b(acc|txn|trf|val|lnk|log|shr|att|rcn)_[0-9a-z]{26}/

/** Every operation of users whose sample names something of an account, in the order in which samples go. */
function operationsOn(samples: Samples): OperationEntry[] {
  const order = Object.keys(samples)
  return allOperations()
    .filter(({ access, operationId }) => {
      const { path, query, json } = samples[operationId] ?? {}
      const named = JSON.stringify({ path, query, json })
      return access !== 'public' && !isAdminOnly(access) && ABOUT_ACCOUNTS.test(named)
    })
    .toSorted((a, b) => order.indexOf(a.operationId) - order.indexOf(b.operationId))
}

export interface World {
  me: TestUser
  samples: Samples
}

/** Makes the owner of the samples share all its accounts with somebody. */
export type Receiving = (world: World) => Promise<TestUser>

const shareAll = ({ me }: World, columns: string, values: string) =>
  rows(
    `INSERT INTO shares (id, account_id, owner_id, created_by, created_at, updated_at, ${columns})
      SELECT 'shr_' || hex(randomblob(13)), id, owner_id, owner_id, 0, 0, ${values} FROM accounts WHERE owner_id = ?`,
    me.id,
  )

/** Somebody who accepted a share of everything. */
export const withRight =
  (permission: string, writeScope = 'all'): Receiving =>
  async (world) => {
    const friend = await newUser()
    const columns = 'grantee_user_id, permission, write_scope, accepted_at'
    await shareAll(world, columns, `'${friend.id}', '${permission}', '${writeScope}', 1`)
    return friend
  }

export const ownRows =
  (receiving: Receiving): Receiving =>
  async (world) => {
    const friend = await receiving(world)
    await rows('UPDATE transactions SET created_by = ? WHERE owner_id = ?', friend.id, world.me.id)
    return friend
  }

export const privateRows =
  (receiving: Receiving): Receiving =>
  async (world) => {
    const friend = await receiving(world)
    await rows('UPDATE transactions SET private = 1 WHERE owner_id = ?', world.me.id)
    return friend
  }

export const expired: Receiving = async (world) => {
  const friend = await newUser()
  const columns = 'grantee_user_id, permission, accepted_at, expires_at'
  await shareAll(world, columns, `'${friend.id}', 'manage', 1, 1`)
  return friend
}

export const pending: Receiving = async (world) => {
  const friend = await newUser()
  await shareAll(world, 'grantee_user_id, permission', `'${friend.id}', 'manage'`)
  return friend
}

export const exMember: Receiving = async (world) => {
  const friend = await newUser()
  const groupId = await storeGroup([
    [world.me, 'owner'],
    [friend, 'member'],
  ])
  await shareAll(world, 'group_id, permission', `'${groupId}', 'manage'`)
  await rows('DELETE FROM group_members WHERE user_id = ?', friend.id)
  return friend
}

export const stranger: Receiving = () => newUser()

/** What every operation answers to somebody: yes, or the status of its refusal. */
type Answers = Record<string, string>

/** The table of docs/guides/access.md, by column. */
export function expected(column: string): Answers {
  const [head = [], , ...lines] = (
    document.split('\n### Who may do what\n')[1]?.split('\n## ')[0] ?? ''
  )
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  const at = head.indexOf(column)
  return Object.fromEntries(
    lines.flatMap((cells) =>
      [...(cells[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => [name, cells[at] ?? '']),
    ),
  )
}

export async function answersIn({ me, samples }: World, as: TestUser): Promise<Answers> {
  const found: Answers = {}
  for (const operation of operationsOn(samples)) {
    const { status } = await sendSample(me, operation, { ...samples[operation.operationId], as })
    found[operation.operationId] = status < 300 ? 'yes' : String(status)
  }
  return found
}
