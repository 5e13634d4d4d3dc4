import { describe, expect, it, vi } from 'vitest'
import {
  detectImportFile,
  getImport,
  setImportMapping,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { busyFor } from '../../../src/areas/intake/imports/reading/outcomes.rules.ts'
import { deflated } from '../../support/archives.ts'
import { ok, rows } from '../../support/api.ts'
import { accessTokensOf } from '../../support/holders.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { budget } from '../../domain/actual/actual.fixtures.ts'
import { amount, BOOKED, message } from '../../domain/camt/camt.fixtures.ts'
import { file } from '../attachments/filing.ts'
import { committed, csv, ofx, settled, upload, uploaded } from './importing.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const zipOf = (files: Record<string, string | Uint8Array>) =>
  deflated(
    Object.fromEntries(
      Object.entries(files).map(([name, one]) => [
        name,
        typeof one === 'string' ? bytes(one) : one,
      ]),
    ),
  )

const march = (n: number, value: string) =>
  message(
    `<Ntry><NtryRef>${n}</NtryRef>${amount(value, 'DBIT')}${BOOKED}<AcctSvcrRef>A${n}</AcctSvcrRef></Ntry>`,
  )

const isOnWorkers = navigator.userAgent === 'Cloudflare-Workers'

describe('an archive', () => {
  it('that YNAB exports is its register; the plan is named and left out', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const register = csv(
      ['"Cash","","2026-03-13","Kiosk","Food: Out","Food","Out","",1.50,0.00,"Cleared"'],
      '"Account","Flag","Date","Payee","Category Group/Category","Category Group","Category","Memo","Outflow","Inflow","Cleared"',
    )
    const plan = csv(
      ['"Mar 2026","Food","Out",1.00'],
      '"Month","Category Group","Category","Assigned"',
    )
    const query = { accountId: account.id, fileName: 'ynab.zip' }
    const names = ['My Money as of 2026-03-31 - Plan.csv', 'Budget.csv']
    for (const [at, name] of names.entries()) {
      const archive = zipOf({ [`x/My Money - Register.csv`]: register, [`x/${name}`]: plan })
      const sent = await uploaded(me, archive, { ...query, again: 'true' })
      expect(sent).toMatchObject({
        ...{ state: 'previewed', mapping: { builtIn: 'ynab' } },
        ...{ warnings: [{ code: 'filesUnread', files: [name] }] },
        counts: { rows: 1, new: at === 0 ? 1 : 0 },
      })
      await committed(me, sent.id)
    }
    const odd = await upload(me, zipOf({ 'Register.csv': register, 'notes.txt': plan }), query)
    expect(odd.error.code).toBe('imports.archiveInvalid')
  })

  it('of messages of a bank is read as one file, in the order of their names', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const latin = new Uint8Array(
      Buffer.from(
        march(2, '2.50').replace('UTF-8', 'ISO-8859-1').replace('<MsgId>M', '<MsgId>\u00e4'),
        'latin1',
      ),
    )
    const archive = zipOf({
      'b/2.xml': latin,
      'a.xml': `\ufeff${march(1, '1.50').replace('?>', '?>\n<?sample of a bank?>')}`,
      'b/': '',
      '__MACOSX/._a.xml': 'junk',
    })
    const sent = await uploaded(me, archive, { accountId: account.id, fileName: 'camt.zip' })
    expect(sent).toMatchObject({ state: 'previewed', format: 'camt', counts: { rows: 2, new: 2 } })
    expect(sent['statements']).toHaveLength(2)
    // A new mapping reads the archive again.
    const again = await ok(setImportMapping, { as: me, id: sent.id, json: { matching: 'never' } })
    expect(again.counts).toMatchObject({ rows: 2, new: 2 })
    expect(await committed(me, sent.id)).toMatchObject({ state: 'done', counts: { new: 2 } })
    const alone = await uploaded(me, march(2, '2.50'), { accountId: account.id })
    expect(alone.counts).toMatchObject({ duplicate: 1 })
    const { format } = await ok(detectImportFile, { as: me, raw: { body: archive as never } })
    expect(format).toBe('camt')
  })

  it('of one file is that file; a large one is read by a job', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const query = { accountId: account.id, fileName: 'a.zip' }
    const sent = await uploaded(me, zipOf({ 'a.csv': csv(['2026-03-15,Coffee,-3.00']) }), query)
    expect(sent).toMatchObject({ state: 'previewed', format: 'csv', counts: { new: 1 } })
    const many = Array.from(
      { length: 15_000 },
      (_, at) =>
        `2026-03-15,Some quite long name of a shop ${at} that is not ${at * 7919} short,-3.00`,
    )
    const large = await uploaded(me, zipOf({ 'a.csv': csv(many) }), query)
    expect(large.state).toBe('uploaded')
    expect(await settled(me, large.id)).toMatchObject({
      state: 'previewed',
      counts: { rows: 15_000 },
    })
  })

  it('of YNAB 4 has its newest budget read', async () => {
    const me = await newUser()
    const full = JSON.stringify({
      fileMetaData: { entityType: 'fileMetaData' },
      accounts: [{ entityId: 'A', accountName: 'Everyday', accountType: 'Checking' }],
      masterCategories: [],
      payees: [],
      transactions: [
        { entityId: 't', accountId: 'A', date: '2026-03-02', amount: -12.3, cleared: 'Cleared' },
      ],
    })
    const archive = zipOf({
      'My~1.ynab4/Budget.ymeta': '{}',
      'My~1.ynab4/data1/ABC/Budget.yfull': full,
      'My~1.ynab4/data1/devices/A.ydevice': '{}',
    })
    const sent = await uploaded(me, archive, { fileName: 'My.zip' })
    expect(sent).toMatchObject({ format: 'ynab', questions: [{ key: 'account' }] })
  })

  it('of YNAB 4 has what other devices changed since', async () => {
    const me = await newUser()
    const account = await newAccount(me, { name: 'Everyday' })
    const entity = (entityType: string, entityId: string, entityVersion: string, more: object) => ({
      ...{ entityType, entityId, entityVersion, ...more },
    })
    const paid = (id: string, version: string, amount: number, more: object = {}) =>
      entity('transaction', id, version, { accountId: 'A', date: '2026-03-02', amount, ...more })
    const whole = {
      masterCategories: [],
      payees: [],
      accounts: [{ entityId: 'A', entityVersion: 'A-1', accountName: 'Everyday' }],
      transactions: [paid('t1', 'A-5', -1), paid('t2', 'A-6', -2)],
      fileMetaData: { entityType: 'fileMetaData', currentKnowledge: 'A-6,B-2' },
    }
    const folder = 'My~1.ynab4/data1/'
    const archive = zipOf({
      [`${folder}ABC/Budget.yfull`]: JSON.stringify(whole),
      [`${folder}ABC/A-6_A-7.ydiff`]: JSON.stringify({
        items: [paid('t2', 'A-7', -2, { isTombstone: true }), paid('t1', 'A-4', -9)],
      }),
      [`${folder}DEF/B-2_B-3.ydiff`]: JSON.stringify({ items: [paid('t3', 'B-3', -4)] }),
    })
    const { id } = await uploaded(me, archive, { accountId: account.id, fileName: 'My.zip' })
    const shown = await settled(me, id)
    expect(shown).toMatchObject({ state: 'previewed', counts: { new: 2, ignored: 1, error: 0 } })
    const cut = zipOf({
      [`${folder}ABC/Budget.yfull`]: JSON.stringify(whole),
      [`${folder}ABC/A-6_A-7.ydiff`]: '{"items": [',
    })
    const { error } = await upload(me, cut, { accountId: account.id })
    expect(error.code).toBe('imports.malformed')
  })

  // Workers' runtime has no SQLite to make one with.
  it.skipIf(isOnWorkers)('of Actual has its database read', async () => {
    const me = await newUser()
    const [checking, savings] = [await newAccount(me), await newAccount(me)]
    const archive = zipOf({ 'db.sqlite': budget(), 'metadata.json': '{"budgetName":"Mine"}' })
    const { id } = await uploaded(me, archive, { fileName: 'Mine.zip' })
    const accountMap = { A: checking.id, S: savings.id, X: 'ignore' }
    const shown = await ok(setImportMapping, { as: me, id, json: { accountMap } })
    expect(shown).toMatchObject({ counts: { new: 2, transfer: 1, ignored: 1, error: 1 } })
    await committed(me, id, { transfers: 'match' })
    const again = await uploaded(me, archive, { fileName: 'Mine.zip' })
    const same = await ok(setImportMapping, { as: me, id: again.id, json: { accountMap } })
    expect(same).toMatchObject({ counts: { duplicate: 3, new: 0 } })
    const other = zipOf({ 'db.sqlite': 'SQLite format 4' })
    expect((await upload(me, other)).error.code).toBe('imports.malformed')
  })

  it('is refused where it is none, hides something, or unpacks to too much', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const codeOf = async (archive: Uint8Array) => {
      const { status, error } = await upload(me, archive, { accountId: account.id })
      return [status, error.code]
    }
    const inner = zipOf({ 'a.csv': 'a' })
    const invalid = [400, 'imports.archiveInvalid']
    expect(await codeOf(zipOf({ '../a.csv': 'a' }))).toEqual(invalid)
    expect(await codeOf(zipOf({ '/a.csv': 'a' }))).toEqual(invalid)
    expect(await codeOf(zipOf({ 'C:\\a.csv': 'a' }))).toEqual(invalid)
    expect(await codeOf(zipOf({ 'a.zip': inner }))).toEqual(invalid)
    expect(await codeOf(zipOf({ 'a.csv': 'a', 'b.csv': 'b' }))).toEqual(invalid)
    expect(await codeOf(zipOf({ 'a/': '' }))).toEqual(invalid)
    expect(await codeOf(inner.subarray(0, 40))).toEqual(invalid)
    const damaged = Uint8Array.from(inner)
    damaged[36] = (damaged[36] ?? 0) ^ 0xff
    expect(await codeOf(damaged)).toEqual(invalid)
    const tooLarge = [400, 'imports.archiveTooLarge']
    expect(await codeOf(zipOf({ 'a.csv': new Uint8Array(1_000_000) }))).toEqual(tooLarge)
    const crowd = Array.from({ length: 101 }, (_, at) => [`${at}.xml`, 'a'] as const)
    expect(await codeOf(zipOf(Object.fromEntries(crowd)))).toEqual(tooLarge)
    // A message that breaks off takes the others with it.
    const cut = march(1, '1.50').slice(0, 500)
    expect((await codeOf(zipOf({ 'a.xml': cut, 'b.xml': march(2, '2.50') })))[0]).toBe(400)
  })
})

