import { describe, expect, test } from 'vitest'
import { dateReader, lacksYear, writtenDate } from '../../../src/domain/bank-files/dates.ts'
import type { DateOrder } from '../../../src/domain/bank-files/format.ts'
import { monthNamed } from '../../../src/domain/bank-files/months.ts'
import { remembering } from '../../../src/domain/memoized.ts'

const under = (order: DateOrder, text: string) => dateReader(order)(text)
const day = (order: DateOrder, text: string) => under(order, text)?.date

describe('dates of any form', () => {
  test.each([
    ['2018-02-25', 'YMD', '2018-02-25'],
    ['20180225', 'YMD', '2018-02-25'],
    ['2018/02/25', 'YMD', '2018-02-25'],
    ['2018.02.25.', 'YMD', '2018-02-25'],
    ['2018. 2. 5.', 'YMD', '2018-02-05'],
    ['2018年2月27日', 'YMD', '2018-02-27'],
    ['2018년 2월 27일', 'YMD', '2018-02-27'],
    ['18-02-25', 'YMD', '2018-02-25'],
    ['25.02.2018', 'DMY', '2018-02-25'],
    ['25.02.18', 'DMY', '2018-02-25'],
    ['25/2/2018', 'DMY', '2018-02-25'],
    ['25-02-98', 'DMY', '1998-02-25'],
    ['25 02 2018', 'DMY', '2018-02-25'],
    [' 2/ 5/2018 ', 'MDY', '2018-02-05'],
    ["2/25'04", 'MDY', '2004-02-25'],
    ["2/25' 4", 'MDY', '2004-02-25'],
    ["2/25'1998", 'MDY', '1998-02-25'],
    ["2/25'98", 'MDY', '2098-02-25'],
    ['27 Feb 2018', 'DMY', '2018-02-27'],
    ['12-Dec-2019', 'YMD', '2019-12-12'],
    ['23-Jan-15', 'MDY', '2015-01-23'],
    ['Feb 27, 2018', 'DMY', '2018-02-27'],
    ['2018 Feb 27', 'DMY', '2018-02-27'],
    ['2018. február 27.', 'YMD', '2018-02-27'],
    ['27 de febrero de 2018', 'DMY', '2018-02-27'],
    ['1er août 2018', 'DMY', '2018-08-01'],
    ['3rd of May 2018', 'DMY', '2018-05-03'],
    ['27. září 2018', 'DMY', '2018-09-27'],
    ['27 февраля 2018 г.', 'DMY', '2018-02-27'],
    ['27 Φεβρουαρίου 2018', 'DMY', '2018-02-27'],
    ['15 Şubat 2018', 'DMY', '2018-02-15'],
    ['15 MÄRZ 2018', 'DMY', '2018-03-15'],
  ] as const)('%s as %s is %s', (text, order, date) => {
    expect(day(order, text)).toBe(date)
  })

  test.each([
    ['2018-02-25 12:34:56 +0000', '12:34:56'],
    ['2018-02-25T12:34:56.123456Z', '12:34:56'],
    ['2018-02-25 2:34 PM', '14:34:00'],
    ['2018-02-25 12:34 a.m.', '00:34:00'],
    ['20180225123456.000[-5:EST]', '12:34:56'],
    ['201802251234', '12:34:00'],
    ['20180225T123456Z', '12:34:56'],
    ['2018-02-25 12.34', '12:34:00'],
    ['25 Feb 2018 12:34:56 GMT+1', '12:34:56'],
    ['2018-02-25, 09:05 CEST', '09:05:00'],
  ])('%s has the time %s, in the zone that is written', (text, time) => {
    expect(under(text.startsWith('25') ? 'DMY' : 'YMD', text)).toEqual({ date: '2018-02-25', time })
  })

  test('a zone without a time is only passed over', () => {
    expect(under('YMD', '2018-02-25Z')).toEqual({ date: '2018-02-25' })
    expect(under('YMD', '20180225[-5:EST]')).toEqual({ date: '2018-02-25' })
  })

  test.each([
    ['', 'YMD'],
    ['12', 'DMY'],
    ['hello', 'DMY'],
    ['1'.repeat(65), 'YMD'],
    ['2018-02-25 25:00', 'YMD'],
    ['2018-02-25 12:60', 'YMD'],
    ['2018-02-25 12:00:61', 'YMD'],
    ['2018-02-25 Lunch at noon', 'YMD'],
    ['2018-02-250', 'YMD'],
    ['2018-02-2018', 'YMD'],
    ['2018-02', 'YMD'],
    ['123.02.2018', 'DMY'],
    ['25.02/2018', 'DMY'],
    ['25.02.8', 'DMY'],
    ['25 Foo 2018', 'DMY'],
    ['Foo 25 2018', 'DMY'],
    ['2018 Foo 25', 'DMY'],
    ['31.04.2018', 'DMY'],
    ['13/13/2018', 'MDY'],
    ['00/01/2018', 'DMY'],
    ['01.02.1899', 'DMY'],
    ['01.02.2561', 'DMY'],
    ['2018-02-25', 'DMY'],
    ['25.02.2018', 'YMD'],
    ['25.02.18', 'YMD'],
    ['--12.30', 'DMY'],
  ] as const)('%j is no date as %s', (text, order) => {
    expect(under(order, text)).toBeUndefined()
  })
})

