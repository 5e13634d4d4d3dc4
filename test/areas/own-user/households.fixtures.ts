import { env } from 'cloudflare:workers'
import { createTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { newAccount, type TestUser } from '../../support/world.ts'
import type { Owner } from './owners.fixtures.ts'

/** A household around a user, with files: of the user, and of the others in it. */
export interface Ties {
  groupId: string
  /** In which nobody else is. */
  loneGroupId: string
  /** Of the other, on which the user booked something, too. */
  account: string
  booked: string
  /** The other's file, on what was the user's. */
  file: string
}

const insert = (table: string, row: Record<string, string | number | null>): Promise<object[]> =>
  rows(
    `INSERT INTO ${table} (${Object.keys(row).join()}) VALUES (${Object.keys(row)
      .map(() => '?')
      .join()})`,
    ...Object.values(row),
  )

const stamps = { created_at: 1, updated_at: 1 }

export async function putFile(
  { id: ownerId }: TestUser,
  word: string,
  more: Record<string, string | number | null> = {},
): Promise<string> {
  const fileId = someId('att')
  const objectKey = `files/${fileId}`
  await env.FILES.put(objectKey, `a bill of ${word}`)
  await insert('attachments', {
    id: fileId,
    owner_id: ownerId,
    storage_class_id: 'stc_standard',
    object_key: objectKey,
    file_name: `${word}.txt`,
    content_type: 'text/plain',
    size: 9,
    sha256: word,
    title: word,
    note: word,
    ...stamps,
    ...more,
  })
  return fileId
}

const link = (attachmentId: string, targetId: string, owner: TestUser, by: TestUser) =>
  insert('attachment_links', {
    id: someId('atl'),
    attachment_id: attachmentId,
    kind: targetId.startsWith('acc_') ? 'account' : 'transaction',
    target_id: targetId,
    owner_id: owner.id,
    created_by: by.id,
    created_at: 1,
  })

const newGroup = async (name: string, members: [TestUser, string][]) => {
  const groupId = someId('grp')
  await insert('groups', {
    id: groupId,
    name,
    kind: 'household',
    base_currency: 'EUR',
    ...stamps,
  })
  for (const [at, [user, role]] of members.entries()) {
    await insert('group_members', { group_id: groupId, user_id: user.id, role, joined_at: at })
  }
  return groupId
}

/** @param word of the user, in every text that is its own */
export async function tie(me: Owner, other: TestUser, third: TestUser): Promise<Ties> {
  const { word } = me
  const groupId = await newGroup('Home', [
    [me, 'owner'],
    [third, 'viewer'],
    [other, 'member'],
  ])
  const loneGroupId = await newGroup(word, [[me, 'owner']])
  const account = await newAccount(other, { openingBalance: '100', openingDate: '2026-01-01' })
  const expense = {
    kind: 'expense',
    accountId: account.id,
    date: '2026-02-02',
    amount: '3',
  } as const
  const { id: booked } = await ok(createTransaction, { as: other, json: expense })
  await rows('UPDATE transactions SET created_by = ? WHERE id = ?', me.id, booked)
  const share = (accountId: string, owner: TestUser, more: Record<string, string | number>) =>
    insert('shares', {
      id: someId('shr'),
      account_id: accountId,
      owner_id: owner.id,
      permission: 'manage',
      created_by: owner.id,
      ...stamps,
      ...more,
    })
  await share(me.one, me, { group_id: groupId })
  await share(me.one, me, { grantee_user_id: other.id, accepted_at: 1 })
  await share(me.two, me, { email: word, email_key: word })
  await share(account.id, other, { grantee_user_id: me.id, accepted_at: 1 })
  const { id: unseen } = await newAccount(third)
  await share(unseen, third, { email: me.email, email_key: me.email })
  const choice = (user: TestUser, accountId: string) =>
    insert('account_choices', {
      user_id: user.id,
      account_id: accountId,
      include_in_totals: 1,
      updated_at: 1,
    })
  await choice(me, account.id)
  await choice(other, me.one)
  const invite = (by: TestUser, more: Record<string, string | number | null>) =>
    insert('group_invites', {
      id: someId('gin'),
      group_id: groupId,
      code_hash: someId('hash'),
      code_prefix: 'gin_',
      role: 'member',
      invited_by: by.id,
      expires_at: 9e15,
      ...stamps,
      ...more,
    })
  await invite(me, { email: `${word}@other.test`, email_key: `${word}@other.test` })
  await invite(other, { email: me.email, email_key: me.email })
  await invite(other, { accepted_by: me.id, accepted_at: 1 })
  await insert('archives', {
    id: someId('bak'),
    kind: 'backup',
    owner_id: me.id,
    task_id: someId('tsk'),
    state: 'ready',
    filter: word,
    object_key: `archives/${me.id}`,
    sha256: word,
    manifest: word,
    ...stamps,
  })
  await env.FILES.put(`archives/${me.id}`, `all of ${word}`)
  await insert('user_avatars', {
    user_id: me.id,
    object_key: `avatars/${me.id}`,
    content_type: 'image/png',
    size: 1,
    sha256: word,
    updated_at: 1,
  })
  await env.FILES.put(`avatars/${me.id}`, `a picture of ${word}`)
  const [mine, groups, gone] = [
    await putFile(me, word),
    await putFile(me, word, { group_id: groupId }),
    await putFile(me, word, { deleted_at: 1 }),
  ]
  const file = await putFile(other, 'theirs', { group_id: groupId })
  await link(mine, me.one, me, me)
  await link(groups, booked, other, me)
  await link(gone, booked, other, me)
  await link(file, me.one, me, other)
  await link(file, account.id, other, me)
  for (const [table, column] of [
    ['budgets', 'budget_id'],
    ['attachments', 'attachment_id'],
  ]) {
    await rows(
      `INSERT INTO shares (id, ${column}, owner_id, grantee_user_id, permission, accepted_at, created_by, created_at, updated_at)
        SELECT 'shr_' || id, id, owner_id, ?, 'view', 1, owner_id, 1, 1 FROM ${table} WHERE owner_id = ?`,
      other.id,
      me.id,
    )
  }
  return { groupId, loneGroupId, account: account.id, booked, file }
}

/** What the bucket says of all objects in it. */
export async function listed(): Promise<R2Object[]> {
  const found: R2Object[] = []
  let cursor: string | undefined
  do {
    const page: R2Objects = await env.FILES.list(cursor === undefined ? {} : { cursor })
    found.push(...page.objects)
    cursor = page.truncated ? page.cursor : undefined
  } while (cursor !== undefined)
  return found
}

/** All that is in the bucket: keys, with keys and bytes. */
export async function bucketDump(): Promise<[string, string][]> {
  const stored: [string, string][] = []
  for (const { key } of await listed()) {
    const object = await env.FILES.get(key)
    const bytes = new Uint8Array(await new Response(object?.body).arrayBuffer())
    stored.push([key, `${key} ${new TextDecoder('latin1').decode(bytes)}`])
  }
  return stored
}
