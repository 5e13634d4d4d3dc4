import { checkCondition } from '../../../domain/conditions/check.ts'
import { readLine } from '../../../domain/conditions/line.ts'
import { AppError, resultOrRefusal } from '../../../domain/errors.ts'
import { exampleId } from '../../../domain/ids.ts'
import { spansNear } from '../reports/reports.public.ts'

/** The lists and reports that a saved view can show, each with the address that takes its parameters. */
export const VIEW_PATHS = {
  transactions: '/transaction',
  incomeStatement: '/report/income-statement',
  spending: '/report/spending',
  cashFlow: '/report/cash-flow',
  netWorthHistory: '/report/net-worth/history',
} as const

export type ViewOf = keyof typeof VIEW_PATHS

/** The maximum number of saved views of a user. */
export const MOST_VIEWS = 200

/** The query of a view as a request sends it. */
export type ViewParameters = Record<string, string | string[]>

/** The parameters that take several ids. */
const SEVERAL = new Set(['accountId', 'accountIds', 'categoryId', 'payeeId', 'tagId'])

const IDS = /^[a-z]{3}_[0-9a-z]{26}(?:,[a-z]{3}_[0-9a-z]{26})+$/

/** An id that a field of a line asks for. */
const ID_IN_LINE =
  /(?<=(?:^|\s)-?(?:account|payee|category|tag):(?:\S*,)?)([a-z]{3}_[0-9a-z]{26})(?=[,\s]|$)/i

/**
 * Makes JSON of checked parameters. Each id in it is a value of its own, also those of the condition and of the line, which is a list
 * of its pieces where it has any: so it can be looked for, and a restored backup renews it.
 */
export const storedParameters = (parameters: ViewParameters): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [
        name,
        typeof value === 'string' ? storedParameter(name, value) : value,
      ]),
    ),
  )

function storedParameter(name: string, value: string): unknown {
  if (name === 'condition') {
    return JSON.parse(value)
  }
  if (name === 'q') {
    const pieces = value.split(ID_IN_LINE)
    return pieces.length === 1 ? value : pieces
  }
  return SEVERAL.has(name) && IDS.test(value) ? value.split(',') : value
}

/** The query that was stored. */
export const parametersFrom = (json: string): ViewParameters =>
  Object.fromEntries(
    Object.entries(JSON.parse(json) as Record<string, unknown>).map(([name, value]) => [
      name,
      name === 'condition'
        ? JSON.stringify(value)
        : sentParameter(name, value as string | string[]),
    ]),
  )

const sentParameter = (name: string, value: string | string[]) =>
  name === 'q' && Array.isArray(value) ? value.join('') : value

/** The address of a view with its query, ready to be requested. */
export function pathOfView(of: ViewOf, parameters: ViewParameters): string {
  const query = new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    ),
  )
  return query.size === 0 ? VIEW_PATHS[of] : `${VIEW_PATHS[of]}?${query.toString()}`
}

/** True for a report whose span can have a name, which its schema does not check. */
export const hasNamedSpan = (of: ViewOf): boolean =>
  of === 'incomeStatement' || of === 'spending' || of === 'cashFlow'

/** The named accounts of a report, which must all be seen. */
export const accountsIn = ({ accountIds = [] }: ViewParameters): string[] =>
  [accountIds].flat().flatMap((ids) => ids.split(','))

/** True unless the span, the line or the condition is malformed. Names in the line may be gone. */
export const isReadable = (of: ViewOf, { q, condition, ...others }: ViewParameters): boolean =>
  !(
    resultOrRefusal(() => {
      if (hasNamedSpan(of)) {
        spansNear(others, 0)
      }
      if (typeof q === 'string') {
        readLine(q, { userId: exampleId('usr') })
      }
      if (typeof condition === 'string') {
        checkCondition(JSON.parse(condition))
      }
    }) instanceof AppError
  )
