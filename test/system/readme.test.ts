import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { startService } from '../support/releases.ts'

const readme = readFileSync(inProject('README.md'), 'utf8')

/** The shell blocks of a text, each with the answer that stands right below it. */
function stepsIn(section: string): { script: string; answer: string | undefined }[] {
  const blocks = [...section.matchAll(/```(sh|json)\n(.*?)```/gs)]
  return blocks.flatMap(([, language, text = ''], at) => {
    const next = blocks[at + 1]
    const answer = next?.[1] === 'json' ? next[2] : undefined
    return language === 'sh' ? [{ script: text, answer }] : []
  })
}

/** What is shown must be there; a text that ends in … shows only how it begins. */
function likely(shown: unknown): unknown {
  if (typeof shown === 'string' && shown.endsWith('…')) {
    return expect.stringMatching(new RegExp(`^${shown.slice(0, -1)}`))
  }
  if (Array.isArray(shown)) {
    return shown.map(likely)
  }
  if (typeof shown === 'object' && shown !== null) {
    const fields = Object.entries(shown).map(([key, value]) => [key, likely(value)])
    return expect.objectContaining(Object.fromEntries(fields))
  }
  return shown
}

it.each([
  ['the quick start', readme.split('## Quick start')[1]?.split('\n## ')[0] ?? '', 10],
  ['docs/topics/clients.md', readFileSync(inProject('docs/topics/clients.md'), 'utf8'), 9],
  ['docs/topics/budgets.md', readFileSync(inProject('docs/topics/budgets.md'), 'utf8'), 6],
])('has in %s what answers as it is written', async (_, text, answers) => {
  const steps = stepsIn(text)
  expect(steps.filter(({ answer }) => answer)).toHaveLength(answers)
  const service = await startService({ variables: { REGISTRATION: 'open' } })
  try {
    const script = steps.map((step) => step.script).join('\necho; echo "--- next"\n')
    const { stdout } = await promisify(execFile)('bash', [
      '-euc',
      `token=; unset TMPDIR\n${script.replace('http://localhost:8888', service.url)}`,
    ])
    const said = stdout.split('--- next').map((text) => text.trim())
    steps.forEach(({ answer }, at) => {
      if (answer) {
        expect(JSON.parse(said[at] ?? ''), steps[at]?.script).toEqual(likely(JSON.parse(answer)))
      }
    })
  } finally {
    await service.stop()
  }
})

it('lists every script', () => {
  const { scripts } = JSON.parse(readFileSync(inProject('package.json'), 'utf8')) as {
    scripts: object
  }
  const unlisted = Object.keys(scripts).filter(
    (name) => !readme.includes(`| \`npm ${['start', 'test'].includes(name) ? '' : 'run '}${name}`),
  )
  expect(unlisted).toEqual([])
})

it('and the other documents name no file that is not there', () => {
  const documents = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'docs/architecture.md',
    'docs/operating.md',
  ]
  for (const document of documents) {
    const text = readFileSync(inProject(document), 'utf8')
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path = '']) => path)
    const missing = links.filter((path) => !existsSync(join(inProject(document), '..', path)))
    expect(missing, document).toEqual([])
  }
})
