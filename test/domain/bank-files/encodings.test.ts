import { describe, expect, test } from 'vitest'
import { encodingDetector, isEncoding } from '../../../src/domain/bank-files/encodings.ts'
import { runSteps } from '../../../src/domain/steps.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)

/** Bytes of a legacy encoding: the inverse of what `TextDecoder` makes of each byte, or pair of bytes. */
function encoder(encoding: string) {
  const bytes = new Map<string, number[]>()
  const decode = (...codes: number[]) => {
    try {
      return new TextDecoder(encoding, { fatal: true, ignoreBOM: false }).decode(
        Uint8Array.from(codes),
      )
    } catch {
      return ''
    }
  }
  for (let first = 0xff; first >= 0; first -= 1) {
    const single = decode(first)
    if (single.length === 1) {
      bytes.set(single, [first])
      continue
    }
    for (let second = 0x40; second <= 0xfe; second += 1) {
      const pair = decode(first, second)
      if (pair.length === 1 && !bytes.has(pair)) {
        bytes.set(pair, [first, second])
      }
    }
  }
  return (text: string) =>
    Uint8Array.from([...text].flatMap((letter) => bytes.get(letter) ?? [0x3f]))
}

function detect(bytes: Uint8Array, piece = 10_000, claimed?: string) {
  const detector = encodingDetector(claimed)
  for (let at = 0; at < bytes.length; at += piece) {
    detector.push(bytes.subarray(at, at + piece))
  }
  return runSteps(detector.end())
}

const FILES = {
  'windows-1252': [
    'Buchungstag;Empfänger;Verwendungszweck;Betrag\n01.02.2025;Bäckerei Müller;Brötchen für Größe;-3,50\n',
    'Date;Libellé;Débit;Crédit\n01/02/2025;Chèque à l’épicerie française déjà là;3,50;\n02/02/2025;Prélèvement à la société générale été;4,50;\n',
    'Fecha;Descripción;Importe\n01/02/2025;Café en el niño, señal de año;-3,50\n',
    'Bokföringsdag;Meddelande;Belopp\n2025-02-01;Överföring till Åsa på ön;-3,50\n',
  ],
  'windows-1250': [
    'Data księgowania;Opis operacji;Kwota\n2025-02-01;Zakupy żółć w sklepie Łódź, płatność;-3,50\n',
    'Datum;Částka;Zpráva pro příjemce\n1.2.2025;-3,50;Nákup řeznictví U Dvořáků, děkujeme\n',
    'Könyvelés dátuma;Összeg;Közlemény\n2025.02.01.;-3,50;Vásárlás a körúti zöldségesnél, őszi idő, fűtés\n',
  ],
  'windows-1251': ['Дата;Описание;Сумма\n01.02.2025;Покупка продуктов в магазине;-3,50\n'],
  'windows-1254': [
    'Tarih;Açıklama;Tutar;Bakiye\n01.02.2025;İşyeri alışverişi güneşli çarşı ödeme;-3,50;100,00\n',
  ],
  'koi8-r': ['Дата;Описание;Сумма\n01.02.2025;Покупка продуктов в магазине;-3,50\n'],
  gb18030: [
    '交易时间,交易类型,交易对方,金额,收/支\n2025-02-01 12:00:00,消费,北京商品公司,3.50,支出\n',
  ],
  big5: [
    '交易日期,摘要,支出金額,存入金額,餘額\n2025/02/01,消費,3.50,,100\n2025/02/02,行動轉帳,4.50,,95\n',
  ],
  shift_jis: [
    '取引日,内容,出金,入金,残高\n2025/02/01,コンビニ支払,350,,1000\n2025/02/02,カード引落し,450,,900\n',
  ],
  'euc-kr': [
    '거래일시,적요,출금액,입금액,잔액\n2025-02-01,카드결제,3500,,10000\n2025-02-02,이체,4500,,9500\n',
  ],
}

describe('legacy encodings are told by their letters', () => {
  for (const [encoding, files] of Object.entries(FILES)) {
    test.each(files)(`${encoding}: %s`, (text) => {
      const bytes = encoder(encoding)(text)
      expect(new TextDecoder(encoding).decode(bytes)).toBe(text)
      expect(detect(bytes)).toEqual({ encoding, confidence: 0.9 })
    })
  }
})

