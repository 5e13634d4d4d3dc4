import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  cancelImport,
  commitImport,
  createImport,
  deleteImport,
  detectImportFile,
  downloadImportFile,
  getImport,
  previewImport,
  replaceImportFile,
  revertImport,
  setImportMapping,
  listImportRows,
  updateImportRow,
  updateImportRows,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import {
  createImportProfile,
  deleteImportProfile,
  getImportProfile,
  updateImportProfile,
} from '../../../src/areas/intake/imports/profiles/profiles.routes.ts'
import { closeAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { committed, csv, ofx, settled, upload, uploaded } from './importing.ts'

const FILE = csv(['2026-03-10,COFFEE,-3.00', '2026-03-11,TEA,-2.00'])
const told = ({ status, error }: { status: number; error: { code: string } }) => [
  status,
  error.code,
]
const bytes = (body: string | Uint8Array) => ({
  raw: { body: body as BodyInit, contentType: 'application/octet-stream' },
})

async function scene(file = FILE) {
  const me = await newUser()
  const account = await newAccount(me)
  const sent = await uploaded(me, file, { accountId: account.id })
  return { me, account, id: sent.id, sent }
}

const setState = (id: string, state: string) =>
  rows('UPDATE imports SET state = ? WHERE id = ?', state, id)

describe('a file that cannot be imported', () => {
  it.each([
    ['', 400, 'imports.empty'],
    [
      '<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkTo',
      400,
      'imports.truncated',
    ],
    ['%PDF-1.7 nothing of a bank', 415, 'imports.notSupported'],
    [Uint8Array.of(0x50, 0x4e, ...Array(99).keys(), 0xff), 415, 'imports.notSupported'],
  ])('is refused, and leaves nothing: %.40s', async (file, status, code) => {
    const me = await newUser()
    const account = await newAccount(me)
    const query = { fileName: 'a.txt', accountId: account.id }
    expect(told(await call(createImport, { as: me, query, ...bytes(file) }))).toEqual([
      status,
      code,
    ])
    const detected = await call(detectImportFile, { as: me, ...bytes(file) })
    expect(told(detected)).toEqual([status, code])
    expect(detected.error.error).not.toContain('most similar')
    expect(await rows('SELECT id FROM imports WHERE owner_id = ?', me.id)).toEqual([])
    const { id } = await uploaded(me, FILE, { accountId: account.id })
    expect(told(await call(replaceImportFile, { as: me, id, ...bytes(file) }))).toEqual([
      status,
      code,
    ])
    expect((await ok(getImport, { as: me, id })).state).toBe('previewed')
  })

  it('is told as the state of the import where a task reads it', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const broken = ofx([{ id: '1', date: '2026-03-10', amount: '-1.00', name: 'A' }])
      .replace('OFXHEADER:100', '<?xml version="1.0"?><?OFX OFXHEADER="200"?>')
      .padEnd(1_100_000, ' ')
    const sent = await uploaded(me, broken, { accountId: account.id })
    expect(sent.state).toBe('uploaded')
    const read = await settled(me, sent.id)
    expect(['failed', 'previewed']).toContain(read.state)
  })
})

describe('an upload', () => {
  it('is refused for accounts and profiles that are not there, closed, or too many', async () => {
    const { me, account } = await scene()
    const stranger = await newAccount(await newUser())
    expect(told(await upload(me, FILE, { accountId: stranger.id }))).toEqual([
      400,
      'imports.accountNotFound',
    ])
    expect(told(await upload(me, FILE, { profileId: 'ipr_x' }))).toEqual([
      400,
      'imports.unknownProfile',
    ])
    expect(told(await upload(me, FILE, { accountId: account.id }))).toEqual([
      409,
      'imports.sameFile',
    ])
    const shut = await newAccount(me)
    await ok(closeAccount, { as: me, id: shut.id, json: {} })
    expect(told(await upload(me, FILE, { accountId: shut.id }))).toEqual([
      409,
      'imports.accountClosed',
    ])
    const { id } = await uploaded(me, csv(['2026-04-01,A,-1.00']), { accountId: account.id })
    for (const json of [{ accountId: shut.id }, { accountMap: { x: shut.id } }]) {
      expect(told(await call(setImportMapping, { as: me, id, json }))).toEqual([
        409,
        'imports.accountClosed',
      ])
    }
    const unknown = await call(setImportMapping, { as: me, id, json: { accountId: stranger.id } })
    expect(told(unknown)).toEqual([400, 'imports.accountNotFound'])
    for (let more = 2; more < 10; more++) {
      await uploaded(me, csv([`2026-04-01,B,-${more}.00`]), { accountId: account.id })
    }
    expect(told(await upload(me, csv(['2026-04-01,C,-1.00'])))).toEqual([409, 'imports.tooMany'])
  })
})

