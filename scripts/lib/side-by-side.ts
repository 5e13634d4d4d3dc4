import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { inProject } from './project.ts'

/** A program of the project's packages, by its name and arguments. */
export type Program = readonly [name: string, ...args: string[]]

/**
 * Runs programs beside a main one, so that none waits while a processor is idle: one after the other, as all at once would
 * only be in each other's way. The main one prints as it goes; what the others print comes after it.
 * @returns whether all of them succeeded
 */
export async function runSideBySide(
  main: Program,
  others: Program[],
  variables: Record<string, string> = {},
): Promise<boolean> {
  const beside = inTurn(others, variables)
  const results = [await run(main, 'inherit', variables), ...(await beside)]
  for (const { program, code, printed } of results) {
    process.stdout.write(`${printed}${code === 0 ? '✓' : '✗'} ${program.join(' ')}\n`)
  }
  return results.every(({ code }) => code === 0)
}

async function inTurn(programs: Program[], variables: Record<string, string>) {
  const results: Awaited<ReturnType<typeof run>>[] = []
  for (const program of programs) {
    results.push(await run(program, 'pipe', variables))
  }
  return results
}

async function run(
  program: Program,
  output: 'inherit' | 'pipe',
  variables: Record<string, string>,
) {
  const [name, ...args] = program
  const child = spawn(inProject('node_modules/.bin', name), args, {
    cwd: inProject(),
    stdio: ['ignore', output, output],
    env: { ...process.env, ...variables },
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  }
  const [code] = (await once(child, 'close')) as [number | null]
  return { program, code, printed }
}
