import { AppError, resultOrRefusal } from '../../../domain/errors.ts'
import { checkSchedule } from '../../../domain/schedules/schedules.ts'
import type { Check } from '../../../domain/stored-values.ts'
import { changeFields } from './occurrences/occurrences.contract.ts'
import { CreateRecurringRequest } from './recurring.contract.ts'
import { z } from '@hono/zod-openapi'

const Definition = CreateRecurringRequest.omit({
  ...{ name: true, purpose: true, mode: true, active: true, from: true, transactionIds: true },
})

/** Checks the stored definition of an item: it may come from an archive of anybody. */
export const storedDefinition: Check = (value) => {
  const { success, data } = Definition.safeParse(value)
  return success && (data.schedule === null || isSound(data.schedule))
}

const isSound = (schedule: Parameters<typeof checkSchedule>[0]): boolean =>
  !(resultOrRefusal(() => checkSchedule(schedule)) instanceof AppError)

const Changes = z.strictObject(changeFields)

/** Checks the stored changes of an occurrence, likewise. */
export const storedChanges: Check = (value) => Changes.safeParse(value).success

const Spans = z.array(z.tuple([z.iso.date(), z.iso.date()])).max(60)

export const storedRests: Check = (value) => Spans.safeParse(value).success

const Ids = z.array(z.string().regex(/^acc_/).max(64)).max(200)

export const storedAccountIds: Check = (value) => Ids.safeParse(value).success
