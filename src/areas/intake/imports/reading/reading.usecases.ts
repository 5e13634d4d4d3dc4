import type { SourceItem, SourceRow } from '../../../../domain/bank-files/source.ts'
import {
  type FileFormat,
  type Reading,
  bankFileErrors,
} from '../../../../domain/bank-files/format.ts'
import { noRows, type RowCounts } from '../../../../domain/imports/counts.ts'
import { compareWithStored } from '../../../../domain/imports/reading.ts'
import { foundWithin } from '../../../../domain/imports/wanting.ts'
import type {
  FileComparison,
  StoredMatches,
  ComparisonOutcome,
  Piece,
} from '../../../../domain/imports/passes.ts'
import { type SettledRow, settleRow } from '../../../../domain/imports/rows.ts'
import { findContinuations } from '../../../../domain/imports/continuing.ts'
import { forEachInSteps } from '../../../../domain/steps.ts'
import { type Decision, VERDICTS } from '../../../../domain/imports/verdicts.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { digestsOf } from '../../../../platform/secrets/crypto.ts'
import { pauseRegularly, runWithPauses } from '../../../../platform/work/pauses.ts'
import type { SchemeOfAccount } from '../../../../domain/imports/trust.ts'
import type { AccountView } from '../../../money/accounts/accounts.public.ts'
import type { StoredChunk } from '../imports.queries.ts'
import { MOST_ACCOUNTS, MOST_ROWS, MOST_STATEMENTS, PIECE_ROWS } from '../imports.rules.ts'
import { foreseenLeftOut, type LeftOut } from '../booking/outcomes.rules.ts'
import { bytesOfRows, type ReadRow } from '../rows/pieces.rules.ts'
import { whyIgnored, dropping, isUnlikely, unlikelyDays, type Busy } from './outcomes.rules.ts'
import { asMeant, IGNORE, type Targets, targetsOf } from './accounts.rules.ts'
import { type Compared, findWanted, isOfOneTrip, lookUp, lookUpAll } from './lookups.usecases.ts'
import {
  type CheckedStatement,
  gapWarnings,
  statedIn,
  watchStatements,
} from './statements.usecases.ts'
import { type SourceFile, type Surveyed, textOfFile } from './survey.usecases.ts'

export type NewChunk = Omit<StoredChunk, 'importId' | 'objectKey' | 'counts'> & {
  counts: RowCounts
  leftOut: LeftOut[] | null
}

/** The findings of a whole reading. */
export interface ReadingResult {
  chunks: NewChunk[]
  comparison: ComparisonOutcome
  checks: CheckedStatement[]
  warnings: Surveyed['warnings']
  rowsByAccount: Map<string, number>
  targets: Targets
  backwards: boolean
}

export interface ReadWishes {
  views: AccountView[]
  untrusted: SchemeOfAccount[]
  hasPayees: boolean
  importId: string
  /** Rows beyond which the reading stops. */
  mostRows: number
  /** Counts what reading computes. */
  busy: Busy
  /** Called with the number of rows that are read, and when the rows are compared. */
  tell: (rows: number, step: 'reading' | 'comparing') => Promise<unknown>
}

/** The items that are settled before the next pause. */
const STEP_ITEMS = 200

export class TooManyForNow extends Error {}

/** Reads a file whose questions are all answered, and gives its rows as lines. */
export class ReadingPass {
  readonly #ctx: SignedIn
  readonly #file: SourceFile
  readonly #surveyed: Surveyed
  readonly #wishes: ReadWishes
  readonly #reading: FileComparison
  readonly #targets: Targets
  readonly #statements = watchStatements()
  readonly #pause = pauseRegularly()
  readonly #chunks: NewChunk[] = []
  readonly #warnings: Surveyed['warnings'] = []
  readonly #rowsByAccount = new Map<string, number>()
  /** The verdict of each row, by its place in `VERDICTS`. */
  #verdicts = new Uint8Array(4096)
  #rows = 0
  #accounts = 0
  #unlikely = 0
  #offset = 0

