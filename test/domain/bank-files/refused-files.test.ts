import { expect, it } from 'vitest'
import { recogniseFormats } from '../../../src/domain/bank-files/formats.ts'
import { AppError } from '../../../src/domain/errors.ts'
import { entry, message } from '../camt/camt.fixtures.ts'
import { lines } from '../csv/read-csv.fixtures.ts'
import { readItems } from './reading.ts'

// What is in the way of reading a file at all. test/areas/imports/hostile.test.ts sends one of each kind to the service.

const XML = '<?xml version="1.0"?>'
const LAUGHS = `${XML}<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>`
const camt = message(entry('1.00', 'DBIT'))
const json = '{"budget":{"accounts":[{"id":"a","name":"A","type":"checking","balance":0}],'
const cut = (text: string) => text.slice(0, Math.floor(text.length * 0.8))
const ofx = `OFXHEADER:100
DATA:OFXSGML
VERSION:102

<OFX><BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>EUR
<BANKACCTFROM><BANKID>1<ACCTID>12345678<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><DTSTART>20260310<DTEND>20260310
<STMTTRN><TRNTYPE>OTHER<DTPOSTED>20260310<TRNAMT>-1.00<FITID>1<NAME>TEA</STMTTRN>
</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`
const accounts = lines(
  'Date,Account,Payee,Amount',
  ...Array.from({ length: 101 }, (_, at) => `2026-03-10,Account ${at},TEA,-1.00`),
)

function refusalOf(text: string): AppError {
  const [found] = recogniseFormats(text)
  try {
    expect(found && readItems(found.format, [text])).toBe('refused')
  } catch (error) {
    if (error instanceof AppError) {
      return error
    }
    throw error
  }
  throw new Error('The file is read.')
}

it.each([
  ['entities in CAMT', camt.replace(/<\?xml.*\?>/, LAUGHS), 'malformed'],
  [
    'an outside entity',
    camt.replace(/<\?xml.*\?>/, `${XML}<!DOCTYPE a SYSTEM "file:///etc/passwd">`),
    'malformed',
  ],
  ['entities in OFX', `${LAUGHS.replace('lolz', 'OFX')}<OFX></OFX>`, 'malformed'],
  ['an instruction', camt.replace('<GrpHdr>', '<?php evil ?><GrpHdr>'), 'malformed'],
  [
    'elements within each other',
    camt.replace('<GrpHdr>', `<GrpHdr>${'<a>'.repeat(70)}`),
    'malformed',
  ],
  [
    'attributes',
    camt.replace(
      '<GrpHdr>',
      `<GrpHdr ${Array.from({ length: 101 }, (_, at) => `a${at}=""`).join(' ')}>`,
    ),
    'malformed',
  ],
  ['a text', camt.replace('<MsgId>M', `<MsgId>${'M'.repeat(10_241)}`), 'malformed'],
  [
    'lists within each other',
    `${json}"transactions":${'['.repeat(5000)}${']'.repeat(5000)}}}`,
    'malformed',
  ],
  [
    'lists within each other in an own export',
    `{"format":"coffer","version":1,"transactions":[{"tagIds":${'['.repeat(5000)}${']'.repeat(5000)}}]}`,
    'malformed',
  ],
  ['CAMT that breaks off', cut(camt), 'truncated'],
  ['OFX that breaks off', cut(ofx), 'truncated'],
  ['JSON that breaks off', `${json}"transactions":[{"id":"t"`, 'truncated'],
  ['101 accounts', accounts, 'tooManyAccounts'],
])('a file is refused for %s', (_, text, code) => {
  expect(refusalOf(text).code).toBe(`imports.${code}`)
})

it.each([
  ['OFX', ofx.replace(/<STMTTRNRS>.*<\/STMTTRNRS>/s, '<STMTTRNRS><TRNUID>1</STMTTRNRS>')],
  ['CAMT', '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"></Document>'],
])('a file of %s without a statement is refused', (format, text) => {
  const { code, message: told } = refusalOf(text)
  expect(code).toBe('imports.noStatements')
  expect(told).toContain(format)
})