describe('dates without a year', () => {
  const read = (order: DateOrder, text: string, options = {}) => dateReader(order, options)(text)

  test('take the year of the period, and the one before for later months', () => {
    const period = { year: 2020, month: 1 }
    expect(read('MDY', '12/30', period)).toEqual({ date: '2019-12-30' })
    expect(read('MDY', '01/02', period)).toEqual({ date: '2020-01-02' })
    expect(read('DMY', '30.12.', period)).toEqual({ date: '2019-12-30' })
    expect(read('YMD', '12-30', period)).toEqual({ date: '2019-12-30' })
    expect(read('DMY', '30 Dec', period)).toEqual({ date: '2019-12-30' })
    expect(read('DMY', 'Dec 30', { year: 2020 })).toEqual({ date: '2020-12-30' })
    expect(read('MDY', '12/30 14:05', { year: 2020 })).toEqual({
      date: '2020-12-30',
      time: '14:05:00',
    })
  })

  test('are none as long as the year is unknown', () => {
    expect(read('MDY', '12/30')).toBeUndefined()
    expect(lacksYear(writtenDate('12/30') as never)).toBe(true)
    expect(lacksYear(writtenDate('12/30/18') as never)).toBe(false)
    expect(lacksYear(writtenDate('2018-12-30') as never)).toBe(false)
  })

  test('know the 29th of February only in leap years', () => {
    expect(read('MDY', '02/29', { year: 2020 })).toEqual({ date: '2020-02-29' })
    expect(read('MDY', '02/29', { year: 2021 })).toBeUndefined()
  })
})

test('a day beyond the end of its month is repaired where that is asked for', () => {
  const read = dateReader('DMY', { repair: true })
  expect(read('30.02.2019')).toEqual({ date: '2019-02-28', repaired: true })
  expect(read('31.04.2019')).toEqual({ date: '2019-04-30', repaired: true })
  expect(read('28.02.2019')).toEqual({ date: '2019-02-28' })
  expect(read('32.04.2019')).toBeUndefined()
  expect(read('00.04.2019')).toBeUndefined()
  expect(read('30.13.2019')).toBeUndefined()
})

test('months are known by their names and short forms, whatever the case and the accents', () => {
  const months = {
    1: [
      'January',
      'janvier',
      'enero',
      'styczeń',
      'leden',
      'ЯНВАРЯ',
      'Ιανουαρίου',
      'ocak',
      'tammikuu',
    ],
    3: ['March', 'März', 'marzo', 'mars', 'mart', 'március', 'березня', 'marca'],
    6: ['June', 'Juni', 'czerwca', 'června', 'haziran', 'birželio', 'kesäkuu'],
    7: ['July', 'Juli', 'lipca', 'července', 'temmuz', 'liepos', 'heinäkuu'],
    8: ['August', 'août', 'elokuu', 'sierpnia', 'Ağustos', 'rugpjūčio'],
    10: ['October', 'Oktober', 'październik', 'října', 'Ekim', 'outubro'],
    12: ['December', 'Dez', 'grudzień', 'prosince', 'Aralık', 'décembre'],
  }
  for (const [month, names] of Object.entries(months)) {
    expect(names.map(monthNamed)).toEqual(names.map(() => Number(month)))
  }
  expect(monthNamed('Lunch')).toBeUndefined()
})

test('no name means two months', () => {
  const seen = new Map<string, number>()
  for (const [text, month] of [
    ['mar', 3],
    ['maj', 5],
    ['lis', 11],
    ['sie', 8],
    ['sep', 9],
    ['set', 9],
    ['marec', 3],
    ['marras', 11],
  ] as const) {
    seen.set(text, month)
    expect(monthNamed(text), text).toBe(month)
  }
  expect(seen.size).toBe(8)
})

test('a function that remembers finds again what it forgot', () => {
  let calls = 0
  const remember = remembering((text) => {
    calls += 1
    return text.length > 1 ? text : undefined
  })
  expect([remember('a'), remember('a'), remember('bb'), remember('bb')]).toEqual([
    undefined,
    undefined,
    'bb',
    'bb',
  ])
  expect(calls).toBe(2)
  for (let index = 0; index < 4_000; index += 1) {
    remember(`text ${index}`)
  }
  expect(remember('bb')).toBe('bb')
  expect(calls).toBe(4_003)
})
