/** Makes messages of ISO 20022 for tests. */
interface Message {
  version?: string
  kind?: '052' | '053' | '054'
  head?: string
  /** What stands in the statement in front of the entries. */
  before?: string
  after?: string
  prefix?: string
}

const ELEMENTS = {
  '052': ['BkToCstmrAcctRpt', 'Rpt'],
  '053': ['BkToCstmrStmt', 'Stmt'],
  '054': ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
} as const

export const ACCOUNT = '<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>'

export function message(entries: string, options: Message = {}): string {
  const { version = '08', kind = '053', head = '', after = '' } = options
  const { before = `<Id>S1</Id>${ACCOUNT}` } = options
  const [root, statement] = ELEMENTS[kind]
  const text = `<Document xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${kind}.001.${version}">
  <${root}><GrpHdr><MsgId>M</MsgId>${head}</GrpHdr>
  <${statement}>${before}
  ${entries}
  ${after}</${statement}></${root}></Document>`
  return `<?xml version="1.0" encoding="UTF-8"?>\n${options.prefix === undefined ? text : text.replaceAll(/<(\/?)(\w)/g, `<$1${options.prefix}:$2`).replace('xmlns=', `xmlns:${options.prefix}=`)}\n`
}

export const amount = (value: string, direction: 'CRDT' | 'DBIT', currency = 'EUR'): string =>
  `<Amt Ccy="${currency}">${value}</Amt><CdtDbtInd>${direction}</CdtDbtInd>`

export const BOOKED =
  '<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt><ValDt><Dt>2026-03-01</Dt></ValDt>'

/** An entry that was booked on 2 March 2026. */
export const entry = (
  value: string,
  direction: 'CRDT' | 'DBIT',
  rest = '',
  status = BOOKED,
): string => `<Ntry>${amount(value, direction)}${status}${rest}</Ntry>`

export const details = (...list: string[]): string =>
  `<NtryDtls>${list.map((one) => `<TxDtls>${one}</TxDtls>`).join('')}</NtryDtls>`

export const balance = (
  code: string,
  value: string,
  date: string,
  direction: 'CRDT' | 'DBIT' = 'CRDT',
  currency = 'EUR',
): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(value, direction, currency)}<Dt><Dt>${date}</Dt></Dt></Bal>`