describe('an import', () => {
  it('is only what its owner has', async () => {
    const { id } = await scene()
    const other = await newUser()
    const path = { id, rowId: `irw_${id.slice(4)}_1` }
    const refused = [
      await call(getImport, { as: other, id }),
      await call(previewImport, { as: other, id }),
      await call(deleteImport, { as: other, id }),
      await call(downloadImportFile, { as: other, id }),
      await call(replaceImportFile, { as: other, id, ...bytes(FILE) }),
      await call(setImportMapping, { as: other, id, json: { decimal: ',' } }),
      await call(cancelImport, { as: other, id }),
      await call(commitImport, { as: other, id, json: {} }),
      await call(revertImport, { as: other, id, json: {} }),
      await call(listImportRows, { as: other, id }),
      await call(updateImportRow, { as: other, path, json: { decision: 'book' } }),
      await call(updateImportRows, { as: other, id, json: { filter: {}, decision: 'book' } }),
    ]
    expect(new Set(refused.map((one) => told(one).join(' ')))).toEqual(
      new Set(['404 imports.notFound']),
    )
  })

  it('refuses what its state does not allow', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const asking = await uploaded(me, csv(['2026-03-10,A,-3.00']))
    expect(asking.state).toBe('questions')
    const { id } = asking
    expect(told(await call(commitImport, { as: me, id, json: {} }))).toEqual([
      409,
      'imports.questionsOpen',
    ])
    expect(told(await call(previewImport, { as: me, id }))).toEqual([409, 'imports.notPreviewed'])
    expect(told(await call(revertImport, { as: me, id, json: {} }))).toEqual([
      409,
      'imports.nothingToRevert',
    ])
    await ok(setImportMapping, { as: me, id, json: { accountId: account.id } })
    const path = { id, rowId: `irw_${id.slice(4)}_1` }
    await setState(id, 'reverting')
    expect(told(await call(commitImport, { as: me, id, json: {} }))).toEqual([
      409,
      'imports.underWay',
    ])
    expect(told(await call(cancelImport, { as: me, id }))).toEqual([409, 'imports.underWay'])
    expect(told(await call(setImportMapping, { as: me, id, json: { decimal: ',' } }))).toEqual([
      409,
      'imports.underWay',
    ])
    expect(told(await call(replaceImportFile, { as: me, id, ...bytes(FILE) }))).toEqual([
      409,
      'imports.underWay',
    ])
    expect(told(await call(updateImportRow, { as: me, path, json: { note: 'x' } }))).toEqual([
      409,
      'imports.notPreviewed',
    ])
    const many = { filter: {}, decision: 'book' as const }
    expect(told(await call(updateImportRows, { as: me, id, json: many }))).toEqual([
      409,
      'imports.notPreviewed',
    ])
    await setState(id, 'reverted')
    const again = { as: me, id, json: { decimal: ',' as const } }
    const reverted = [409, 'imports.reverted']
    expect(told(await call(cancelImport, { as: me, id }))).toEqual(reverted)
    expect(told(await call(setImportMapping, again))).toEqual(reverted)
    expect(told(await call(replaceImportFile, { as: me, id, ...bytes(FILE) }))).toEqual(reverted)
    await setState(id, 'done')
    expect(told(await call(cancelImport, { as: me, id }))).toEqual([409, 'imports.alreadyDone'])
    expect(told(await call(replaceImportFile, { as: me, id, ...bytes(FILE) }))).toEqual([
      409,
      'imports.alreadyDone',
    ])
    expect(told(await call(setImportMapping, { as: me, id, json: { decimal: ',' } }))).toEqual([
      409,
      'imports.alreadyDone',
    ])
  })

  it('is not deleted while a job books it', async () => {
    const { me, id } = await scene()
    await call(commitImport, { as: me, id, json: {} })
    await rows("UPDATE imports SET state = 'committing' WHERE id = ?", id)
    await rows(
      "UPDATE tasks SET state = 'running', next_attempt_at = 9e15 WHERE id = (SELECT task_id FROM imports WHERE id = ?)",
      id,
    )
    expect(told(await call(deleteImport, { as: me, id }))).toEqual([409, 'imports.underWay'])
    expect((await call(commitImport, { as: me, id, json: {} })).status).toBe(200)
  })

  it('has no rows any more once its object is erased', async () => {
    const { me, id } = await scene()
    const chunks = await rows<{ key: string }>(
      'SELECT object_key AS "key" FROM import_chunks WHERE import_id = ?',
      id,
    )
    await env.FILES.delete(chunks.map(({ key }) => key))
    expect(told(await call(listImportRows, { as: me, id }))).toEqual([409, 'imports.fileGone'])
  })

  it('has no file any more once its time is over', async () => {
    const { me, id } = await scene()
    await rows('UPDATE imports SET object_key = NULL WHERE id = ?', id)
    expect(told(await call(downloadImportFile, { as: me, id }))).toEqual([409, 'imports.fileGone'])
    expect(told(await call(setImportMapping, { as: me, id, json: { decimal: ',' } }))).toEqual([
      409,
      'imports.fileGone',
    ])
  })

  it('tells a commit from an account that was closed meanwhile', async () => {
    const { me, id, account } = await scene()
    await ok(closeAccount, { as: me, id: account.id, json: {} })
    expect(told(await call(commitImport, { as: me, id, json: {} }))).toEqual([
      409,
      'imports.accountClosed',
    ])
  })
})

