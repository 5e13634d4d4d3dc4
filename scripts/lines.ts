/**
 * `npm run lines`: source lines for each operation, by area, the longest first. An area that is not among `HEAVY` may have 220 for each.
 */
import { globSync, readFileSync } from 'node:fs'
import { inProject } from './lib/project.ts'

const MOST = 220

/** Areas that had more when this was first measured. Only rules, recurring items, undo and the feed came after them, which are to become lighter. */
const HEAVY = new Set([
  ...['data-rights/backups', 'data-rights/exports', 'intake/imports', 'intake/suggestions'],
  ...['insight/audit-log', 'money/balance-assertions', 'money/categories', 'money/period-locks'],
  ...['money/reconciliations', 'money/rules', 'money/transactions', 'planning/budgets'],
  ...['planning/recurring', 'events/changes', 'events/change-feed'],
])

interface Size {
  lines: number
  operations: number
}

const sizes = new Map<string, Size>()
for (const file of globSync('src/areas/*/*/**/*.ts', { cwd: inProject('.') })) {
  const [, , district, area] = file.split('/')
  const text = readFileSync(inProject(file), 'utf8')
  const size = sizes.get(`${district}/${area}`) ?? { lines: 0, operations: 0 }
  size.lines += text.split('\n').length - 1
  size.operations += [...text.matchAll(/^export const \w+ = operation\(/gm)].length
  sizes.set(`${district}/${area}`, size)
}

const perOperation = ({ lines, operations }: Size) => Math.round(lines / operations)
const withOperations = [...sizes].filter(([, { operations }]) => operations > 0)
for (const [area, size] of withOperations.toSorted(
  ([, a], [, b]) => b.lines / b.operations - a.lines / a.operations,
)) {
  console.log(
    `${String(perOperation(size)).padStart(5)}  ${area} (${size.lines} lines, ${size.operations} operations)`,
  )
}
const all = globSync('src/**/*.ts', { cwd: inProject('.') })
const lines = all.reduce(
  (sum, file) => sum + readFileSync(inProject(file), 'utf8').split('\n').length - 1,
  0,
)
const operations = withOperations.reduce((sum, [, size]) => sum + size.operations, 0)
console.log(
  `${String(perOperation({ lines, operations })).padStart(5)}  all (${lines} lines, ${all.length} files, ${operations} operations)`,
)

const tooHeavy = withOperations.filter(
  ([area, size]) => perOperation(size) > MOST && !HEAVY.has(area),
)
for (const [area, size] of tooHeavy) {
  console.error(
    `${area} has ${perOperation(size)} lines for each operation: ${MOST} is the most for a new area.`,
  )
}
process.exitCode = tooHeavy.length === 0 ? 0 : 1
