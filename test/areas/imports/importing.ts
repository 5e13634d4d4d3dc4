import type { AnswerOutcome } from '../../../src/domain/bank-files/format.ts'
import {
  commitImport,
  createImport,
  getImport,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { expect } from 'vitest'
import { work } from '../../../src/areas/index.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { deliver } from '../queue-tasks/tasks.ts'

export interface ImportBody {
  id: string
  state: string
  format: string | null
  counts: Record<string, number>
  questions: {
    key: string
    options: string[]
    suggestion: string | null
    outcomes: AnswerOutcome[]
  }[]
  warnings: { code: string }[]
  accounts: { foreign: string; accountId: string | null; rows: number }[]
  [field: string]: unknown
}

/** Uploads a file. */
export const upload = (
  as: Principal,
  text: string | Uint8Array,
  query: Record<string, string> = {},
) =>
  call(createImport, {
    as,
    query: { fileName: 'statement.txt', ...query },
    raw: { body: text as BodyInit, contentType: 'application/octet-stream' },
  })

export async function uploaded(
  as: Principal,
  text: string | Uint8Array,
  query: Record<string, string> = {},
): Promise<ImportBody> {
  const { status, body, text: answer } = await upload(as, text, query)
  if (status !== 201) {
    throw new Error(answer)
  }
  return body as unknown as ImportBody
}

/** Does the work of an import that is asked for, and shows what has become of it. */
export async function settled(as: Principal, id: string): Promise<ImportBody> {
  const found = (await ok(getImport, { as, id })) as unknown as ImportBody
  if (typeof found['jobId'] === 'string') {
    await deliver(work, found['jobId'])
  }
  const [task] = await rows<{ state: string; error: string | null }>(
    'SELECT state, error FROM tasks WHERE id = ?',
    found['jobId'],
  )
  expect(task?.error ?? null).toBeNull()
  return (await ok(getImport, { as, id })) as unknown as ImportBody
}

type CommitWishes = NonNullable<
  NonNullable<Parameters<typeof call<typeof commitImport>>[1]>['json']
>

export async function committed(
  as: Principal,
  id: string,
  json: CommitWishes = {},
): Promise<ImportBody> {
  const { status, text } = await call(commitImport, { as, id, json })
  if (status >= 300) {
    throw new Error(text)
  }
  return settled(as, id)
}

export interface OfxRow {
  id: string
  date: string
  amount: string
  name: string
  memo?: string
  /** What it does to the row that has this id. */
  corrects?: { id: string; action: 'REPLACE' | 'DELETE' }
}

/** A small OFX file of a credit card. */
export const cardOfx = (rows: OfxRow[], options: { account?: string } = {}) =>
  ofx(rows, options)
    .replace('<BANKMSGSRSV1><STMTTRNRS>', '<CREDITCARDMSGSRSV1><CCSTMTTRNRS>')
    .replace('<STMTRS>', '<CCSTMTRS>')
    .replace(
      /<BANKACCTFROM><BANKID>1(.*)<ACCTTYPE>CHECKING<\/BANKACCTFROM>/,
      '<CCACCTFROM>$1</CCACCTFROM>',
    )
    .replace(
      '</STMTRS></STMTTRNRS></BANKMSGSRSV1>',
      '</CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1>',
    )

/** A small OFX file of one bank account. */
export const ofx = (rows: OfxRow[], { account = '12345678', closing = '' } = {}) =>
  `OFXHEADER:100
DATA:OFXSGML
VERSION:102

<OFX><BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>EUR
<BANKACCTFROM><BANKID>1<ACCTID>${account}<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><DTSTART>${
    rows
      .map(({ date }) => date)
      .toSorted()[0]
      ?.replaceAll('-', '') ?? ''
  }<DTEND>${
    rows
      .map(({ date }) => date)
      .toSorted()
      .at(-1)
      ?.replaceAll('-', '') ?? ''
  }
${rows
  .map(
    ({ id, date, amount, name, memo = '', corrects }) =>
      `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>${date.replaceAll('-', '')}<TRNAMT>${amount}<FITID>${id}${corrects ? `<CORRECTFITID>${corrects.id}<CORRECTACTION>${corrects.action}` : ''}<NAME>${name}${memo === '' ? '' : `<MEMO>${memo}`}</STMTTRN>`,
  )
  .join('\n')}
</BANKTRANLIST>${closing === '' ? '' : `<LEDGERBAL><BALAMT>${closing}<DTASOF>20260331</LEDGERBAL>`}</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`

export const csv = (lines: string[], heading = 'Date,Payee,Amount') =>
  `${[heading, ...lines].join('\n')}\n`

/** A small OFX file of two bank accounts, 11 and 22. */
export function bothOf(one: OfxRow[], other: OfxRow[]): string {
  const [, statement = ''] =
    ofx(other, { account: '22' }).match(/<BANKMSGSRSV1>(.*)<\/BANKMSGSRSV1>/s) ?? []
  return ofx(one, { account: '11' }).replace('</BANKMSGSRSV1>', `${statement}$&`)
}