describe('a decision', () => {
  it('names what is there', async () => {
    const { me, id } = await scene()
    const row = (rowId: string, json: object) =>
      call(updateImportRow, { as: me, path: { id, rowId }, json })
    const own = `irw_${id.slice(4)}_1`
    expect(told(await row(`irw_${id.slice(4)}_9`, { decision: 'book' }))).toEqual([
      404,
      'imports.rowNotFound',
    ])
    for (const json of [{ categoryId: 'cat_x' }, { payeeId: 'pay_x' }, { tagIds: ['tag_x'] }]) {
      expect(told(await row(own, json))).toEqual([400, 'imports.unknownLabel'])
    }
    expect(told(await row(own, { decision: 'match', transactionId: 'txn_x' }))).toEqual([
      400,
      'imports.matchNotFound',
    ])
    expect(told(await row(own, { accountId: 'acc_x' }))).toEqual([400, 'imports.accountNotFound'])
    const yen = await newAccount(me, { currency: 'JPY' })
    const other = await row(own, { accountId: yen.id })
    expect([...told(other), other.error.field]).toEqual([
      400,
      'imports.currencyMismatch',
      'accountId',
    ])
    expect(told(await row(own, { amount: '1.234' }))).toEqual([400, 'money.tooManyDigits'])
    expect(told(await row(own, { amount: '0' }))).toEqual([400, 'money.zero'])
    expect(told(await row(own, { amount: '99999999999999999999' }))).toEqual([
      400,
      'money.outOfRange',
    ])
    const many = (json: object) => call(updateImportRows, { as: me, id, json })
    expect(told(await many({ ids: ['irw_x_1'], decision: 'skip' }))).toEqual([
      404,
      'imports.rowNotFound',
    ])
    expect(told(await many({ filter: {}, categoryId: 'cat_x' }))).toEqual([
      400,
      'imports.unknownLabel',
    ])
  })
})

describe('a profile', () => {
  const wanted = { name: 'Bank', format: 'csv' as const, mapping: {}, shape: ['a'] }

  it('reads the next file of its shape without questions', async () => {
    const { me, id, account } = await scene()
    const json = { name: 'Mine', importId: id, accountId: account.id }
    const profile = await ok(createImportProfile, { as: me, json })
    expect(profile).toMatchObject({ format: 'csv', accountId: account.id })
    const next = await uploaded(me, csv(['2026-05-01,A,-1.00']))
    expect(next).toMatchObject({ state: 'previewed', counts: { new: 1 } })
    const named = { profileId: profile.id }
    expect((await uploaded(me, csv(['2026-05-02,A,-1.00']), named)).state).toBe('previewed')
    await committed(me, next.id)
  })

  it('is only what its owner has, under one name', async () => {
    const { me } = await scene()
    const { id } = await ok(createImportProfile, { as: me, json: wanted })
    const again = await call(createImportProfile, { as: me, json: wanted })
    expect(told(again)).toEqual([409, 'imports.profileNameTaken'])
    const { id: second } = await ok(createImportProfile, {
      as: me,
      json: { ...wanted, name: 'Two' },
    })
    const renamed = await call(updateImportProfile, { as: me, id: second, json: { name: 'bank' } })
    expect(told(renamed)).toEqual([409, 'imports.profileNameTaken'])
    const other = await newUser()
    for (const refused of [
      await call(getImportProfile, { as: other, id }),
      await call(updateImportProfile, { as: other, id, json: { name: 'X' } }),
      await call(deleteImportProfile, { as: other, id }),
    ]) {
      expect(told(refused)).toEqual([404, 'imports.profileNotFound'])
    }
    const foreign = { name: 'X', importId: 'imp_x' }
    expect(told(await call(createImportProfile, { as: me, json: foreign }))).toEqual([
      400,
      'imports.unknownImport',
    ])
    const nowhere = { ...wanted, name: 'Y', accountId: 'acc_x' }
    expect(told(await call(createImportProfile, { as: me, json: nowhere }))).toEqual([
      400,
      'imports.accountNotFound',
    ])
    const moved = { accountId: 'acc_x' }
    expect(told(await call(updateImportProfile, { as: me, id, json: moved }))).toEqual([
      400,
      'imports.accountNotFound',
    ])
    await rows(
      `INSERT INTO import_profiles SELECT 'ipr_' || value, owner_id, value, value, NULL, format, mapping, shape, 1, 0, 0
        FROM import_profiles p, json_each(?) WHERE p.id = ?`,
      JSON.stringify(Array.from({ length: 198 }, (_, at) => `${me.id} ${at}`)),
      id,
    )
    const full = await call(createImportProfile, { as: me, json: { ...wanted, name: 'Full' } })
    expect(told(full)).toEqual([409, 'imports.tooManyProfiles'])
  })

  it('needs a file that is read', async () => {
    const { me, id } = await scene()
    await rows("UPDATE imports SET mapping = '{}' WHERE id = ?", id)
    const json = { name: 'Z', importId: id }
    expect(told(await call(createImportProfile, { as: me, json }))).toEqual([
      409,
      'imports.notReadYet',
    ])
  })
})
