/** Descriptions of the operations of budgets, by `operationId`. */
export const BUDGETS: Record<string, string> = {
  listBudgets:
    'Lists the caller’s own budgets and those of their groups; `permission` says what the caller may do with each.',
  createBudget:
    'Only `name`, `mode` and `period` are required. By default, a budget has your base currency and time zone, starts today, has no lines, the accounts `onBudget` and the policy `surplus`, counts pending transactions, is not strict, and does not count transfers. An envelope budget has a payment line for each card from the beginning, and `opening` includes what its cash accounts held before it began.',
  previewBudgetPeriods:
    'Stores nothing. Without `startsOn`, the first period is the one that contains today.',
  updateBudget:
    'Only the fields that are sent change; lists are replaced as a whole. The mode is fixed, the currency once an amount was set, the rule of the periods once amounts were set or a period is closed, and the start once a period is closed.',
  deleteBudget:
    'The budget can be restored from the trash for 30 days, with its lines and amounts. No transaction changes.',
  getBudgetSummary:
    'Shows the period of each budget that is not archived, in the order of `GET /budget`: its sums, the lines that are overspent, and the alerts of the period. With `on`, it shows the period that contains that day, or else the nearest one.',
  getBudgetChart:
    'Draws what each line was assigned, has spent and has left, as an SVG image. Payment lines of cards are left out. The image has no scripts and loads nothing, so it can be part of a page as it is.',
  copyBudget:
    'Copies the settings, lines, policies, targets and thresholds; transactions and movements are not copied. With `amountsOf`, the first period of the copy gets the amounts of that period.',
  shareBudgetToGroup:
    'The budget then counts the accounts that are shared with the group, and private transactions in `private`.',
  unshareBudgetFromGroup: 'The budget becomes the caller’s own.',
  listBudgetLines:
    'Returns all lines at once, payment lines of cards last. Archived lines are included unless `archived` is false.',
  createBudgetLine:
    'The line counts in all open periods of the budget, also in those before it was created. In an envelope budget it counts categories, and no other line may name the same category. A line without categories groups the lines below it, or holds money without counting bookings. Amounts are set per period with `PUT /budget/{id}/period/{period}/allocation`; only limits have an `amount` for all periods.',
  updateBudgetLine:
    'Only the fields that are sent change. A new policy, cap or amount applies from the period `from` on, and earlier periods keep theirs; a new scope applies in all open periods. For the payment line of a card, only the note, order, color, icon, thresholds and parent line can change.',
  deleteBudgetLine:
    'A line that had amounts is archived from the current period on: past periods keep it, and `archivedFrom` names the first period without it. Any other line is erased. With `reassignTo`, another line gets the categories and, in an envelope budget, the money; otherwise the money goes to the pool.',
  reorderBudgetLines:
    'Numbers the lines anew. `parents` moves lines below others in the same request.',
  suggestBudgetLines:
    'Suggests one line for all expense categories with the same name that no line counts yet. In the budget of a group these are categories of several people.',
  getLineHistory: 'Returns the line’s row in each period that it is in, for at most 120 periods.',
  setLineTarget:
    'Replaces the target as a whole. It changes no amounts: `needed` of the line in each period shows how much is still to be assigned, and `POST /budget/{id}/period/{period}/assign` with `underfunded` assigns it. Envelope budgets only.',
  deleteLineTarget: 'The amounts that the line was assigned stay.',
  snoozeLineTarget:
    'The target needs nothing in the snoozed period. Snoozing another period, or sending null, ends the snooze.',
  listLineTransactions:
    'Returns the rows dated in the period that the line counts, newest first. `counted` adds up to the activity of the line, with three exceptions: late activity is listed in the period of its date, a payment line does not list the spending that `moved` sums up, and private transactions that count on a line by account or over everything are not listed in a group.',
  listBudgetPeriods:
    'Lists the periods from the first one to the current one, without their lines. Name later ones with `to`, or one period by a day with `on`.',
  getBudgetPeriod:
    'Calculates the figures from the current bookings, unless the period is closed. A future period is calculated as if nothing else were booked until then.',
  updateBudgetPeriod: 'Only the notes that are sent change, also in a closed period.',
  setAllocations:
    'Sets what each line is assigned in the period in total, not what is added. Either all items are stored or none. Assigning more than the pool has makes the pool negative, unless the budget is strict. In a budget of limits, `amount` sets the limit of this period only.',
  setAllocation:
    'Sets what the line is assigned in the period in total, not what is added. Assigning more than the pool has makes the pool negative, unless the budget is strict. In a budget of limits, `amount` sets the limit of this period only.',
  holdMoney:
    'Sets how much of the pool is held back in total. The held amount is part of `fromBefore` of the next period. Envelope budgets only.',
  assignMoney:
    'Changes many lines in one commit. The answer has only the lines that change. `underfunded` assigns no more than `free`; the other methods may make the pool negative, unless the budget is strict. Send `dryRun` to see the result first. Envelope budgets only; budgets of limits can apply templates.',
  moveMoney:
    'Moves money that is assigned in this period from one line to another, or from or to the pool. Envelope budgets only.',
  listMovements:
    'Lists all amounts that were assigned and moved, newest first, with the user who did it.',
  undoMovement:
    'Moves the money back as a new movement of kind `undo`. This is refused if the movement was undone before, or if the amounts were changed since and the line now has less than the movement gave it.',
  closeBudgetPeriod:
    'Freezes the figures of the oldest open period, after its last day. Later bookings in it count in the first open period, as `lateActivity` of their line or as `latePool`.',
  reopenBudgetPeriod:
    'Reopens the newest closed period, so that its figures are calculated from the bookings again.',
  getBudgetForecast:
    'Projects spending to the end of the period at the current pace. Nothing is stored.',
  getBudgetByMember:
    'Shows who recorded what on lines by category, in a group or in a personal budget. Late amounts of a closed period are not included.',
  listBudgetAlerts:
    'Lists the thresholds that lines reached, once for each line, period and threshold, with the figures of that moment. Alerts are created in the background, soon after the booking.',
  listBudgetTemplates: 'Lists the templates in the order of their names.',
  createBudgetTemplate:
    'Send the lines with their amounts in `items`, or name a `period` whose amounts the template takes.',
  updateBudgetTemplate: 'Only the fields that are sent change; `items` is replaced as a whole.',
  deleteBudgetTemplate: 'Periods that the template was applied to keep their amounts.',
  applyBudgetTemplate:
    'Does the same as `POST /budget/{id}/period/{period}/assign` with the method `template`, and works for budgets of limits, too.',
}
