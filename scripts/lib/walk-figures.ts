import type { Profiler } from 'node:inspector'

/** The part of `src` that a walk executes. */
export interface Figures {
  files: number
  functions: number
}

/** The names of the executed functions by the file that declares them, such as `src/domain/ledger.ts`. */
export type Executed = Map<string, string[]>

/** A walk may grow by a tenth before somebody has to look at it. */
const GROWTH_PERCENT = 10

/**
 * Finds the functions of `src` that V8 has counted.
 * @param scripts what `Profiler.takePreciseCoverage` returns
 * @param root the URL of the project's folder, with a slash at its end
 */
export function executedIn(scripts: Profiler.ScriptCoverage[], root: string): Executed {
  const executed: Executed = new Map()
  for (const { url, functions } of scripts.filter((script) =>
    script.url.startsWith(`${root}src/`),
  )) {
    const names = functions.filter(isExecuted).map(({ functionName }) => functionName)
    if (names.length > 0) {
      executed.set(url.slice(root.length), names)
    }
  }
  return executed
}

/** The top level of a module has no name and begins at 0. It runs when the module is loaded, not for a request. */
const isExecuted = ({ functionName, ranges: [range] }: Profiler.FunctionCoverage) =>
  range !== undefined && range.count > 0 && (functionName !== '' || range.startOffset > 0)

export const figuresOf = (executed: Executed): Figures => ({
  files: executed.size,
  functions: [...executed.values()].reduce((sum, names) => sum + names.length, 0),
})

/** Says in sentences which figures of a walk have grown too much, and what to do. */
export function faultsOf(walk: string, found: Figures, recorded: Figures | undefined): string[] {
  if (!recorded) {
    return [`${walk} has no recorded figures. Record them with: npm run walks -- --record`]
  }
  return (['files', 'functions'] as const)
    .filter((unit) => found[unit] * 100 > recorded[unit] * (100 + GROWTH_PERCENT))
    .map(
      (unit) =>
        `${walk} executes ${found[unit]} ${unit}, more than ${GROWTH_PERCENT} % above the recorded ${recorded[unit]}. ` +
        `List them with: npm run walks -- --list '${walk}'. Leave out or merge what the operation does not need. ` +
        'If it needs all of it, run: npm run walks -- --record, and give the reason in the commit message.',
    )
}

/** The files that the first table below a text names, each at the beginning of its row, without `src/`. */
export function filesInTable(page: string, text: string): string[] {
  const [, after = ''] = page.split(text)
  const [, table = ''] = /\n\n(\|[\s\S]*?)\n\n/.exec(after) ?? []
  return [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, file]) => `src/${file}`)
}

/** Walks with their figures in columns, to be printed. */
export function tableOf(found: Record<string, Figures>, recorded: Record<string, Figures>): string {
  const rows = Object.entries(found).map(([walk, { files, functions }]) => {
    const { files: filesBefore = '-', functions: functionsBefore = '-' } = recorded[walk] ?? {}
    return [walk, files, functions, `${filesBefore} and ${functionsBefore}`]
  })
  return [['Walk', 'Files', 'Functions', 'Recorded'], ...rows]
    .map(
      ([walk, ...cells]) =>
        String(walk).padEnd(26) + cells.map((cell) => String(cell).padStart(12)).join(''),
    )
    .join('\n')
}
