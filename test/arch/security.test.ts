import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { brokenLinks } from '../support/links.ts'

// docs/security.md says which test shows what. Here it is held against the tests and sections that there are.

const PAGE = 'docs/security.md'
const page = readFileSync(inProject(PAGE), 'utf8')

/** The requirements of ASVS 5.0.0 that the page judges, each with its level. */
const REQUIREMENTS = `
  4.1.1:1 4.1.2:2 4.1.3:2 4.2.1:2 4.3.1:2 4.3.2:2 4.4.1:1 4.4.2:2 4.4.3:2 4.4.4:2
  6.1.1:1 6.1.2:2 6.1.3:2
  6.2.1:1 6.2.2:1 6.2.3:1 6.2.4:1 6.2.5:1 6.2.6:1 6.2.7:1 6.2.8:1 6.2.9:2 6.2.10:2 6.2.11:2 6.2.12:2
  6.3.1:1 6.3.2:1 6.3.3:2 6.3.4:2 6.4.1:1 6.4.2:1 6.4.3:2 6.4.4:2 6.5.1:2 6.5.2:2 6.5.3:2 6.5.4:2 6.5.5:2
  6.6.1:2 6.6.2:2 6.6.3:2 6.8.1:2 6.8.2:2 6.8.3:2 6.8.4:2
  7.1.1:2 7.1.2:2 7.1.3:2 7.2.1:1 7.2.2:1 7.2.3:1 7.2.4:1 7.3.1:2 7.3.2:2
  7.4.1:1 7.4.2:1 7.4.3:2 7.4.4:2 7.4.5:2 7.5.1:2 7.5.2:2 7.6.1:2 7.6.2:2
  8.1.1:1 8.1.2:2 8.2.1:1 8.2.2:1 8.2.3:2 8.3.1:1 8.4.1:2
  9.1.1:1 9.1.2:1 9.1.3:1 9.2.1:1 9.2.2:2 9.2.3:2 9.2.4:2
  10.1.1:2 10.1.2:2 10.2.1:2 10.2.2:2 10.5.1:2 10.5.2:2 10.5.3:2 10.5.4:2 10.5.5:2`
  .trim()
  .split(/\s+/)

interface Line {
  number: string
  level: string
  verdict: string
  evidence: string
}

const cellsOf = (line: string) =>
  line
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split('|')
    .map((cell) => cell.trim())

/** The rows that begin with a number of a requirement, in the sections with such a heading. */
function rowsIn(text: string, heading: RegExp): string[][] {
  const sections = text.split(/^(?=## )/m).filter((section) => heading.test(section))
  return sections.flatMap((section) =>
    [...section.matchAll(/^\| \d+\.\d+\.\d+ \|.*$/gm)].map(([row]) => cellsOf(row)),
  )
}

const linesOf = (text: string): Line[] =>
  rowsIn(text, /^## V\d+ /).map(([number = '', level = '', , verdict = '', evidence = '']) => ({
    number,
    level,
    verdict,
    evidence,
  }))

const FOLDERS = readdirSync(inProject('test')).join('|')
const TEST_FILE = new RegExp(`^(${FOLDERS})/[\\w/-]+$`)

/** What is named as evidence: a file in backquotes, then the names of its tests in quotation marks. */
function faultsOfTests(evidence: string): string[] {
  let file = ''
  let source = ''
  return [...evidence.matchAll(/`([^`]+)`|"([^"]+)"/g)].flatMap(([, code = '', name]) => {
    if (name !== undefined) {
      const isThere = [`'${name}'`, `\`${name}\``].some((text) => source.includes(text))
      return isThere ? [] : [`${file || 'no file'} has no test "${name}"`]
    }
    if (!TEST_FILE.test(code)) {
      return []
    }
    file = `test/${code}.test.ts`
    const isThere = existsSync(inProject(file))
    source = isThere ? readFileSync(inProject(file), 'utf8') : ''
    return isThere ? [] : [`there is no ${file}`]
  })
}

function faultsOfVerdict({ number, verdict, evidence }: Line): string[] {
  const isKnown = /^(pass|(not applicable|open): .{10,})$/.test(verdict)
  const isShown = verdict !== 'pass' || /"[^"]+"|\]\(/.test(evidence)
  return [
    ...(isKnown ? [] : [`${number} has the verdict "${verdict}"`]),
    ...(isShown ? [] : [`${number} passes, and nothing shows it`]),
  ]
}

const verdictOf = ({ verdict }: Line) => verdict.split(':')[0] ?? ''