describe('what needs no guess', () => {
  test('a byte order mark', () => {
    expect(detect(Uint8Array.of(0xef, 0xbb, 0xbf, 0x41))).toEqual({
      encoding: 'utf-8',
      confidence: 1,
    })
    expect(detect(Uint8Array.of(0xff, 0xfe, 0x41, 0)).encoding).toBe('utf-16le')
    expect(detect(Uint8Array.of(0xfe, 0xff, 0, 0x41)).encoding).toBe('utf-16be')
  })

  test('zeros at every second byte', () => {
    const text = [...'Date,Amount\n2025-02-01,5'].map((letter) => letter.charCodeAt(0))
    expect(detect(Uint8Array.from(text.flatMap((code) => [code, 0]))).encoding).toBe('utf-16le')
    expect(detect(Uint8Array.from(text.flatMap((code) => [0, code]))).encoding).toBe('utf-16be')
  })

  test('valid UTF-8 to the last byte, in pieces of any length', () => {
    const text = utf8('Bäckerei, 東京, €5\n')
    for (const piece of [1, 2, 3, 100]) {
      expect(detect(text, piece)).toEqual({ encoding: 'utf-8', confidence: 1 })
    }
    expect(detect(new Uint8Array(0)).encoding).toBe('utf-8')
    // The header of a file claims what it likes.
    expect(detect(text, 100, 'windows-1252').encoding).toBe('utf-8')
  })

  test('UTF-8 that breaks off, or that is none after a megabyte', () => {
    expect(detect(utf8('Bäckerei €').subarray(0, -1)).encoding).not.toBe('utf-8')
    const long = utf8('Date;Text;Amount\n'.repeat(60_000))
    const late = new Uint8Array([
      ...long,
      ...encoder('windows-1250')('Zakupy żółć w Łodzi, płatność\n'),
    ])
    expect(detect(late, 65_536)).toEqual({ encoding: 'windows-1250', confidence: 0.9 })
  })
})

test('a long file in a legacy encoding is told by its beginning', () => {
  const line = encoder('windows-1251')('Покупка продуктов в магазине;-3,50\n')
  const bytes = new Uint8Array(3_000 * line.length)
  for (let index = 0; index < 3_000; index += 1) {
    bytes.set(line, index * line.length)
  }
  expect(detect(bytes, 30_000)).toEqual({ encoding: 'windows-1251', confidence: 0.9 })
})

test.each([
  ['windows-1252', 'Dépôt carte n° 12;1 234,56 €\n'],
  ['windows-1252', 'Betrag;12,30 €\n'],
  ['iso-8859-15', 'Betrag;12,30 €\n'],
])('a sign of the euro speaks for %s', (encoding, text) => {
  expect(detect(encoder(encoding)(text))).toEqual({ encoding, confidence: 0.9 })
})

test('where two decodings are as likely, there is a question', () => {
  const bytes = encoder('windows-1252')('Date;Text;Amount\n2025-02-01;ñ;5\n')
  const { question, encoding } = detect(bytes)
  expect(encoding).toBeUndefined()
  expect(question?.key).toBe('encoding')
  expect(question?.options).toContain('windows-1252')
  expect(question?.options).toContain('windows-1250')
  expect(question?.evidence).toHaveLength(1)
  expect(question?.evidence[0]?.line).toBe(2)
  // What the file claims settles it.
  const claimed = detect(bytes, 100, 'windows-1252')
  expect(claimed).toEqual({ encoding: 'windows-1252', confidence: 0.9 })
})

test('a label names an encoding or none', () => {
  expect(['utf-8', 'windows-1252', 'no-such', ''].map(isEncoding)).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('a sample is decoded in steps, so that others get their turn', () => {
  const detector = encodingDetector()
  detector.push(Uint8Array.from({ length: 65_536 }, (_, at) => (at % 100 === 0 ? 10 : 0xe4)))
  let steps = 0
  const work = detector.end()
  while (work.next().done !== true) {
    steps += 1
  }
  expect(steps).toBeGreaterThan(10)
})
