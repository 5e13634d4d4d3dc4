import { coreOf, exampleId } from '../../src/domain/ids.ts'
import { operationOf } from './described.ts'
import { someId } from './of-file.ts'
import { pathWith } from './operations.ts'

/** Also an id within an id, and that of a part; not the code of a sign-in, which names its user here. */
export const ID = /\b(?!sic_)[a-z]{3,4}_(?:[a-z]{3}_)?[0-9a-z]{26}(?:-\w+)?/g

/** An id of the same form that nobody ever had. */
export const never = (id: string) => id.replace(coreOf(id.replace(/-.*/, '')), coreOf(someId('x')))

/** A thing as it is, but with ids that nobody ever had. */
export const withoutOwner = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value).replaceAll(ID, never)) as Value

/** The path of an operation to what nobody has. Each part of it has its form, so that it is not refused for that. */
export function pathOfNobody(operationId: string): string {
  const { path, parameters } = operationOf(operationId)
  const parts = parameters.map(({ name, schema: { example, pattern = '' } }) => {
    const [prefix] = /[a-z]+(?=_)/.exec(pattern) ?? []
    const id = prefix && `${exampleId(prefix)}${prefix === 'irw' ? '_1' : ''}`
    return [name, typeof example === 'string' ? example : (id ?? '1')]
  })
  return pathWith({ path }, Object.fromEntries(parts) as Record<string, string>)
}

/** An operation by its path. */
interface Template {
  path: string
}

/** What comes instead of an id, as it stands in a path. */
export const hostile = (own: string): string[] => [
  ...[
    '.',
    '..',
    '%2e%2e%2f',
    '%2e%2e',
    '%00',
    '%0a',
    '%0d%0a',
    '%25',
    '%2f',
    '%',
    '%zz',
    '%c0%af',
    '%ff',
  ],
  ...['0', '-1', '1', 'null', 'undefined', 'NaN', 'true', '[object Object]', 'home-page'],
  ...["'", '"', "' OR 1=1--", '*', '?', '#', '\\', '{id}', '__proto__', 'constructor'].map(
    encodeURIComponent,
  ),
  own.toUpperCase(),
  `${own}%20`,
  `%20${own}`,
  `${own}%00`,
  `${own}/x`,
  `${own}%2Fx`,
  `${own}%3Fx=1`,
  `${own},${own}`,
  `${own}0`,
  own.replace(/^[a-z]+/, 'req'),
  own.slice(0, -1),
  never(own),
  own.slice(4),
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '9223372036854775808',
  'x'.repeat(10_000),
  ...['😀', '\u200f', 'ａｃｃ＿１', `${own}\u0301`].map(encodeURIComponent),
]

/** Whether a path is that of another operation, as `/account/home-page` and what dots lead to. */
export function leadsElsewhere(
  operation: Template,
  path: string,
  all: readonly Template[],
): boolean {
  const { pathname } = new URL(path, 'http://coffer.test')
  const pattern = new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
  return pathname !== path || !pattern.test(pathname) || all.some((one) => one.path === pathname)
}
