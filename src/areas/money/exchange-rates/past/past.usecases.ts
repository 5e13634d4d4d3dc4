import { addDays, type CalendarDate, dateInZone } from '../../../../domain/calendar.ts'
import { findCurrency } from '../../../../domain/currency.ts'
import { AppError } from '../../../../domain/errors.ts'
import { REFERENCE_CURRENCY } from '../../../../domain/exchange.ts'
import { type Context, freshId } from '../../../../platform/context.ts'
import { commit } from '../../../../platform/database/database.ts'
import { openMember, readDirectory, type ReadPart } from '../../../../platform/files/unzip.ts'
import { textLines } from '../../../../platform/files/text-lines.ts'
import { type Change } from '../../../../platform/log/events.ts'
import { fetchOutbound } from '../../../../platform/outbound/outbound.ts'
import { readOrStop } from '../../../../platform/work/tasks.ts'
import { coveredSpans, neededByAll, storeCoverage } from '../coverage/coverage.queries.ts'
import { type Gaps, gapsOf } from '../coverage/coverage.rules.ts'
import { exchangeRateErrors } from '../exchange-rates.errors.ts'
import { OF_RATES, systemRatesEvents } from '../exchange-rates.events.ts'
import { storeFetched } from '../system/system.queries.ts'
import { readReferenceRates, requireForm } from '../system/system.rules.ts'
import { byRateDay, columnsOf, dayOfLine, Filling, type RateDay } from './past.rules.ts'

const RECENT = 'eurofxref-hist-90d.xml'
const HISTORY = 'eurofxref-hist.zip'

/** The days that the file of 90 days surely has. */
const RECENT_DAYS = 80
/** The file of 90 days has some 75 KiB. */
const MOST_BYTES = 256 * 1024
/** The history has less than one. */
const MOST_BYTES_OF_HISTORY = 8 * 1024 * 1024
const MOST_MS_OF_HISTORY = 60_000
const BOUNDS = { members: 1, bytes: 64 * 1024 * 1024, ratio: 2000 }
/** Rates in one commit. */
const STEP = 5000
/** Rates in one statement. */
const ROWS_AT_ONCE = 1000

export async function fetchReferenceFile(
  ctx: Context,
  url: string,
  bounds: { maxBytes: number; timeoutMs?: number } = { maxBytes: MOST_BYTES },
): Promise<Uint8Array> {
  const response = await fetchOutbound(ctx, url, bounds)
  if (response.status !== 200) {
    throw exchangeRateErrors.sourceFailed()
  }
  return new Uint8Array(await response.arrayBuffer())
}

/** True if the bank's newest file, or what was read before, tells how far back a currency has to be looked for. */
export const isSettled = (
  currency: string,
  { quoted, covered }: { quoted: ReadonlySet<string>; covered: readonly { currency: string }[] },
): boolean => quoted.has(currency) || covered.some((span) => span.currency === currency)

/**
 * Fetches the rates that are needed and were never read, from the file of 90 days if that reaches, else from the whole history. Each
 * step is a commit of rates with their coverage, so a run that was killed goes on where it was.
 * @param source the address of the daily file, beside which the others are
 * @param newest the newest day of the daily file
 * @param quoted its currencies
 */
export async function fillPast(
  ctx: Context,
  source: string,
  { newest, quoted }: { newest: CalendarDate; quoted: ReadonlySet<string> },
): Promise<void> {
  const addressOf = (name: string) => new URL(name, source).href
  const findGaps = async () => {
    const [needs, covered] = await readOrStop(ctx, neededByAll(), coveredSpans())
    return { gaps: gapsOf(needs, covered, newest), covered }
  }
  const first = await findGaps()
  const isRecent = [...first.gaps].every(
    ([currency, [{ from }]]) =>
      from >= addDays(newest, -RECENT_DAYS) &&
      isSettled(currency, { quoted, covered: first.covered }),
  )
  if (isRecent) {
    const bytes = await fetchReferenceFile(ctx, addressOf(RECENT))
    const days = byRateDay(readReferenceRates(bytes, dateInZone(ctx.now, 'UTC')))
    const filling = new Filling(first.gaps, quoted)
    days.forEach((day) => filling.add(day))
    await commit(ctx, {
      changes: [filledBy(ctx, filling, { file: RECENT, unknown: [] })],
      result: undefined,
    })
  }
  const { gaps } = isRecent ? await findGaps() : first
  if (gaps.size > 0) {
    const bounds = { maxBytes: MOST_BYTES_OF_HISTORY, timeoutMs: MOST_MS_OF_HISTORY }
    await fillFromHistory(ctx, await fetchReferenceFile(ctx, addressOf(HISTORY), bounds), gaps)
  }
}

