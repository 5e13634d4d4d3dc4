import { describe, expect, test } from 'vitest'
import { mt940 } from '../../../src/domain/mt940/mt940.ts'
import { readFile } from '../bank-files/reading.ts'

const rowOf = (rows: string) =>
  readFile(mt940, `:20:STARTUMS\n:25:1\n:60F:C260228EUR100,00\n${rows}\n:62F:C260331EUR70,00\n-\n`)
    .rows[0]

describe('information', () => {
  const said = (...lines: string[]) => {
    const row = rowOf(`:61:260301D1,NTRF\n:86:${lines.join('\n')}`)
    const { valueDate: _value, transactionType: _type, ...metadata } = row?.metadata ?? {}
    return { payee: row?.payeeRaw, text: row?.description, account: row?.counterAccount, metadata }
  }

  test.each(['?', '>', '@', '~', '+'])('coded with %s', (mark) => {
    const text =
      '166?00GUTSCHRIFT?109249?20Rechnung 12345 vom Januar, ?21Kunde 7?22?30BANKDEFF?31DE893704?32Max ?33Mustermann?34000?60Ende'
    expect(said(...(text.replaceAll('?', mark).match(/.{1,65}/g) ?? []))).toEqual({
      payee: 'Max Mustermann',
      text: 'Rechnung 12345 vom Januar, Kunde 7 Ende',
      account: 'DE893704',
      metadata: {
        bookingText: 'GUTSCHRIFT',
        batchNumber: '9249',
        counterBank: 'BANKDEFF',
        textKey: '000',
        transactionCode: '166',
      },
    })
  })

  test('with the tags of SEPA', () => {
    expect(
      said(
        '105?00LASTSCHRIFT?20EREF+E-7?21MREF+M-8?22CRED+DE98ZZZ09999999999?23SVWZ+Strom A',
        'bschlag ?24Mai?25IBAN+DE123?26BIC+BANKDE?27ABWA+Stadtwerke?28KREF+NONREF',
      ),
    ).toEqual({
      payee: 'Stadtwerke',
      text: 'Strom Abschlag Mai',
      account: 'DE123',
      metadata: {
        endToEndId: 'E-7',
        mandateId: 'M-8',
        creditorId: 'DE98ZZZ09999999999',
        bookingText: 'LASTSCHRIFT',
        transactionCode: '105',
        counterBank: 'BANKDE',
      },
    })
  })

  test('with full parts, which go on in the next', () => {
    expect(
      said('020?20SVWZ+0123456789012345678901?212345 x?32Name of exactly 27 letters.?33GmbH'),
    ).toMatchObject({
      payee: 'Name of exactly 27 letters.GmbH',
      text: '01234567890123456789012345 x',
    })
  })

  test('with a mark within a text, with parts twice, and with an ultimate creditor', () => {
    expect(said('020?20Really??20Yes?what?ABWE+Other')).toMatchObject({
      text: 'Really?Yes?what?',
      payee: 'Other',
    })
    expect(said('020?2').text).toBe('020?2')
    expect(said('020?20')).toMatchObject({ text: undefined, metadata: { transactionCode: '020' } })
  })

  test('in lines that end before they are full', () => {
    expect(said('020?00TRANSFER?20Invoice', 'of March?21paid').text).toBe('Invoice of March paid')
    expect(said('/REMI///Order 5//')).toMatchObject({ payee: undefined, text: 'Order 5' })
  })

  test('in several fields is joined', () => {
    const row = rowOf(':61:260301D1,NTRF\n:86:020?20One\n:86:?21Two')
    expect(row?.description).toBe('One Two')
    expect(rowOf(':61:260301D1,NTRF\n:86:One\n:86:Two')?.description).toBe('One Two')
    expect(
      rowOf(`:61:260301D1,NTRF${'\n:86:x'.repeat(150)}`)?.description?.split(' '),
    ).toHaveLength(100)
    expect(
      rowOf(`:61:260301D1,NTRF\n:86:${'x\n'.repeat(1_500)}`)?.description?.split(' '),
    ).toHaveLength(1_000)
  })

  test.each([
    [
      '/TRTP/SEPA OVERBOEKING/IBAN/NL91ABNA/BIC/ABNANL2A/NAME/J. Jansen/REMI/Factuur 7/EREF/NOTPROVIDED',
      {
        payee: 'J. Jansen',
        text: 'Factuur 7',
        account: 'NL91ABNA',
        metadata: { bookingText: 'SEPA OVERBOEKING', counterBank: 'ABNANL2A' },
      },
    ],
    [
      '/EREF/E1//CNTP/NL32INGB/INGBNL2A/Shop BV/Town//REMI/USTD//Order 5/',
      {
        payee: 'Shop BV',
        text: 'Order 5',
        account: 'NL32INGB',
        metadata: { endToEndId: 'E1', counterBank: 'INGBNL2A' },
      },
    ],
    [
      '/BENM//NAME/Citi Customer/PY/Invoice/PT/FT/ISDT/2026',
      { payee: 'Citi Customer', text: 'Invoice', metadata: { paymentType: 'FT' } },
    ],
    [
      '/ORDP/Payer/REMI/STRD/CUR/123/PURP/SALA',
      { payee: 'Payer', text: '123', metadata: { purpose: 'SALA' } },
    ],
    [
      '/BENM/Receiver/MARF/M1/CSID/C1',
      { payee: 'Receiver', metadata: { mandateId: 'M1', creditorId: 'C1' } },
    ],
    ['/no words/ at all', { text: '/no words/ at all', metadata: {} }],
  ])('with slashes: %s', (text, expected) => {
    expect(said(text)).toEqual({
      payee: undefined,
      text: undefined,
      account: undefined,
      ...expected,
    })
  })

  test.each([
    [
      'PRZELEW; Z RACHUNKU: 59 1020 3040; OD: Jan Kowalski; TYTUŁ: Faktura: 7; TNR: 999',
      {
        payee: 'Jan Kowalski',
        text: 'Faktura: 7',
        account: '5910203040',
        metadata: { bookingText: 'PRZELEW; TNR: 999' },
      },
    ],
    [
      'PRZELEW; nadawca: Jan; od: Inny',
      { payee: 'Jan', text: 'PRZELEW; od: Inny', account: undefined, metadata: {} },
    ],
  ])('in a list: %s', (text, expected) => {
    expect(said(text)).toEqual(expected)
  })

  test('in plain lines, of which full ones go on', () => {
    expect(said(`${'x'.repeat(64)}a`, 'b', '', '  c')).toMatchObject({
      text: `${'x'.repeat(64)}ab c`,
    })
  })
})
