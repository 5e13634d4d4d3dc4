import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runDev, type NodeProcess, temporaryFolder } from '../support/running.ts'

/** The operation that is tried out. */
const OPERATION = { tag: 'Accounts', operationId: 'getUserAccounts' }

const data = temporaryFolder()
let service: NodeProcess
let browser: Browser
let page: Page

beforeAll(async () => {
  service = await runDev(data.path)
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
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
  page = await browser.newPage({ viewport: { width: 1280, height: 1400 } })
})

afterAll(async () => {
  await browser?.close()
  await service?.stop()
  data.remove()
})

it('says where it runs and nothing that a newcomer would stumble over', () => {
  expect(service.said()).toContain(`${service.url}/swagger/index.html`)
  const [greeting] = service.said().split('Stop it with')
  expect(greeting).not.toMatch(/warn|error|deprecat|telemetry|wrangler/i)
})

it('tries out an operation in the browser, with nothing from elsewhere', async () => {
  const foreign: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== service.url) {
      foreign.push(request.url())
    }
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))

  await page.goto(`${service.url}/swagger/index.html`)
  await page.getByRole('button', { name: 'Authorize' }).first().click()
  const dialog = page.locator('.auth-container').filter({ hasText: 'BearerAuth' })
  await dialog.getByRole('textbox').fill(await tokenOfNewUser())
  await dialog.getByRole('button', { name: 'Apply credentials' }).click()
  await page.getByRole('button', { name: 'Close' }).first().click()

  await page.locator(`#operations-tag-${OPERATION.tag}`).click()
  const operation = page.locator(`#operations-${OPERATION.tag}-${OPERATION.operationId}`)
  await operation.locator('.opblock-summary-control').click()
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
})

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
