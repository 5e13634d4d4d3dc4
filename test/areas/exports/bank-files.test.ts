import { describe, expect, it } from 'vitest'
import { getUserAccounts } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { again } from '../../support/again.ts'
import { ok } from '../../support/api.ts'
import { unzip } from '../../support/archives.ts'
import {
  exported,
  fetchExport,
  makeExport,
  newHousehold,
  newTraveller,
} from './exports.fixtures.ts'
import { needProgram, runOver } from './programs.ts'

const household = again(newHousehold)
const traveller = again(newTraveller)

describe('qif', () => {
  it('has a file for each currency, with transfers in both sections', async () => {
    const { me } = await traveller()
    const { id, lossy } = await makeExport(me, { format: 'qif' })
    expect(lossy).toContain('secondCurrencyOfTransfers')
    const response = await fetchExport(me, id)
    expect(response.headers.get('Content-Type')).toBe('application/zip')
    const files = unzip(new Uint8Array(await response.arrayBuffer()))
    expect(Object.keys(files)).toEqual(['EUR.qif', 'JPY.qif'])
    const text = (name: string) => new TextDecoder().decode(files[name])
    expect(text('EUR.qif')).toBe(
      [
        ...['!Type:Cat', 'NFees', 'E', '^', 'NGroceries', 'E', '^', 'NHousehold', 'E', '^'],
        ...['!Type:Tag', '!Option:AutoSwitch', '!Account', 'NEveryday', 'TBank', '^'],
        ...['!Clear:AutoSwitch', '!Account', 'NEveryday', 'TBank', '^', '!Type:Bank'],
        ...["D03/19'2026", 'T-12.30', 'U-12.30', 'SGroceries', '$-10.00', 'SHousehold', '$-2.30'],
        '^',
        ...["D03/20'2026", 'T-100.00', 'U-100.00', 'L[Tokyo]', 'S[Tokyo]', '$-99.00'],
        ...['SFees', '$-1.00', '^', ''],
      ].join('\n'),
    )
    expect(text('JPY.qif')).toContain(
      ["D03/20'2026", 'T15840', 'U15840', 'L[Everyday]', '^', ''].join('\n'),
    )
  })

  it('has sums of sections that are the balances, and splits that are their sums', async () => {
    const { me, everyday, odd, card } = await household()
    const accountId = [everyday.id, odd.id, card.id]
    const text = await exported(me, { format: 'qif', scope: { accountId } })
    const { accounts } = await ok(getUserAccounts, { as: me })
    const sections = text.split('!Clear:AutoSwitch\n')[1]?.split('!Account\n').slice(1) ?? []
    expect(sections).toHaveLength(3)
    for (const section of sections) {
      const [head = '', body = ''] = section.split(/!Type:.*\n/)
      const number = accountId.findIndex(
        (id) =>
          accounts.find((one) => one.id === id)?.name.slice(0, 4) ===
          head.slice(1, 5).replace('[', '('),
      )
      const account = accounts.find(({ id }) => id === accountId[number])
      const records = body.split('^\n').filter((one) => one !== '')
      const numbers = (record: string, letter: string) =>
        record.split('\n').flatMap((line) => (line[0] === letter ? [Number(line.slice(1))] : []))
      const sum = (all: number[]) => all.reduce((total, one) => total + one, 0)
      expect(sum(records.flatMap((one) => numbers(one, 'T')))).toBeCloseTo(
        Number(account?.balance),
        6,
      )
      for (const record of records.filter((one) => one.includes('\nS'))) {
        expect(sum(numbers(record, '$')), record).toBeCloseTo(sum(numbers(record, 'T')), 6)
      }
    }
    expect(text).toContain('POpening Balance\nL[(Odd∶ (one); | two "quoted"]\n')
    expect(text).toContain('C*\nP=Tesco | "Dublin"\nM-2+3; (not) a formula - @home\n')
    expect(text).not.toContain('77.00')
  })
})

