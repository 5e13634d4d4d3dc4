import { readFileSync } from 'node:fs'
import { chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import tags from '../../src/http/description/tags.json' with { type: 'json' }
import { isProof } from '../support/rounds.ts'
import { runDev, type NodeProcess, temporaryFolder } from '../support/running.ts'

/** The operation that is tried out. */
const OPERATION = { tag: 'Accounts', operationId: 'getUserAccounts' }

const data = temporaryFolder()
let service: NodeProcess

beforeAll(async () => {
  // With nothing, as a newcomer does.
  service = await runDev(data.path)
})

afterAll(async () => {
  await service?.stop()
  data.remove()
})

it('says where it runs and nothing that a newcomer would stumble over', () => {
  expect(service.said()).toContain(`${service.url}/swagger/index.html`)
  const [greeting] = service.said().split('Stop it with')
  expect(greeting).not.toMatch(/warn|error|deprecat|telemetry|wrangler/i)
})

it('leads from its address to the page, and to the description', async () => {
  const front = await (await fetch(service.url)).text()
  expect(front).toContain('development build')
  const [first, second] = [...front.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href)
  expect([first, second]).toEqual(['/swagger/index.html', '/openapi.json'])
  const served = await (await fetch(`${service.url}/openapi.json`)).json()
  expect(served).toEqual(JSON.parse(readFileSync(inProject('openapi.json'), 'utf8')))
})

it('serves all that the page loads, and nothing from elsewhere', async () => {
  const page = await (await fetch(`${service.url}/swagger/index.html`)).text()
  const loaded = [...page.matchAll(/(?:src|href|url)(?:="|: ')([^"']+)/g)].map(([, url]) => url)
  const answers = await Promise.all(
    loaded.map(async (url = '') => {
      const { status, headers } = await fetch(new URL(url, service.url))
      return [url, status, headers.get('Content-Type')?.split(';')[0]]
    }),
  )
  expect(answers).toEqual([
    ['data:,', 200, 'text/plain'],
    ['/swagger/assets/swagger-ui-dist/swagger-ui.css', 200, 'text/css'],
    ['/swagger/assets/swagger-ui-dist/swagger-ui-bundle.js', 200, 'text/javascript'],
    ['/swagger/rendered.json', 200, 'application/json'],
  ])
})

/** Seconds of processor time that the page may take on its main thread. */
const LIMITS = { open: 2, operation: 0.5 }

// With a browser, which takes as long as a thousand other tests.
it.runIf(isProof)(
  'tries out an operation in the browser, soon and with nothing from elsewhere',
  async () => {
    const page = await openBrowser()
    const foreign: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== service.url) {
        foreign.push(request.url())
      }
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    const secondsOf = await stopwatch(page)

    const open = await secondsOf(async () => {
      await page.goto(`${service.url}/swagger/index.html`)
      await page.locator('.opblock-tag').first().waitFor()
    })
    await page.getByRole('button', { name: 'Authorize' }).first().click()
    const dialogs = page.locator('.auth-container')
    expect(await dialogs.count()).toBe(1)
    const dialog = dialogs.filter({ hasText: 'BearerAuth' })
    await dialog.getByRole('textbox').fill(await tokenOfNewUser())
    await dialog.getByRole('button', { name: 'Apply credentials' }).click()
    await page.getByRole('button', { name: 'Close' }).first().click()
    const areas = await page
      .locator('.opblock-tag')
      .evaluateAll((tags) => tags.map((tag) => tag.getAttribute('data-tag')))
    expect(areas).toEqual(tags.map(({ name }) => name))
    expect(await page.getByPlaceholder(/filter/i).count()).toBe(1)

    await page.locator(`#operations-tag-${OPERATION.tag}`).click()
    const operation = page.locator(`#operations-${OPERATION.tag}-${OPERATION.operationId}`)
    const opened = await secondsOf(async () => {
      await operation.locator('.opblock-summary-control').click()
      await operation.getByRole('button', { name: 'Execute' }).waitFor()
    })
    await operation.getByRole('button', { name: 'Execute' }).click()

    const answer = operation.locator('.live-responses-table .response').first()
    await answer.waitFor()
    await page.screenshot({ path: `${data.path}/swagger.png` })
    expect(await answer.locator('.response-col_status').innerText()).toContain('200')
    expect(JSON.parse(await answer.locator('.highlight-code code').innerText())).toEqual({
      accounts: [],
      count: 0,
    })
    expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] })
    expect(open).toBeLessThan(LIMITS.open)
    expect(opened).toBeLessThan(LIMITS.operation)
  },
)

/** Measures the processor time of the page's main thread, until it rests: a busy machine changes nothing in it. */
async function stopwatch(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const used = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN
  }
  const atRest = async () => {
    let before = -1
    let now = await used()
    while (now - before > 0.02) {
      await page.waitForTimeout(400)
      before = now
      now = await used()
    }
    return now
  }
  return async (act: () => Promise<void>) => {
    const before = await used()
    await act()
    return (await atRest()) - before
  }
}

async function openBrowser(): Promise<Page> {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  onTestFinished(() => browser.close())
  return browser.newPage({ viewport: { width: 1280, height: 1400 } })
}

async function tokenOfNewUser(): Promise<string> {
  const answer = await fetch(`${service.url}/auth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      email: 'newcomer@coffer.test',
      password: 'only for this one test',
      name: 'Ada',
    }),
  })
  return (await answer.json<{ accessToken: string }>()).accessToken
}
