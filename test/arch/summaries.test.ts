import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'

interface Described {
  paths: Record<string, Record<string, { operationId: string; summary: string }>>
}

// Not imported: types of all that it says take the checker three seconds.
const openapi = JSON.parse(readFileSync(inProject('openapi.json'), 'utf8')) as Described

const VERBS = new Set(
  `Abandon Accept Add Adjust Answer Apply Assign Attach Book Cancel Change Check Close Comment Confirm Convert Copy Count Create Decide
  Decline Delete Detach Detect Disable Dismiss Download Enable End Erase Exchange Export Fetch Find Finish Get Hide Hold Invite
  Join Leave Link List Make Mark Match Merge Move Open Order Preview Purge Recalculate Record Refresh Register Remove Rename
  Reopen Reorder Replace Request Resend Reset Restore Retry Return Revert Revoke Schedule Search Separate Set Share Sign Snooze Split
  Start Stop Suggest Test Transfer Undo Unlink Update Upload Validate Verify
  Withdraw`.split(/\s+/),
)

const summaries = Object.values(openapi.paths).flatMap((methods) =>
  Object.values(methods).map(({ operationId, summary }) => ({ operationId, summary })),
)

function faultOf(summary: string): string | undefined {
  const words = summary.split(' ')
  if (words.length < 2 || words.length > 8) {
    return `${words.length} words`
  }
  if (!VERBS.has(words[0] ?? '')) {
    return 'begins with no verb of the list'
  }
  return /[.,;:]/.test(summary) ? 'is more than a phrase' : undefined
}

it('sums up every operation by an imperative phrase of two to eight words', () => {
  expect(summaries.length).toBeGreaterThan(280)
  const faults = summaries.flatMap(({ operationId, summary }) => {
    const fault = faultOf(summary)
    return fault ? [`${operationId}: "${summary}" ${fault}`] : []
  })
  expect(faults).toEqual([])
})

it('finds a summary that is none', () => {
  expect(faultOf('One account')).toBe('begins with no verb of the list')
  expect(faultOf('List')).toBe('1 words')
  expect(faultOf('Move an account and all of its many transactions away')).toBe('10 words')
  expect(faultOf('List accounts, newest first')).toBe('is more than a phrase')
})

it('has no verb that no operation begins with', () => {
  const used = new Set(summaries.map(({ summary }) => summary.split(' ')[0] ?? ''))
  expect([...VERBS].filter((verb) => !used.has(verb))).toEqual([])
})
