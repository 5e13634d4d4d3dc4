import { expect, it } from 'vitest'
import {
  deleteAttachment,
  linkAttachment,
  restoreAttachment,
  unlinkAttachment,
} from '../../../src/areas/files/attachments/attachments.routes.ts'
import { listOwnAuditLog } from '../../../src/areas/insight/audit-log/audit-log.routes.ts'
import { listGroupActivity } from '../../../src/areas/sharing/groups/groups.routes.ts'
import { ok, type Principal, rows } from '../../support/api.ts'
import { storeGroup, storeShare } from '../../support/stored.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book } from '../transactions/booking.ts'
import { file } from './filing.ts'

async function couple() {
  const [owner, partner] = [await newUser(), await newUser()]
  const account = await newAccount(owner)
  await storeShare(account.id, { user: partner }, 'write')
  return { owner, partner, account }
}

/** What the log tells of files, the last first: what was done, by whom and on which account. */
const toldOfFiles = async (as: Principal) => {
  const { entries } = await ok(listOwnAuditLog, { as })
  return entries
    .filter(({ resourceType }) => resourceType === 'attachment')
    .map(({ action, actorId, accountId, resourceId }) => [action, actorId, accountId, resourceId])
}

it('what a receiver attaches and takes off stands in the log of the owner of the account', async () => {
  const { owner, partner, account } = await couple()
  const { id } = await book(owner, account)
  const uploaded = await file(partner, { query: { linkKind: 'transaction', linkId: id } })
  const told = (action: string, by: { id: string }, of: { id: string }) => [
    action,
    by.id,
    account.id,
    of.id,
  ]
  expect(await toldOfFiles(owner)).toEqual([told('attachment.linked', partner, uploaded)])
  const later = await file(partner)
  expect(await toldOfFiles(owner)).toHaveLength(1)
  const json = { kind: 'account' as const, id: account.id }
  const { links } = await ok(linkAttachment, { as: partner, id: later.id, json })
  expect((await toldOfFiles(owner))[0]).toEqual(told('attachment.linked', partner, later))
  const linkId = links[0]?.linkId ?? ''
  await ok(unlinkAttachment, { as: partner, path: { id: later.id, linkId } })
  expect(await toldOfFiles(owner)).toEqual([
    told('attachment.unlinked', partner, later),
    told('attachment.linked', partner, later),
    told('attachment.linked', partner, uploaded),
  ])
})

it('what the owner takes off stands in the logs of both', async () => {
  const { owner, partner, account } = await couple()
  const { id } = await book(owner, account)
  const theirs = await file(partner, { query: { linkKind: 'transaction', linkId: id } })
  const linkId = theirs.links[0]?.linkId ?? ''
  await ok(unlinkAttachment, { as: owner, path: { id: theirs.id, linkId } })
  for (const as of [owner, partner]) {
    const [last] = await toldOfFiles(as)
    expect(last).toEqual(['attachment.unlinked', owner.id, account.id, theirs.id])
  }
})

it('what is attached to a private booking is told to the owner, without the account', async () => {
  const { owner, partner, account } = await couple()
  const { id } = await book(partner, account, { private: true })
  const theirs = await file(partner, { query: { linkKind: 'transaction', linkId: id } })
  expect(await toldOfFiles(owner)).toEqual([['attachment.linked', partner.id, null, theirs.id]])
})

it('what is deleted, restored and taken off without sight is told to the owner', async () => {
  const { owner, partner, account } = await couple()
  const { id } = await book(owner, account)
  const theirs = await file(partner, { query: { linkKind: 'transaction', linkId: id } })
  await ok(deleteAttachment, { as: partner, id: theirs.id })
  await ok(restoreAttachment, { as: partner, id: theirs.id })
  await rows('DELETE FROM shares WHERE account_id = ?', account.id)
  const linkId = theirs.links[0]?.linkId ?? ''
  await ok(unlinkAttachment, { as: partner, path: { id: theirs.id, linkId } })
  expect(await toldOfFiles(owner)).toEqual(
    ['unlinked', 'linked', 'unlinked', 'linked'].map((how) => [
      ...[`attachment.${how}`, partner.id, account.id, theirs.id],
    ]),
  )
  // It does not name the account to who does not see it.
  const [last] = await toldOfFiles(partner)
  expect(last).toEqual(['attachment.unlinked', partner.id, null, theirs.id])
})

it('own files on own accounts are told once, and files of others to a group once', async () => {
  const [owner, member] = [await newUser(), await newUser()]
  const account = await newAccount(owner)
  const groupId = await storeGroup([
    [owner, 'owner'],
    [member, 'member'],
  ])
  await storeShare(account.id, { groupId }, 'write')
  const { id } = await book(owner, account)
  const own = await file(owner, { query: { linkKind: 'transaction', linkId: id } })
  expect(await toldOfFiles(owner)).toEqual([['attachment.created', owner.id, account.id, own.id]])
  await file(member, { query: { linkKind: 'transaction', linkId: id } })
  const { activity } = await ok(listGroupActivity, { as: owner, id: groupId })
  expect(
    activity.map(({ action }) => action).filter((action) => action.startsWith('attachment.')),
  ).toEqual(['attachment.created', 'attachment.created'])
})
