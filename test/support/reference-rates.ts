import { crc32, deflateRawSync } from 'node:zlib'
import { addDays, dayOfWeek } from '../../src/domain/calendar.ts'

// Files of the form in which the European Central Bank publishes its reference rates; the numbers are made up.

const RATES = {
  USD: '1.0842',
  JPY: '168.46',
  CZK: '25.282',
  DKK: '7.4591',
  GBP: '0.83398',
  HUF: '406.25',
  PLN: '4.3358',
  RON: '4.9766',
  SEK: '11.5885',
  CHF: '0.9274',
  ISK: '144.7',
  NOK: '11.6365',
  TRY: '37.4262',
  AUD: '1.6242',
  BRL: '6.2851',
  CAD: '1.4771',
  CNY: '7.6485',
  HKD: '8.2087',
  IDR: '17192.6',
  ILS: '3.9389',
  INR: '89.1115',
  KRW: '1475.06',
  MXN: '21.5163',
  MYR: '4.7219',
  NZD: '1.8022',
  PHP: '62.227',
  SGD: '1.4159',
  THB: '36.574',
  ZAR: '19.0672',
}

export const QUOTED = Object.keys(RATES)

/** eurofxref-daily.xml: one day, a line for each currency, apostrophes. */
export const dailyFile = (
  date = '2026-11-20',
  rates: Record<string, string> = RATES,
): string => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
\t<gesmes:subject>Reference rates</gesmes:subject>
\t<gesmes:Sender>
\t\t<gesmes:name>European Central Bank</gesmes:name>
\t</gesmes:Sender>
\t<Cube>
\t\t<Cube time='${date}'>
${Object.entries(rates)
  .map(([currency, rate]) => `\t\t\t<Cube currency='${currency}' rate='${rate}'/>\n`)
  .join('')}\t\t</Cube>
\t</Cube>
</gesmes:Envelope>`

/** eurofxref-hist-90d.xml: many days, newest first, in one line, quotation marks. */
export const historyFile = (days: number, last = '2026-11-20'): string => {
  const cubes = Object.entries(RATES).map(
    ([currency, rate]) => `<Cube currency="${currency}" rate="${rate}"/>`,
  )
  const dated = Array.from(
    { length: days },
    (_, at) => `<Cube time="${addDays(last, -at)}">${cubes.join('')}</Cube>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?><gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><gesmes:subject>Reference rates</gesmes:subject><gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender><Cube>${dated.join('')}</Cube></gesmes:Envelope>`
}

/** The lines of eurofxref-hist.csv: a day in each but the first, newest first, without weekends. */
export function historyLines({
  days,
  last = '2026-11-20',
  columns,
  skip = () => false,
}: {
  days: number
  last?: string
  /** The cell of a day in each column, by its code. */
  columns: Record<string, (date: string) => string>
  /** True for a day that the file leaves out. */
  skip?: (date: string) => boolean
}): string[] {
  const lines = [`Date,${Object.keys(columns).join(',')},`]
  for (let date = last; lines.length <= days; date = addDays(date, -1)) {
    if (dayOfWeek(date) < 5 && !skip(date)) {
      const cells = Object.values(columns).map((cellOf) => cellOf(date))
      lines.push(`${date},${cells.join(',')},`)
    }
  }
  return lines
}

/** eurofxref-hist.zip: the one file that it has. */
export function historyZip(text: string): Uint8Array<ArrayBuffer> {
  const name = Buffer.from('eurofxref-hist.csv')
  const bytes = Buffer.from(text)
  const packed = deflateRawSync(bytes)
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(8, 4)
  fields.writeUInt32LE(crc32(bytes), 10)
  fields.writeUInt32LE(packed.length, 14)
  fields.writeUInt32LE(bytes.length, 18)
  fields.writeUInt16LE(name.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, packed])
  const directory = Buffer.concat([
    Buffer.from('PK\x01\x02\x14\x00'),
    fields,
    Buffer.alloc(14),
    name,
  ])
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(local.length, 16)
  return new Uint8Array(Buffer.concat([local, directory, end]))
}