function faultsOfResult(text: string, lines: Line[]): string[] {
  const chapters = [...new Set(lines.map(({ number }) => number.split('.')[0] ?? ''))]
  return chapters.flatMap((chapter) => {
    const own = lines.filter(({ number }) => number.startsWith(`${chapter}.`))
    const counts = ['pass', 'not applicable', 'open'].map(
      (verdict) => own.filter((line) => verdictOf(line) === verdict).length,
    )
    const row = `| V${chapter} | ${counts.join(' | ')} |`
    return text.includes(row) ? [] : [`the result must say ${row}`]
  })
}

/** What is wrong with the page. */
function faultsOf(text: string): string[] {
  const lines = linesOf(text)
  const judged = lines.map(({ number, level }) => `${number}:${level}`)
  const open = lines.filter((line) => verdictOf(line) === 'open').map(({ number }) => number)
  const explained = rowsIn(text, /^## What is open/).map(([number = '']) => number)
  return [
    ...REQUIREMENTS.filter((one) => !judged.includes(one)).map((one) => `${one} is missing`),
    ...judged
      .filter((one, at) => !REQUIREMENTS.includes(one) || judged.indexOf(one) !== at)
      .map((one) => `${one} is no requirement, or there twice`),
    ...open.filter((one) => !explained.includes(one)).map((one) => `${one} is not explained`),
    ...explained.filter((one) => !open.includes(one)).map((one) => `${one} is not open`),
    ...lines.flatMap(faultsOfVerdict),
    ...lines.flatMap(({ number, evidence }) =>
      faultsOfTests(evidence).map((fault) => `${number}: ${fault}`),
    ),
    ...brokenLinks(PAGE, text),
    ...faultsOfResult(text, lines),
  ]
}

it('the page on security names tests and sections that exist', () => {
  expect(faultsOf(page)).toEqual([])
})

it('the interface has no password hint and no secret question', () => {
  const description = readFileSync(inProject('openapi.json'), 'utf8')
  const { schemas } = (JSON.parse(description) as { components: { schemas: object } }).components
  const names = [...JSON.stringify(schemas).matchAll(/"(\w+)":\{/g)].map(([, name = '']) => name)
  expect(names).toContain('currentPassword')
  const asking = names.filter((name) => /hint|question|secretAnswer/i.test(name))
  // What a bank file leaves open is asked of whoever imports it.
  expect(asking.filter((name) => !['questions', 'ImportQuestion'].includes(name))).toEqual([])
})

describe('the check of the page', () => {
  const line = (number: string) => linesOf(page).find((one) => one.number === number) as Line
  const [firstOpen = ''] = rowsIn(page, /^## What is open/).map(([number]) => number)
  const rowOfOpen = page.match(new RegExp(`^\\| ${firstOpen} \\| 2 \\| \\w+ \\|.*\\n`, 'm'))?.[0]

  it.each<[string, string, string, string]>([
    ['a test', '"needs the password exactly"', '"needs no password"', 'has no test'],
    ['a file', '`areas/auth/login`', '`areas/auth/logon`', 'there is no test/areas/auth/logon'],
    ['a test without its file', line('7.3.1').evidence, '"dies"', 'no file has no test "dies"'],
    [
      'a document',
      '(internals/access.md#guessing)',
      '(guides/entry.md)',
      'no docs/guides/entry.md',
    ],
    ['a section', '#guessing)', '#guesses)', 'docs/internals/access.md has no section #guesses'],
    ['an own section', '(#sessions)', '(#session)', 'docs/security.md has no section #session'],
    ['a pass that nothing shows', line('9.2.3').evidence, 'EdDSA', '9.2.3 passes, and nothing'],
    ['an unknown verdict', '| not applicable: there is no SAML |', '| no |', 'the verdict "no"'],
    ['another level', '| 9.2.3 | 2 |', '| 9.2.3 | 1 |', '9.2.3:2 is missing'],
    ['an unknown number', '| 9.2.3 | 2 |', '| 9.2.9 | 2 |', '9.2.9:2 is no requirement'],
    ['a wrong count', '| V9 | 7 | 0 | 0 |', '| V9 | 6 | 0 | 1 |', 'must say | V9 | 7 | 0 | 0 |'],
    ['what is open and not explained', rowOfOpen ?? '', '', `${firstOpen} is not explained`],
  ])('finds %s', (_, good, bad, fault) => {
    expect(page).toContain(good)
    expect(good).not.toBe('')
    expect(faultsOf(page.replaceAll(good, bad)).join('\n')).toContain(fault)
  })
})
