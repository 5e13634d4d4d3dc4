import { describe, expect, test } from 'vitest'
import { passwordWeakness } from '../../src/domain/passwords/guessing.ts'
import known from '../../src/domain/passwords/known.json' with { type: 'json' }
import { isKnownPassword } from '../../src/domain/passwords/known.ts'
import { limit, rounds } from '../support/rounds.ts'
import { someBytes } from '../support/of-file.ts'

const PERSONAL = [
  'ada.lovelace@example.com',
  'ada.lovelace',
  'example.com',
  'Ada Augusta Lovelace',
  'coffer',
]

const weakness = (password: string) => passwordWeakness(password, PERSONAL)

/** Of 15 characters or more, as guessers try them first. */
const WELL_KNOWN = [
  ...['password1234567', 'correct horse battery staple1', 'passwordpassword', 'iloveyouforever1'],
  ...['letmein12345678', 'summer2023summer', 'qwerty123456789', 'liverpoolfc2012'],
  ...['michaeljackson12', 'P@ssw0rd12345678', 'P@ssw0rdP@ssw0rd', 'welcome123456789'],
  ...['1qaz2wsx3edc4rfv', '!QAZ2wsx#EDC4rfv', 'zaq1xsw2cde3vfr4', 'administrator123'],
  ...['changeme12345678', 'monkeymonkey1234', 'abcdefghijklmno1', '111111111111111'],
  ...['123456789012345', 'qwertyuiop12345', 'sunshine19871224', 'princess00000000'],
  ...['AdaLovelace1815!', 'coffer-password1', 'Coffer2024Coffer', 'lovelace12345678'],
  ...['iloveyou12345678', 'trustno1trustno1', 'superman-batman-1', 'football2014football'],
  ...['qazwsxedcrfvtgb1', 'asdfghjklqwertyuiop', 'baseball12345678', 'dragonmaster2020'],
  ...['Passw0rd!Passw0rd!', 'passwordpassword123', 'thisismypassword1', 'adminadminadmin1'],
  ...['letmeinletmein123', 'starwarsstarwars', '0123456789abcdef', 'charlie123456789'],
  ...['jordan23jordan23', 'ashley1234ashley'],
]

/** Lines of lists of leaked passwords; the first ones of 15 characters or more, then of 8 to 14. */
const LEAKED = [
  ...['livelaughlovedream428', 'backstageadmin', 'esternocleidomastoideo'],
  ...[
    'blackseedsofvengeance',
    'laughtillyoucry777',
    'leicestercityfootballclub',
    'masterofdisaster',
  ],
  ...['123456789101112', 'zaq12wsxcde34rfv', 'triplechocolate1', 'birdsflyovertherainbow'],
  ...[
    'mcgregormcgregor',
    'artificialchainlinkfence',
    'bestgirlintheworld',
    'sittingwaitingwishing',
  ],
  ...[
    'password',
    '12345678',
    'iloveyou',
    'sunshine',
    'princess',
    'football',
    'trustno1',
    'qazwsxedc',
  ],
  ...[
    '1q2w3e4r',
    'starwars',
    'liverpool',
    'michelle',
    'p@ssw0rd',
    'password1',
    'whatever',
    'blink182',
  ],
]

const STRONG = [
  ...[
    'seven green bottles',
    'fifteen charact',
    'sevengreenbottleshanging',
    'another fine password',
  ],
  ...['a first new password', 'long enough to be only mine', 'kz8 wq2v', 'kz8 wq2v and then some'],
  ...[
    'sieben grüne Flaschen',
    'only for this one bench',
    'a second new password',
    'fifteen characters or more',
  ],
  ...[
    'tulip-harvest-ocean-34',
    'Xk9#vPq2LmZw7$Rt',
    'wanderlust cinnamon gravel',
    'my dog ate the blue kite',
  ],
  ...['ozrldjfnwpqkzzx'],
  ...[
    '837461 hut 529408 map',
    'Nebel über Wasserburg',
    'すしを食べに行きましょうね',
    'пять зелёных бутылок',
  ],
]

describe('passwords that guessers try first', () => {
  test.each(WELL_KNOWN)('%s is weak', (password) => {
    expect(weakness(password)).toBeDefined()
  })

  test.each(LEAKED)('%s is weak', (password) => {
    expect(weakness(password)).toBeDefined()
  })

  test.each(STRONG)('%s is good', (password) => {
    expect(weakness(password)).toBeUndefined()
  })

  test.each([
    ['password1234567', 'known'],
    ['correct horse battery staple1', 'known'],
    ['C0rrect h0rse battery $taple', 'known'],
    ['artificialchainlinkfence77', 'known'],
    ['jordan23jordan23', 'repetition'],
    ['tulip harvest tulip harvest', 'repetition'],
    ['asdfghjklqwertyuiop', 'sequence'],
    ['zaq1xsw2cde3vfr4', 'sequence'],
    ['poiuytrewq987654', 'sequence'],
    ['1qaz2wsx 84629', 'sequence'],
    ['zkq zkq7zkq 7', 'repetition'],
    ['#-#--#-#---#-#--', 'repetition'],
    ['-', 'repetition'],
    ['summer2023summer', 'words'],
    ['charlie 24-12-1990', 'words'],
    ['monkey8462931750', 'words'],
    ['M0nk3y dr@gon 12', 'words'],
    ['hippodrome84629', 'words'],
    ['20240817 Zahnpasta', 'words'],
    ['17081986 24121990', 'digits'],
    ['84629317', 'digits'],
    ['Ada Augusta Lovelace', 'personal'],
    ['lovelace12345678', 'personal'],
    ['Ada-Augusta!1815', 'personal'],
    ['C0ffer-L0velace-1', 'personal'],
    ['example.com 2026!', 'personal'],
  ])('%s is refused by the rule of the %s', (password, rule) => {
    expect(weakness(password)).toBe(rule)
  })

  test('a name in a password that is good without it does no harm', () => {
    expect(weakness('ada eats wanderlust cinnamon')).toBeUndefined()
  })
})

describe('the list of known passwords', () => {
  test('has three thousand and more of each length that can be chosen', () => {
    // 3,999 of 8 to 14 characters and 3,486 that are longer.
    expect(known.count).toBeGreaterThan(7400)
  })

  test('takes hardly another password for one of its own', () => {
    const others = Array.from({ length: rounds(10_000, 40_000) }, () =>
      Buffer.from(someBytes(12)).toString('hex'),
    )
    // One of 131,072 is expected: none or one, and hardly ever four, or six of all.
    expect(others.filter(isKnownPassword).length).toBeLessThan(rounds(4, 6))
  })

  test('leaves hardly any random text without a way in', () => {
    const random = Array.from({ length: rounds(1000, 5000) }, () =>
      Buffer.from(someBytes(12)).toString('base64'),
    )
    // Of 5,000, some two are letters with digits at the ends, and all small or all capital but one.
    expect(random.filter((password) => weakness(password) !== undefined).length).toBeLessThan(
      rounds(8, 15),
    )
  })
})

test('a long password is judged in no time that anybody could make others wait with', () => {
  const long = Array.from({ length: 128 }, (_, at) => 'abc1 x'[at % 5]).join('')
  // Of the processor, not of the clock: others may use it meanwhile.
  const begun = process.cpuUsage()
  for (let at = 0; at < 5; at++) {
    weakness(`${long}${at}`)
  }
  expect(process.cpuUsage(begun).user / 1000).toBeLessThan(limit(5000))
})