describe('ofx', () => {
  it('has a statement for each account, with its balance', async () => {
    const { me, everyday, tokyo, split, transfer } = await traveller()
    const text = await exported(me, { format: 'ofx' })
    const core = transfer.id.slice(4)
    expect(text).toBe(
      [
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
        '<?OFX OFXHEADER="200" VERSION="220" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>',
        '<OFX>',
        `<SIGNONMSGSRSV1><SONRS><STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS><DTSERVER>20260320120000</DTSERVER><LANGUAGE>ENG</LANGUAGE></SONRS></SIGNONMSGSRSV1>`,
        '<BANKMSGSRSV1>',
        `<STMTTRNRS><TRNUID>0</TRNUID><STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS><STMTRS><CURDEF>EUR</CURDEF><BANKACCTFROM><BANKID>COFFER</BANKID><ACCTID>${everyday.id.slice(-22)}</ACCTID><ACCTTYPE>CHECKING</ACCTTYPE></BANKACCTFROM>`,
        '<BANKTRANLIST><DTSTART>20260319120000</DTSTART><DTEND>20260320120000</DTEND>',
        `<STMTTRN><TRNTYPE>DEBIT</TRNTYPE><DTPOSTED>20260319120000</DTPOSTED><TRNAMT>-12.30</TRNAMT><FITID>${split.id}</FITID><NAME>expense</NAME></STMTTRN>`,
        `<STMTTRN><TRNTYPE>XFER</TRNTYPE><DTPOSTED>20260320120000</DTPOSTED><TRNAMT>-100.00</TRNAMT><FITID>txn_${core}-1</FITID><NAME>transfer</NAME></STMTTRN>`,
        '</BANKTRANLIST>',
        '<LEDGERBAL><BALAMT>-112.30</BALAMT><DTASOF>20260320120000</DTASOF></LEDGERBAL></STMTRS></STMTTRNRS>',
        `<STMTTRNRS><TRNUID>0</TRNUID><STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS><STMTRS><CURDEF>JPY</CURDEF><BANKACCTFROM><BANKID>COFFER</BANKID><ACCTID>${tokyo.id.slice(-22)}</ACCTID><ACCTTYPE>CHECKING</ACCTTYPE></BANKACCTFROM>`,
        '<BANKTRANLIST><DTSTART>20260320120000</DTSTART><DTEND>20260320120000</DTEND>',
        `<STMTTRN><TRNTYPE>XFER</TRNTYPE><DTPOSTED>20260320120000</DTPOSTED><TRNAMT>15840</TRNAMT><FITID>txn_${core}-2</FITID><NAME>transfer</NAME></STMTTRN>`,
        '</BANKTRANLIST>',
        '<LEDGERBAL><BALAMT>15840</BALAMT><DTASOF>20260320120000</DTASOF></LEDGERBAL></STMTRS></STMTTRNRS>',
        '</BANKMSGSRSV1>',
        '</OFX>',
        '',
      ].join('\n'),
    )
  })

  it('is well-formed whatever the texts are, and tells cards apart', async (context) => {
    const { me, card, labelled } = await household()
    const text = await exported(me, { format: 'ofx' })
    expect(text).toContain(`<CCACCTFROM><ACCTID>${card.id.slice(-22)}</ACCTID></CCACCTFROM>`)
    expect(text).toContain(`<FITID>${labelled.id}</FITID><NAME>=Tesco | "Dublin"</NAME>`)
    expect(text).not.toContain('77.00')
    expect(text.match(/<STMTTRN>/g)?.length).toBe(text.match(/<\/STMTTRN>/g)?.length)
    const { accounts } = await ok(getUserAccounts, { as: me })
    expect([...text.matchAll(/<BALAMT>(.*?)</g)].map(([, balance]) => balance).toSorted()).toEqual(
      accounts.map(({ balance }) => balance).toSorted(),
    )
    needProgram(context, 'xmllint')
    expect(runOver('xmllint', ['--noout'], text)).toBe('')
  })

  it('tells the balance at the end of the days that are selected', async () => {
    const { me, everyday } = await traveller()
    const scope = { accountId: [everyday.id], from: '2026-03-01', to: '2026-03-19' }
    const text = await exported(me, { format: 'ofx', scope })
    expect(text).toContain('<DTSTART>20260301120000</DTSTART><DTEND>20260319120000</DTEND>')
    expect(text).toContain('<BALAMT>-12.30</BALAMT><DTASOF>20260319120000</DTASOF>')
    expect(text.match(/<STMTTRN>/g)).toHaveLength(1)
  })
})