describe('an attachment', () => {
  it('is imported instead of a body, by who sees it', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const row = { id: '1', date: '2026-03-10', amount: '-12.30', name: 'TESCO' }
    const attached = await file(me, { bytes: ofx([row]), query: { fileName: 'march.txt' } })
    const query = { accountId: account.id, attachmentId: attached.id }
    const send = (as = me, body = '', more: object = {}) =>
      upload(as, body, { ...query, fileName: 'a.txt', ...more })
    const { status, body } = await send()
    expect(status).toBe(201)
    const { id, size } = body as unknown as { id: string; size: number }
    expect(await ok(getImport, { as: me, id })).toMatchObject({
      fileName: 'a.txt',
      counts: { new: 1 },
    })
    expect(size).toBe(ofx([row]).length)
    const codeOf = async (answer: ReturnType<typeof send>) => (await answer).error.code
    expect(await codeOf(send(me, 'x'))).toBe('imports.attachmentAndBody')
    const other = await newUser()
    const { id: accountId } = await newAccount(other)
    expect(await codeOf(send(other, '', { accountId }))).toBe('imports.attachmentNotFound')
    const [token] = await accessTokensOf([{ user: me, scopes: ['imports.read', 'imports.write'] }])
    expect(await codeOf(send(token as never))).toBe('auth.forbidden')
    expect(await rows('SELECT id FROM imports WHERE owner_id = ?', me.id)).toHaveLength(1)
  })
})

it.each([false, true])(
  'a file that takes too long to read is refused; the clock stands still meanwhile: %s',
  async (standsStill) => {
    let [clock, hidden] = [0, 0]
    const letOthersIn = vi.fn<() => Promise<void>>(() => Promise.resolve())
    const pause = () => {
      clock += hidden
      hidden = 0
      return Promise.resolve()
    }
    const busy = busyFor(letOthersIn, () => clock, 20, pause)
    const work = (ms: number) => () => {
      hidden += standsStill ? ms : 0
      clock += standsStill ? 0 : ms
      return ms
    }
    expect(await busy(work(15))).toBe(15)
    clock += 1000
    expect(await busy(work(5))).toBe(5)
    expect(letOthersIn, 'after each piece').toHaveBeenCalledTimes(2)
    await expect(busy(work(1))).rejects.toMatchObject({ code: 'imports.tooSlow' })
  },
)
