import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'

const read = (file: string) => readFileSync(inProject(file), 'utf8')

/** The files of a booking, from the request down, as `docs/architecture.md` lists them. */
function walkIn(page: string): string[] {
  const [, after = ''] = page.split('`POST /transaction` in twelve files')
  const [, table = ''] = after.split('\n\n')
  return [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, file]) => `src/${file}`)
}

/** `[names, path]` of each `import { names } from 'path'` or `export { names } from 'path'`. */
const importsOf = (source: string, word: 'import' | 'export') =>
  [...source.matchAll(new RegExp(`^${word} (?:type )?\\{([^}]*)\\} from '(\\.[^']+)'`, 'gm'))].map(
    ([, names = '', path = '']) => ({
      names: names.split(',').map((name) => name.replace(/^\s*(?:type )?(\S+).*$/s, '$1')),
      path,
    }),
  )

/** The files that a file imports: through a public file, those that declare what it takes. */
function declaringFiles(file: string): string[] {
  return importsOf(read(file), 'import').flatMap(({ names, path }) => {
    const target = posix.join(posix.dirname(file), path)
    return target.endsWith('.public.ts')
      ? importsOf(read(target), 'export')
          .filter((exported) => exported.names.some((name) => name && names.includes(name)))
          .map((exported) => posix.join(posix.dirname(target), exported.path))
      : [target]
  })
}

const upwards = (walk: string[]) =>
  walk.flatMap((file, place) =>
    declaringFiles(file)
      .filter((target) => walk.slice(0, place).includes(target))
      .map((target) => `${file} imports ${target}`),
  )

const walk = walkIn(read('docs/architecture.md'))

it('is a walk of twelve files (ADR 0055)', () => {
  expect(walk).toHaveLength(12)
})

it('goes in one direction', () => {
  expect(upwards(walk)).toEqual([])
  expect(upwards(walk.toReversed())).not.toEqual([])
})

it('misses no step: each file is imported by one above it', () => {
  const reached = walk
    .slice(1)
    .filter((file, place) =>
      walk.slice(0, place + 1).some((above) => declaringFiles(above).includes(file)),
    )
  expect(reached).toEqual(walk.slice(1))
})