const MALFORMED = exchangeRateErrors.malformedFile().code

async function fillFromHistory(ctx: Context, bytes: Uint8Array, gaps: Gaps): Promise<void> {
  const { columns, days } = await openHistory(ctx, bytes, gaps)
  const unknown = columns.filter((code) => findCurrency(code) === undefined)
  const filling = new Filling(gaps, columns)
  const store = async () => {
    const changes = [filledBy(ctx, filling, { file: HISTORY, unknown })]
    await readOrStop(ctx)
    await commit(ctx, { changes, result: undefined })
  }
  try {
    for await (const day of days) {
      filling.add(day)
      if (filling.isDone) {
        break
      }
      if (filling.size > STEP - gaps.size) {
        await store()
      }
    }
  } catch (error) {
    // What came before the place where a file is cut off is as good as ever.
    if (error instanceof AppError && error.code === MALFORMED) {
      await store()
    }
    throw error
  }
  await store()
  if (!filling.reachesOldest) {
    throw exchangeRateErrors.malformedFile()
  }
}

/** Opens the ZIP archive of the one table that is the history. */
async function openHistory(
  ctx: Context,
  bytes: Uint8Array,
  wanted: Gaps,
): Promise<{ columns: string[]; days: AsyncGenerator<RateDay> }> {
  const readPart: ReadPart = async (offset, length) =>
    new Response(bytes.slice(offset, offset + length)).body as ReadableStream<Uint8Array>
  const asMalformed = (cause: unknown) => exchangeRateErrors.malformedFile({ cause })
  const open = async () => {
    const [member] = await readDirectory(readPart, bytes.length, BOUNDS)
    requireForm(member !== undefined)
    const lines = textLines(openMember(readPart, member))
    const header = await lines.next()
    requireForm(header.done !== true)
    return { lines, columns: columnsOf(header.value) }
  }
  const { lines, columns } = await open().catch((cause: unknown) => {
    throw asMalformed(cause)
  })
  async function* readDays() {
    // The file may be a day ahead, where it is tomorrow already.
    let before = addDays(dateInZone(ctx.now, 'UTC'), 2)
    try {
      for await (const line of lines) {
        const day = dayOfLine(line, columns, { before, wanted })
        before = day.date
        yield day
      }
    } catch (cause) {
      throw asMalformed(cause)
    }
  }
  return { columns, days: readDays() }
}

/** Stores what a file has filled so far. */
function filledBy(
  ctx: Context,
  filling: Filling,
  { file, unknown }: { file: string; unknown: string[] },
): Change {
  const { rates, spans } = filling.take()
  const rows = rates.map((rate) => ({ id: freshId(ctx, 'rate'), ...rate }))
  const pieces = Array.from({ length: Math.ceil(rows.length / ROWS_AT_ONCE) }, (_, at) =>
    rows.slice(at * ROWS_AT_ONCE, (at + 1) * ROWS_AT_ONCE),
  )
  const days = spans.flatMap(({ from, through }) => [from, through]).toSorted()
  const [firstDate, lastDate] = [days[0], days.at(-1)]
  return {
    statements: [
      ...pieces.map((piece) => storeFetched(piece, ctx.now)),
      ...storeCoverage(spans, ctx.now),
    ],
    events:
      firstDate === undefined || lastDate === undefined
        ? []
        : [
            systemRatesEvents.filled(OF_RATES, {
              ...{ from: REFERENCE_CURRENCY, file, unknown, rates: rates.length },
              ...{ firstDate, lastDate },
            }),
          ],
  }
}
