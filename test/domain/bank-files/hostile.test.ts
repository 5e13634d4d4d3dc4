import { expect, test } from 'vitest'
import { AppError } from '../../../src/domain/errors.ts'
import { formats } from '../../../src/domain/bank-files/formats.ts'
import { isAmong, limit, rounds } from '../../support/rounds.ts'
import { readItems } from './reading.ts'

/** What leads a reader to where it takes text, and what may stand there a million times. */
const BEGINNINGS: Record<string, string[]> = {
  camt: [
    '',
    '<D><Stmt>',
    '<D><Stmt><Ntry>',
    '<D><Stmt><Ntry><NtryDtls><TxDtls><RmtInf>',
    '<D a="',
    '<?xml version="1.0"',
  ],
  ofx: [
    '',
    '<OFX>',
    '<OFX><STMTRS><STMTTRN>',
    '<OFX><STMTRS><STMTTRN><NAME>',
    '<?xml version="1.0"?><OFX>',
  ],
  qif: [
    '',
    '!Type:Bank\n',
    '!Type:Bank\nD',
    '!Type:Bank\nD1/1/26\nT5\nL',
    '!Type:Bank\nT5\nSA\n$5\n',
  ],
  mt940: [
    '',
    ':20:',
    ':20:\n:25:',
    ':20:\n:60F:',
    ':20:\n:61:',
    ':20:\n:61:260301D1,NTRF',
    ':20:\n:61:260301D1,NTRF\n:86:',
    ':20:\n:61:260301D1,NTRF\n:86:020?20',
    ':20:\n:61:260301D1,NTRF\n:86:/REMI/',
  ],
  coffer: [
    '',
    '{"format":"coffer",',
    '{"format":"coffer","transactions":[',
    '{"type":"header","format":"coffer","version":1}\n',
  ],
  csv: [
    '',
    'Date,Amount,Text\n',
    'Date;Amount;Text\n01.02.2026;1,00;"',
    "Date,Amount,Text\n2026-02-01,1.00,'",
  ],
  ynab: ['', '{"budget":{', '{"budget":{"transactions":[', '{"budget":{"transactions":["'],
}
const REPEATED = [
  ' ',
  '\n',
  '\r',
  '<',
  '<a>',
  '<a/>',
  '</a',
  '<a b="" ',
  '<!--',
  '-',
  '&',
  '&amp;',
  '&amp',
  ']',
  '<Ustrd>1</Ustrd>',
  '<Ntry/>',
  '?',
  '?20',
  '/',
  '//',
  '/x',
  '; a:',
  ':61:',
  '{',
  '{1:',
  '[',
  '[1,',
  '"',
  '\\',
  ',',
  '{},',
  '1',
  '1,',
  '.',
  "'",
  '^',
  'S\n',
  '%1\n',
  'SVWZ+',
  '\u0000',
  'é',
]
const LENGTH = rounds(32, 128) * 1024

/** Of each beginning another sixth. */
const TRIED_OF = 6

test.each(
  formats
    .flatMap(({ key }) =>
      (BEGINNINGS[key] as string[]).map((beginning) => [key, beginning] as const),
    )
    .map(([key, beginning], at) => [key, beginning, at] as const),
)('what is long and wrong for %s behind %j is soon told', (key, beginning, at) => {
  const format = formats.find((one) => one.key === key)
  for (const part of REPEATED.filter((_, place) => isAmong(at + place, TRIED_OF))) {
    const text = beginning + part.repeat(LENGTH / part.length)
    const pieces = text.match(/[^]{1,65536}/g) as string[]
    // Of the processor, not of the clock: others may use it meanwhile.
    const start = process.cpuUsage()
    try {
      expect(readItems(format as (typeof formats)[number], pieces)).toBeDefined()
    } catch (error) {
      expect(error).toBeInstanceOf(AppError)
    }
    expect(format?.recognises(text.slice(0, 65_536))).toBeLessThanOrEqual(1)
    expect(process.cpuUsage(start).user, JSON.stringify(part)).toBeLessThan(limit(1_000_000))
  }
})
