import { expect, it } from 'vitest'
import {
  deleteAttachment,
  getAttachment,
  getAttachmentUsage,
  linkAttachment,
  listAttachments,
  unlinkAttachment,
  updateAttachment,
  createDownloadLink,
  downloadAttachment,
  followDownloadLink,
} from '../../../src/areas/files/attachments/attachments.routes.ts'
import { deleteShare } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { storeGroup } from '../../support/stored.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { file } from '../attachments/filing.ts'
import { book, refusal } from '../transactions/booking.ts'
import { share } from './sharing.ts'

/** A file on a private transaction of its owner, shared with a friend. */
async function world() {
  const [owner, friend] = [await newUser(), await newUser()]
  const account = await newAccount(owner)
  const { id: transactionId } = await book(owner, account, { private: true })
  const query = { linkKind: 'transaction', linkId: transactionId }
  const made = await file(owner, { query })
  const { id: shareId } = await share(owner, made, friend, { resourceType: 'attachment' })
  return { owner, friend, account, made, shareId, transactionId }
}

it('a shared file is read and downloaded, and nothing else is shown', async () => {
  const { owner, friend, account, made } = await world()
  const { id } = made
  expect(made.links).toHaveLength(1)
  expect(await ok(getAttachment, { as: friend, id })).toEqual({ ...made, links: [] })
  const [own, theirs] = [
    await call(downloadAttachment, { as: owner, id }),
    await call(downloadAttachment, { as: friend, id }),
  ]
  expect([theirs.status, theirs.text]).toEqual([200, own.text])
  const other = await file(owner)
  expect((await call(getAttachment, { as: friend, id: other.id })).status).toBe(404)
  expect((await ok(listAttachments, { as: friend })).count).toBe(0)
  expect((await ok(getAttachmentUsage, { as: friend })).usage).toEqual([])
  await share(owner, account, friend)
  expect(await ok(getAttachment, { as: friend, id })).toMatchObject({ links: [] })
})

it('a receiver changes nothing about a shared file', async () => {
  const { friend, made } = await world()
  const { id } = made
  const own = await newAccount(friend)
  const refused = [
    await call(updateAttachment, { as: friend, id, json: { title: 'x' } }),
    await call(deleteAttachment, { as: friend, id }),
    await call(linkAttachment, { as: friend, id, json: { kind: 'account', id: own.id } }),
    await call(unlinkAttachment, { as: friend, path: { id, linkId: made.links[0]?.linkId ?? '' } }),
  ]
  expect(refused.map(refusal)).toEqual([
    [403, 'attachments.notAllowed'],
    [403, 'attachments.notAllowed'],
    [403, 'attachments.uploaderOnly'],
    [404, 'attachments.linkNotFound'],
  ])
})

it('a download link of a receiver ends with the share', async () => {
  const { owner, friend, made, shareId } = await world()
  const { url } = await ok(createDownloadLink, { as: friend, id: made.id, json: {} })
  const token = url.split('/').at(-1) ?? ''
  const follow = () => call(followDownloadLink, { path: { token } })
  expect((await follow()).status).toBe(200)
  await ok(deleteShare, { as: owner, id: shareId })
  expect(refusal(await follow())).toEqual([404, 'attachments.linkInvalid'])
})

it('a disabled receiver reads nothing', async () => {
  const { friend, made } = await world()
  await rows("UPDATE users SET status = 'disabled' WHERE id = ?", friend.id)
  expect((await call(getAttachment, { as: friend, id: made.id })).status).toBe(401)
})

it('a file of a group is shared by its uploader alone', async () => {
  const [owner, member, friend] = [await newUser(), await newUser(), await newUser()]
  const groupId = await storeGroup([
    [owner, 'member'],
    [member, 'owner'],
  ])
  const made = await file(owner, { query: { groupId } })
  await expect(share(member, made, friend, { resourceType: 'attachment' })).rejects.toThrow(
    'sharing.ownerOnly',
  )
  await share(owner, made, friend, { resourceType: 'attachment' })
  expect(await ok(getAttachment, { as: friend, id: made.id })).toMatchObject({ groupId: null })
})
