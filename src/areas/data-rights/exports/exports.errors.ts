import { errorTable } from '../../../domain/errors.ts'

export const exportErrors = errorTable('exports', {
  notFound: ['notFound', 'This export does not exist.'],
  underWay: ['conflict', 'Two of your exports are already being made. Wait until one is ready.'],
  tooMany: ['conflict', 'You already have {most} {what}, the maximum. Delete one first.'],
  notReady: ['conflict', 'This export is not ready yet. Wait for its job.'],
  notKept: ['conflict', 'This export failed or has expired. Create a new one.'],
  unknownAccount: [
    'invalid',
    'One of these accounts does not exist, or is not your own. Set `shared` to true to export accounts that are shared with you.',
  ],
  notInFormat: ['invalid', 'The format {format} cannot contain this. It can contain: {what}.'],
  notAnOption: ['invalid', 'The format {format} does not have this option. Leave it out.'],
  assertionsOfSome: [
    'invalid',
    'Balance assertions hold only if all transactions of an account are exported. Leave out {fields} of the scope, or the option `assertions`.',
  ],
  scheduleNotFound: ['notFound', 'There is no schedule for this format.'],
  notADay: [
    'invalid',
    'For a week, `day` must be 1 (Monday) to 7 (Sunday). Correct it, or send `month` as `every`.',
  ],
  restrictedSchedule: [
    'forbidden',
    'This personal access token is restricted to some accounts, but schedules may cover all of them. Sign in, or use a token for all accounts.',
  ],
  tokenIsRestricted: [
    'forbidden',
    'This personal access token is restricted to some accounts, but budgets cover all of them. Leave out `budgets`, or use a token for all accounts.',
  ],
})
