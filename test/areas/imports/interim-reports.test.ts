import { describe, expect, it } from 'vitest'
import {
  setImportMapping,
  listImportRows,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { ACCOUNT, amount, balance, message } from '../../domain/camt/camt.fixtures.ts'
import { deflated } from '../../support/archives.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { committed, uploaded } from './importing.ts'

interface Sketch {
  value: string
  text?: string
  reference?: string
  number?: string
  status?: 'BOOK' | 'PDNG'
}

const entry = ({ value, text = 'COFFEE BAR', reference, number, status = 'BOOK' }: Sketch) =>
  `<Ntry>${number ? `<NtryRef>${number}</NtryRef>` : ''}${amount(value, 'DBIT')}<Sts><Cd>${status}</Cd></Sts>${
    status === 'BOOK' ? '<BookgDt><Dt>2026-03-05</Dt></BookgDt>' : ''
  }<ValDt><Dt>2026-03-05</Dt></ValDt>${reference ? `<AcctSvcrRef>${reference}</AcctSvcrRef>` : ''}<AddtlNtryInf>${text}</AddtlNtryInf></Ntry>`

/** An intraday report, without balances. */
const report = (id: string, ...entries: Sketch[]) =>
  message(entries.map(entry).join(''), { kind: '052', before: `<Id>${id}</Id>${ACCOUNT}` })

/** The statement of the day, which says its days by its balances alone. */
const statement = (...entries: Sketch[]) =>
  message(entries.map(entry).join(''), {
    before: `<Id>S</Id>${ACCOUNT}${balance('PRCD', '100.00', '2026-03-04')}${balance('CLBD', '90.00', '2026-03-05')}`,
  })

const owner = async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const balanceNow = async () => (await ok(getAccountByID, { as: me, id: account.id })).balance
  const send = async (file: string | Uint8Array, json: object = {}) => {
    const { id } = await uploaded(me, file, { accountId: account.id, again: 'true' })
    await ok(setImportMapping, { as: me, id, json: { matching: 'usual', ...json } })
    return (await committed(me, id, { force: true })).counts
  }
  return { me, balanceNow, send }
}

const reasonsOf = async (as: TestUser, id: string) =>
  (await ok(listImportRows, { as, id })).rows.map(({ verdict, reason }) => reason ?? verdict)

describe('a statement and the reports of its day', () => {
  it.each<[string, Sketch[], Sketch[]]>([
    ['with references', [{ value: '3.00', reference: 'A' }], [{ value: '3.00', reference: 'A' }]],
    ['without', [{ value: '3.00' }, { value: '3.00' }], [{ value: '3.00' }, { value: '3.00' }]],
    [
      'numbered by each message for itself',
      [{ value: '3.00', number: '1' }],
      [{ value: '3.00', number: '7' }],
    ],
    [
      'of which the statement alone has a reference',
      [{ value: '3.00' }, { value: '4.00', text: 'TEA' }],
      [
        { value: '4.00', text: 'TEA', reference: 'B' },
        { value: '3.00', text: 'Coffee Bar Berlin', reference: 'A' },
      ],
    ],
  ])('are booked once, in whatever order they come: %s', async (_, reported, stated) => {
    const total = stated.reduce((sum, { value }) => sum - Number(value), 0).toFixed(2)
    const [one, other] = [await owner(), await owner()]
    await one.send(report('R1', ...reported))
    expect(await one.send(report('R2', ...reported))).toMatchObject({ new: 0 })
    expect(await one.send(statement(...stated))).toMatchObject({ new: 0 })
    expect(await one.balanceNow()).toBe(total)
    expect(await other.send(statement(...stated))).toMatchObject({ new: stated.length })
    expect(await other.send(report('R1', ...reported))).toMatchObject({ new: 0 })
    expect(await other.balanceNow()).toBe(total)
  })

  it('what was pending in the report is booked by the statement', async () => {
    const { send, balanceNow } = await owner()
    const pending = { pending: 'import' }
    const held: Sketch[] = [{ value: '3.00', status: 'PDNG' }]
    expect(await send(report('R1', ...held), pending)).toMatchObject({ new: 1 })
    expect(await send(statement({ value: '3.00', reference: 'A' }))).toMatchObject({
      ...{ new: 0, updated: 1 },
    })
    expect(await send(report('R2', { value: '3.00', reference: 'A' }))).toMatchObject({ new: 0 })
    expect(await balanceNow()).toBe('-3.00')
  })

  it('in one archive that each tell the day so far count once, and others count each', async () => {
    const { me } = await owner()
    const sendAll = async (...files: string[]) => {
      const bytes = files.map((text, at) => [`${at}.xml`, new TextEncoder().encode(text)])
      const { id } = await uploaded(me, deflated(Object.fromEntries(bytes)), {
        fileName: 'day.zip',
        accountId: (await newAccount(me)).id,
      })
      return reasonsOf(me, id)
    }
    const [coffee, tea, cake] = [
      { value: '3.00' },
      { value: '2.00', text: 'TEA' },
      { value: '5.00' },
    ]
    const told = 'toldAgain'
    expect(
      await sendAll(
        report('R1', coffee),
        report('R2', coffee, tea),
        report('R3', coffee, tea, coffee),
        report('R4', coffee, tea, coffee),
      ),
    ).toEqual([told, told, told, told, told, told, 'new', 'new', 'new'])
    // What begins otherwise, or says of another time, goes on where the one before ended.
    expect(await sendAll(report('R1', coffee), report('R2', cake, coffee))).toEqual([
      ...['new', 'new', 'new'],
    ])
    const since = (text: string, hour: string) =>
      text.replace(
        '<Acct>',
        `<FrToDt><FrDtTm>2026-03-05T${hour}:00:00</FrDtTm><ToDtTm>2026-03-05T23:00:00</ToDtTm></FrToDt><Acct>`,
      )
    expect(
      await sendAll(
        since(report('R1', coffee), '08'),
        since(report('R2', coffee, tea), '12'),
        since(report('R3', coffee), '12'),
      ),
    ).toEqual(['new', 'new', 'new', told])
  })

  it('in one archive give way to the statement, and to later reports', async () => {
    const { me } = await owner()
    const early = report('R1', { value: '3.00', reference: 'A', status: 'PDNG' }, { value: '1.00' })
    const late = report(
      'R2',
      ...([{ value: '3.00', reference: 'A' }, { value: '1.00' }] as const),
      ...([
        { value: '9.00', reference: 'N' },
        { value: '2.00', reference: 'B' },
      ] as const),
    )
    const whole = statement(
      ...[{ value: '2.00', reference: 'B' }, { value: '1.00', reference: 'C' }, { value: '9.00' }],
    )
    const files = { 'a.xml': early, 'b.xml': late, 'c.xml': whole }
    const bytes = Object.entries(files).map(([name, text]) => [
      name,
      new TextEncoder().encode(text),
    ])
    const sent = await uploaded(me, deflated(Object.fromEntries(bytes)), {
      fileName: 'day.zip',
      accountId: (await newAccount(me)).id,
    })
    expect(await reasonsOf(me, sent.id)).toEqual([
      ...['toldAgain', 'toldAgain'],
      ...['new', 'toldAgain', 'toldAgain', 'toldAgain'],
      ...['new', 'new', 'new'],
    ])
  })
})
