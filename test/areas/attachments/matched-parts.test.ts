import { expect, it } from 'vitest'
import {
  getAttachment,
  linkAttachment,
  listAttachments,
} from '../../../src/areas/files/attachments/attachments.routes.ts'
import {
  getTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newUser } from '../../support/world.ts'
import { share } from '../sharing/sharing.ts'
import { matched, newReceipt, unmatch } from '../transactions/matched-parts.fixtures.ts'
import { file as newFile } from './filing.ts'

it('shows the files of a matched row with the other side of the part, and with nothing else', async () => {
  const { me, everyday, wallet, whole, part, row } = await newReceipt()
  const file = await newFile(me)
  const json = { kind: 'transaction' as const, id: row.id }
  await ok(linkAttachment, { as: me, id: file.id, json })
  const [one, other] = [await newUser(), await newUser()]
  await share(me, everyday, one)
  await share(me, wallet, other)
  const sees = async () => [
    (await call(getAttachment, { as: one, id: file.id })).status,
    (await call(getAttachment, { as: other, id: file.id })).status,
  ]
  expect(await sees()).toEqual([404, 200])
  const { splits } = await matched(me, whole, part, row)
  const id = splits[1]?.transfer?.transactionId ?? ''
  expect(await sees()).toEqual([404, 200])
  const counts = async (of: string) =>
    (await ok(getTransaction, { as: me, id: of })).attachmentCount
  expect([await counts(whole.id), await counts(id)]).toEqual([0, 1])
  for (const as of [me, other]) {
    const { links } = await ok(getAttachment, { as, id: file.id })
    expect(links).toMatchObject([{ kind: 'transaction', id }])
    const query = { hasAttachment: 'true' as const }
    const { transactions } = await ok(listTransactions, { as, query })
    expect(transactions.map((found) => found.id)).toEqual([id])
  }
  expect((await ok(listAttachments, { as: one })).attachments).toEqual([])
  const { body } = await unmatch(me, whole, part)
  expect(body.restored.attachmentCount).toBe(1)
  expect(await counts(row.id)).toBe(1)
  expect(await sees()).toEqual([404, 200])
  const { links } = await ok(getAttachment, { as: other, id: file.id })
  expect(links).toMatchObject([{ kind: 'transaction', id: row.id }])
})
