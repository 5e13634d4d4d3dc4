import { expect, it } from 'vitest'
import { jsonLine } from '../../../src/domain/text.ts'
import { archivePathOf } from '../../../src/areas/files/attachments/attachments.rules.ts'
import { cellOf } from '../../../src/areas/insight/audit-log/audit-log.rules.ts'
import { type Member, zip } from '../../../src/platform/files/zip.ts'

// What archives and exports are read with: unpackers of any system, spreadsheets, readers of lines.

const nameOf = (fileName: string) =>
  archivePathOf({ id: 'att_1', fileName }).slice('files/att_1/'.length)

it.each([
  ['../../etc/passwd', '_.._etc_passwd'],
  ['..', 'file'],
  ['C:\\temp\\bill.pdf', 'C__temp_bill.pdf'],
  ['a\u202Egpj.exe', 'a_gpj.exe'],
  ['con', '_con'],
  ['NUL.txt', '_NUL.txt'],
  ['Com1.tar.gz', '_Com1.tar.gz'],
  ['comma.txt', 'comma.txt'],
  [' . ', 'file'],
])('names %j in an archive %j', (fileName, expected) => {
  expect(nameOf(fileName)).toBe(expected)
})

it.each(['漢', '👩', 'e\u0301', 'x'])(
  'keeps a name of many %s short enough to be unpacked, with its type',
  (letter) => {
    const name = nameOf(`${letter.repeat(Math.floor(250 / letter.length))}.pdf`)
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200)
    expect(name).toMatch(/\.pdf$/)
    expect(name.isWellFormed()).toBe(true)
  },
)

it('makes no archive that has more members than it can say', async () => {
  async function* members(): AsyncGenerator<Member> {
    for (let at = 0; at <= 0xffff; at++) {
      yield { name: `${at}`, body: (async function* () {})() }
    }
  }
  const pack = async () => {
    for await (const piece of zip(members(), 0, () => undefined)) {
      if (!(piece instanceof Uint8Array)) {
        expect.fail('A piece is not bytes')
      }
    }
  }
  await expect(pack()).rejects.toThrow(RangeError)
})

it('tells what separates lines in Unicode by its number, so that a line of NDJSON is one to every reader', () => {
  const value = { note: 'a\u2028b\u2029c\u0085d\ne"' }
  const line = jsonLine(value)
  expect(line.trimEnd()).not.toMatch(/[\u2028\u2029\u0085\n]/)
  expect(JSON.parse(line)).toEqual(value)
})

it.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  ' =1',
  '\uFEFF=1',
  '＝1',
  '＋1',
  '－1',
  '＠x',
])('lets no spreadsheet run %j', (text) => {
  expect(cellOf(text)).toBe(`"'${text}"`)
})
