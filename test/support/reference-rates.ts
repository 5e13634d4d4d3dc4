import { addDays } from '../../src/domain/calendar.ts'

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
