import { expect } from 'vitest'
import type { Answer } from './api.ts'
import { type Service, serviceWith } from './service.ts'

/** Status and code of an error, which has the shape of the interface: an object whose values are all texts. */
export function refusal({ status, error }: Answer<unknown>): string {
  expect(status, JSON.stringify(error)).toBeGreaterThanOrEqual(400)
  const { issues: _, ...rest } = error
  expect(Object.entries(rest).filter(([, value]) => typeof value !== 'string')).toEqual([])
  expect(error).toMatchObject({ error: expect.any(String), requestId: expect.any(String) })
  return `${status} ${error.code}`
}

/** A service whose database fails for good. */
export const failingService = (): Service =>
  serviceWith({ aroundTrips: () => Promise.reject(new Error('the disk is gone')) })
