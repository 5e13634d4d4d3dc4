import { expect, it } from 'vitest'
import { type ErrorBody, fetchRaw } from '../support/api.ts'
import { described } from '../support/described.ts'
import { pathOfNobody } from '../support/foreign-ids.ts'
import { newAdmin } from '../support/world.ts'

// A parameter that an operation does not have is a mistake, such as a filter that is spelt wrong.

/** What the provider sends is judged by the library of the protocol. */
const OPEN = ['returnFromProvider']

type Refused = Partial<ErrorBody> & { issues?: { field?: string }[] }

const NAME = 'unheardOf'

it('refuses parameters that an operation does not have', async () => {
  const { accessToken } = await newAdmin()
  const taken: string[] = []
  for (const operation of described) {
    const { operationId, method, body } = operation
    const type = Object.keys(body ?? {})[0]
    const response = await fetchRaw(`${pathOfNobody(operationId)}?${NAME}=1`, {
      method: method.toUpperCase(),
      redirect: 'manual',
      headers: {
        Authorization: `Bearer ${accessToken}`,
        ...(type === undefined ? {} : { 'Content-Type': type }),
      },
      ...(type === undefined ? {} : { body: '{}' }),
    })
    const { code, issues = [], field } = JSON.parse((await response.text()) || '{}') as Refused
    if (code !== 'request.invalid' || ![...issues, { field }].some((one) => one.field === NAME)) {
      taken.push(operationId)
    }
  }
  expect(taken).toEqual(OPEN)
})
