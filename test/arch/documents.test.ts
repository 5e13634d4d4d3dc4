import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { brokenLinks } from '../support/links.ts'
import { DESCRIPTION, PAGES } from '../../src/http/registry.ts'

const read = (path: string) => readFileSync(inProject(path), 'utf8')

const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: inProject('.') })

it('documents link only to files and sections that exist', () => {
  expect(documents.length).toBeGreaterThan(80)
  const broken = documents.flatMap((path) =>
    brokenLinks(path, read(path)).map((fault) => `${path}: ${fault}`),
  )
  expect(broken).toEqual([])
})

it('every document below docs is in its index', () => {
  const index = read('docs/README.md')
  const unlisted = documents.filter(
    (path) => /^docs\/(?!adr\/|README)/.test(path) && !index.includes(`](${path.slice(5)})`),
  )
  expect(unlisted).toEqual([])
})

it('docs/scripts.md lists every script', () => {
  const page = read('docs/scripts.md')
  const { scripts } = JSON.parse(read('package.json')) as { scripts: object }
  const unlisted = Object.keys(scripts).filter(
    (name) => !page.includes(`| \`npm ${['start', 'test'].includes(name) ? '' : 'run '}${name}`),
  )
  expect(unlisted).toEqual([])
})

it('documents name only operations that exist', () => {
  const { paths } = JSON.parse(read('openapi.json')) as { paths: Record<string, object> }
  const pages = [...Object.values(PAGES), DESCRIPTION].map((path) => [path, { get: {} }] as const)
  const known = [...Object.entries(paths), ...pages].flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`.split('/')),
  )
  const isKnown = (named: string[]) =>
    known.some(
      (parts) =>
        parts.length === named.length &&
        parts.every((part, at) => part === named[at] || part.startsWith('{')),
    )
  // Decisions name what was there at their time, and the list of errors what clients take for operations.
  const current = documents.filter((path) => !/adr\/|errors/.test(path))
  const unknown = current.flatMap((path) =>
    [...read(path).matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^\s`?]*)/g)]
      .filter(([, named = '']) => !isKnown(named.split('/')))
      .map(([, named]) => `${path}: ${named}`),
  )
  expect(unknown).toEqual([])
})