  constructor(ctx: SignedIn, file: SourceFile, surveyed: Surveyed, wishes: ReadWishes) {
    this.#ctx = ctx
    this.#file = file
    this.#surveyed = surveyed
    this.#wishes = wishes
    const { views } = wishes
    this.#targets = targetsOf(surveyed.accounts, views)
    const lockedThrough = new Map(views.map(({ account }) => [account.id, account.lockedThrough]))
    this.#reading = compareWithStored({
      hash: digestsOf,
      untrusted: wishes.untrusted,
      matching: surveyed.mapping.matching ?? 'usual',
      isLocked: (accountId, date) => date <= (lockedThrough.get(accountId) ?? ''),
    })
  }

  /** The rows, a piece at a time, as they are stored. */
  async *lines(): AsyncGenerator<Uint8Array> {
    const { format, mapping, survey } = this.#surveyed
    const reader = (format as FileFormat).read(mapping as Reading, survey)
    let piece: SettledRow[] = []
    const pieces = async function* (this: ReadingPass, items: SourceItem[]) {
      for (const [index, item] of items.entries()) {
        if (index % STEP_ITEMS === 0) {
          await this.#pause()
        }
        const row = this.#take(item)
        if (row) {
          piece.push(row)
        }
        if (piece.length === PIECE_ROWS) {
          yield* this.#store(piece)
          piece = []
        }
      }
    }.bind(this)
    for await (const text of textOfFile(this.#file, mapping.encoding ?? 'utf-8')) {
      yield* pieces(await this.#wishes.busy(() => reader.push(text)))
    }
    for (;;) {
      const items = await this.#wishes.busy(() => reader.finish?.())
      if (!items) {
        break
      }
      yield* pieces(items)
    }
    yield* pieces(await this.#wishes.busy(() => reader.end()))
    if (piece.length > 0) {
      yield* this.#store(piece, true)
    }
  }

  /** Finds the remaining facts once all rows have passed. */
  async end(): Promise<ReadingResult> {
    await this.#wishes.tell(this.#rows, 'comparing')
    const wanted = await runWithPauses(
      this.#reading.wanted(this.#statements.coverage(this.#targets)),
      this.#pause,
    )
    const checks = this.#statements.checks(this.#targets)
    const { closings, decidedRows, ...found } = this.#foreseen
      ? foundWithin(wanted, this.#foreseen)
      : await findWanted(this.#ctx, wanted, this.#wishes.views, this.#whose(checks))
    this.#warnings.push(
      ...dropping(decidedRows),
      ...unlikelyDays(this.#unlikely),
      ...gapWarnings(checks, closings),
    )
    const stated = statedIn(closings, checks)
    const continued = findContinuations(checks, closings)
    const comparison = await runWithPauses(
      this.#reading.compare({ ...found, stated, continued }),
      this.#pause,
    )
    const recounting = forEachInSteps(comparison.decisions, (one) => this.#recount(one))
    await runWithPauses(recounting, this.#pause)
    const [first] = this.#chunks
    const last = this.#chunks.at(-1)
    return {
      chunks: this.#chunks,
      comparison,
      checks,
      warnings: this.#warnings,
      rowsByAccount: this.#rowsByAccount,
      targets: this.#targets,
      backwards:
        (first?.newest ?? '') > (last?.newest ?? '') ||
        (this.#firstDate ?? '') > (this.#lastDate ?? ''),
    }
  }

  #firstDate: string | undefined
  #lastDate: string | undefined

  #take(item: SourceItem): SettledRow | undefined {
    if (item.is === 'row') {
      return this.#settle(item.row)
    }
    if (item.is === 'account') {
      this.#accounts += 1
      requireFew(this.#accounts, MOST_ACCOUNTS)
    } else if (item.is === 'statement') {
      requireFew(this.#statements.begin(item.statement), MOST_STATEMENTS)
    } else if (item.is === 'statementEnd') {
      this.#statements.end(item.index, item.statement)
    } else {
      this.#warnings.push(item.warning)
    }
    return undefined
  }

  #settle(source: SourceRow): SettledRow {
    const { mapping, format } = this.#surveyed
    const at = this.#rows++
    if (this.#rows > MOST_ROWS) {
      throw bankFileErrors.tooManyRows({ limit: MOST_ROWS })
    }
    if (this.#rows > this.#wishes.mostRows) {
      throw new TooManyForNow()
    }
    this.#unlikely += isUnlikely(source) ? 1 : 0
    const target = this.#targets.get(source.account)
    const isLeftOut = target === undefined || target === IGNORE
    const ignored =
      source.ignored ?? (isLeftOut ? 'accountIgnored' : whyIgnored(source, mapping, this.#isOwn))
    const account = isLeftOut ? { id: '', currency: this.#currencyOf(source) } : target
    const said = {
      ...asMeant(source, account.currency, this.#surveyed),
      ...(ignored && { ignored }),
    }
    const row = settleRow(said, at, account, format?.key ?? 'csv')
    const { transfer: side, parts } = row.source
    const other = side && this.#ownId(side.account)
    if (other !== undefined) {
      row.transferAccountId = other
    }
    if (parts.some(({ transfer }) => transfer !== undefined)) {
      row.partAccountIds = parts.map(({ transfer }) => transfer && this.#ownId(transfer))
    }
    this.#rowsByAccount.set(source.account, (this.#rowsByAccount.get(source.account) ?? 0) + 1)
    return row
  }

  /** The likely currency of a row that goes to no account: nothing is booked by it. */
  #currencyOf({ account, currency }: SourceRow): string {
    const { accounts, mapping } = this.#surveyed
    const named = accounts.find(({ key }) => key === account)?.currency
    const [other] = [...this.#targets.values()].flatMap((one) => (one === IGNORE ? [] : [one]))
    return currency ?? named ?? mapping.currency ?? other?.currency ?? 'XXX'
  }

  /** True if the file is an export of this service. */
  get #isOwn(): boolean {
    const { format, mapping } = this.#surveyed
    return format?.key === 'coffer' || mapping.builtIn === 'coffer'
  }

  #ownId(key: string): string | undefined {
    const target = this.#targets.get(key)
    return target === undefined || target === IGNORE ? undefined : target.id
  }

  #whose(checks: CheckedStatement[]) {
    const accountIds = [...new Set(checks.map(({ accountId }) => accountId))]
    return { importId: this.#wishes.importId, accountIds }
  }

  /** The stored rows for a file of one piece, found in the trip that looks up its rows. */
  #foreseen: Compared | undefined

  async #lookUp(piece: Piece, isLast: boolean): Promise<StoredMatches> {
    const { views, hasPayees } = this.#wishes
    if (isLast && this.#chunks.length === 0) {
      const wanted = this.#reading.foresee(piece, this.#statements.coverage(this.#targets))
      if (isOfOneTrip(wanted)) {
        const whose = this.#whose(this.#statements.checks(this.#targets))
        const { known, found } = await lookUpAll(this.#ctx, piece, wanted, {
          views,
          hasPayees,
          ...whose,
        })
        this.#foreseen = found
        return known
      }
    }
    return lookUp(this.#ctx, piece, hasPayees)
  }

  async *#store(rows: SettledRow[], isLast = false): AsyncGenerator<Uint8Array> {
    await this.#pause()
    const piece = this.#reading.identify(rows)
    await this.#pause()
    this.#statements.add(
      rows,
      piece.identities.map((identity) => identity?.occurrence),
    )
    const decisions = this.#reading.decide(piece, await this.#lookUp(piece, isLast))
    await this.#pause()
    const counts = noRows()
    const read = rows.map((row, index): ReadRow => {
      const found = decisions[index] as Decision
      const identity = piece.identities[index]
      counts.rows += 1
      counts[found.verdict] += 1
      this.#remember(row.at, found)
      return { row, ...(identity ? { identity } : {}), found }
    })
    const start = this.#offset
    for (const bytes of bytesOfRows(read)) {
      this.#offset += bytes.byteLength
      yield bytes
      await this.#pause()
    }
    const dates = rows.flatMap(({ date, ignored }) =>
      date === undefined || ignored !== undefined ? [] : [date],
    )
    this.#firstDate ??= dates[0]
    this.#lastDate = dates.at(-1) ?? this.#lastDate
    this.#chunks.push({
      number: this.#chunks.length,
      offset: start,
      length: this.#offset - start,
      firstRow: (rows[0]?.at ?? 0) + 1,
      rows: rows.length,
      firstLine: rows[0]?.source.line ?? 0,
      ...{ counts, leftOut: foreseenLeftOut(read) },
      oldest: dates.reduce<string | null>((a, b) => (a === null || b < a ? b : a), null),
      newest: dates.reduce<string | null>((a, b) => (a === null || b > a ? b : a), null),
    })
    await this.#wishes.tell(this.#rows, 'reading')
  }

  #remember(at: number, { verdict }: Decision): void {
    if (at >= this.#verdicts.length) {
      const grown = new Uint8Array(this.#verdicts.length * 2)
      grown.set(this.#verdicts)
      this.#verdicts = grown
    }
    this.#verdicts[at] = VERDICTS.indexOf(verdict)
  }

  #recount(decision: Decision): void {
    const counts = this.#chunks[Math.floor(decision.at / PIECE_ROWS)]?.counts
    const before = VERDICTS[this.#verdicts[decision.at] ?? 0]
    if (counts && before) {
      counts[before] -= 1
      counts[decision.verdict] += 1
    }
    this.#remember(decision.at, decision)
  }
}

function requireFew(count: number, limit: number): void {
  if (count > limit) {
    throw bankFileErrors.tooManyAccounts({ limit })
  }
}
