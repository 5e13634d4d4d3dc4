import { errorTable } from '../../../domain/errors.ts'

export const budgetErrors = errorTable('budgets', {
  notFound: ['notFound', 'There is no such budget.'],
  notRestorable: [
    'conflict',
    'The budget cannot come back, because no budget like it could be created: {problem}. Create another one.',
  ],
  lineNotFound: ['notFound', 'There is no such line in this budget.'],
  unknownLine: ['invalid', 'There is no such line in this budget.'],
  noSuchPeriod: [
    'notFound',
    'No period of this budget has this nominal start or contains this day. The first period contains `startsOn`. List the periods with `on` to find the one of a day.',
  ],
  unknownPeriod: [
    'invalid',
    'No period of this budget has this nominal start. List its periods and send the `period` of one of them.',
  ],
  notACard: [
    'invalid',
    'Only accounts that owe money, such as credit cards, can have a payment line. Send `cash`, or leave the account out.',
  ],
  invalidStart: [
    'invalid',
    'The first period must begin after 1900-01-01 and end before 2201. Choose another day.',
  ],
  nameTaken: ['conflict', 'A budget with this name already exists. Choose another name.'],
  lineNameTaken: ['conflict', 'A line with this name already exists. Choose another name.'],
  categoryTaken: [
    'conflict',
    'Another line of this budget has this category. Take it off that line first.',
  ],
  unknownCategory: [
    'invalid',
    'This is not an expense category of a user whose accounts are in the budget. Choose another one.',
  ],
  unknownIncomeCategory: [
    'invalid',
    'This is not an income category of a user whose accounts are in the budget. Choose another one.',
  ],
  unknownAccount: [
    'invalid',
    'There is no such account, or the budget cannot count it. Choose one of its owner, or one that is shared with its owner or group.',
  ],
  otherAccounts: [
    'forbidden',
    'This personal access token is restricted to some accounts, but the budget would contain others, so the token could not see it. Choose accounts of the token with `accountIds`, or use a token for all accounts.',
  ],
  unknownScope: ['invalid', 'The line cannot count this: {problem}.'],
  unknownParent: [
    'invalid',
    'There is no such line in this budget, or it is below the line that you move. Choose another parent line.',
  ],
  tooDeep: ['invalid', 'Lines can be nested at most 5 levels deep. Choose another parent line.'],
  notInGroup: ['conflict', 'The budget belongs to no group, so it cannot be taken out of one.'],
  unknownGroup: ['invalid', 'You are not a member of a group with this id.'],
  wrongMode: [
    'conflict',
    '{what} is only for {other} budgets. The mode of this budget is `{mode}`.',
  ],
  fixed: ['conflict', '{what} of the budget cannot change: {why}.'],
  paymentLine: [
    'conflict',
    'The budget manages the payment line of a card itself. Change how the card is handled instead.',
  ],
  notPaymentLine: [
    'invalid',
    'Only the payment line of a card has `moved` rows. Send `activity` or `late`, or name another line.',
  ],
  periodClosed: ['conflict', 'The period is closed. Reopen it first, or choose a later one.'],
  notOldestOpen: ['conflict', 'Periods are closed in order. The oldest open one is {period}.'],
  notEnded: ['conflict', 'The period ends on {end}. Close it after that day.'],
  notNewestClosed: ['conflict', 'Only the newest closed period can be reopened. {newest}.'],
  stillShared: [
    'conflict',
    'This budget is shared with people. End its shares before you give it to a group.',
  ],
  groupReadOnly: [
    'forbidden',
    'You can only view this budget. Ask its owner, or the owner or an administrator of its group, for a higher permission.',
  ],
  mayNotManage: [
    'forbidden',
    'Only the owner of the budget can do this; in a group the owner, administrators and the member who created it.',
  ],
  groupSuspended: [
    'conflict',
    'The group of this budget is suspended. Ask an administrator of the service.',
  ],
  tooMany: ['conflict', '{what}.'],
  tooLong: [
    'conflict',
    'The periods of this budget are too many to calculate at once. Try again in some minutes, when the older ones are stored, or let the budget begin later.',
  ],
  notEnough: [
    'conflict',
    '{source} has only {available} {currency}. Use a smaller amount, or send `allowNegative`.',
  ],
  overAssigned: [
    'conflict',
    'The budget is strict, and the pool of this period or of a later one would become negative. Assign less.',
  ],
  changedMeanwhile: [
    'conflict',
    'Somebody else changed amounts of this budget at the same time. Try again.',
  ],
  closedPrivate: [
    'conflict',
    'Closed periods may count private transactions, which the group would see. Reopen these periods first.',
  ],
  invalidSpan: [
    'invalid',
    '`from` must not be after `to`, and there can be at most {most} periods. Choose other periods.',
  ],
  invalidTarget: ['invalid', 'The target is invalid: {problem}.'],
  unknownItem: [
    'invalid',
    'There is no such recurring item that the target can count. Name expenses or transfers with a schedule, on accounts of the budget.',
  ],
  noTarget: ['conflict', 'The line has no target. Set one first.'],
  templateNotFound: ['notFound', 'There is no such template of this budget.'],
  unknownTemplate: ['invalid', 'There is no such template of this budget.'],
  templateNameTaken: ['conflict', 'A template with this name already exists. Choose another name.'],
  movementNotFound: ['notFound', 'There is no such movement in this budget.'],
  nothingToCover: [
    'conflict',
    'The line or pool to cover is not negative. Send `amount` instead of `toCover`.',
  ],
  nothingToUndo: ['conflict', '{why}, so it cannot be undone. Move the money instead.'],
})
