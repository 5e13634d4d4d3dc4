/** What to know of each operation of budgets beyond its summary. */
export const BUDGETS: Record<string, string> = {
  listBudgets:
    'Lists the caller’s own budgets and those of their groups; `permission` says what the caller may do with each.',
  createBudget:
    'Only `name`, `mode` and `period` are required. Defaults: your base currency, your time zone, a start today, no lines, accounts `onBudget`, policy `surplus`, pending transactions count, not strict, and transfers do not count. An envelope budget has a payment line for each card from the beginning, and what its cash accounts held before it began is part of `opening`.',
  previewBudgetPeriods:
    'Stores nothing. Without `startsOn`, the first period is the one that contains today.',
  updateBudget:
    'Only the fields that are sent change; lists are replaced as a whole. The mode is fixed, the currency once an amount was set, the rule of the periods once amounts were set or a period is closed, and the start once a period is closed.',
  deleteBudget:
    'The budget can be restored from the trash for 30 days, with everything that was decided about it. No transaction changes.',
  getBudgetSummary:
    'Shows the period of each budget that is not archived, in the order of `GET /budget`: its sums, the lines that are overspent, and the alerts of the period. With `on` it is the period that contains that day, or the nearest one that the budget has.',
  getBudgetChart:
    'Draws what each line was assigned, has spent and has left, as an SVG image. Payment lines of cards are left out. The image has no scripts and loads nothing, so it can stand in a page as it is.',
  copyBudget:
    'Copies the settings, lines, policies, targets and thresholds; transactions and movements are not copied. With `amountsOf`, the first period of the copy gets the amounts of that period.',
  shareBudgetToGroup:
    'The budget then counts the accounts that are shared with the group, and private transactions in `private`.',
  unshareBudgetFromGroup: 'The budget becomes the caller’s own.',
  listBudgetLines:
    'Returns all lines at once, payment lines of cards last. Archived lines are included unless `archived` is false.',
  createBudgetLine:
    'The line counts in all open periods of the budget, also in those before it was created. In an envelope budget it counts categories, and no other line may name the same category. A line without categories groups the lines below it, or holds money that nothing is booked on. Amounts are set per period with `PUT /budget/{id}/period/{period}/allocation`; only limits have an `amount` for all periods.',
  updateBudgetLine:
    'Only the fields that are sent change. A new policy, cap or amount holds from the period `from` on, and periods before it keep theirs; what the line counts changes in all open periods. Of the payment line of a card only its looks can be changed.',
  deleteBudgetLine:
    'A line that had amounts is archived from the current period on: past periods keep it, and `archivedFrom` names the first period without it. Any other line is erased. With `reassignTo`, another line gets the categories and, in an envelope budget, the money; otherwise the money goes to the pool.',
  reorderBudgetLines:
    'Numbers the lines anew. `parents` moves lines below others in the same request.',
  suggestBudgetLines:
    'Suggests one line for all expense categories with the same name that no line counts yet. In the budget of a group these are categories of several people.',
  getLineHistory: 'Returns the line’s row in each period that it is in, for at most 120 periods.',
  setLineTarget:
    'Replaces the target as a whole. It changes no amounts: `needed` of the line in each period says what it asks for, and `POST /budget/{id}/period/{period}/assign` with `underfunded` assigns it. Envelope budgets only.',
  deleteLineTarget: 'What the line was assigned stays.',
  snoozeLineTarget:
    'The target asks for nothing in one period. Snoozing it in another period, or sending null, ends that.',
  listLineTransactions:
    'Returns the rows dated in the period that the line counts, newest first. `counted` adds up to the activity of the line, with three exceptions: late activity is listed in the period of its date, a payment line does not list the spending that `moved` sums up, and private transactions that count on a line by account or over everything are not listed in a group.',
  listBudgetPeriods:
    'Lists the periods from the first one to the current one, without their lines. Name later ones with `to`, or one period by a day with `on`.',
  getBudgetPeriod:
    'Calculates the figures from what is booked now, unless the period is closed. A future period is calculated as if nothing else were booked.',
  updateBudgetPeriod: 'Only the notes that are sent change, also in a closed period.',
  setAllocations:
    'Sets what each line is assigned in the period in total, not what is added. Either all items are stored or none. Assigning more than the pool has makes the pool negative, unless the budget is strict. In a budget of limits, `amount` sets the limit of this period only.',
  setAllocation:
    'Sets what the line is assigned in the period in total, not what is added. Assigning more than the pool has makes the pool negative, unless the budget is strict. In a budget of limits, `amount` sets the limit of this period only.',
  holdMoney:
    'Sets how much of the pool is held back in total. The next period has it in `fromBefore` again. Envelope budgets only.',
  assignMoney:
    'Changes many lines in one commit and answers only those that change. `underfunded` gives no more than `free`; the other methods may make the pool negative, unless the budget is strict. Send `dryRun` to see the result first. Envelope budgets only; budgets of limits can apply templates.',
  moveMoney:
    'Moves money that is assigned in this period from one line to another, or from or to the pool. Envelope budgets only.',
  listMovements: 'Lists everything that was assigned and moved, newest first, with who did it.',
  undoMovement:
    'Moves the money back as a new movement of kind `undo`. This is refused if the movement was undone before, or if the amounts were changed since and the line now has less than the movement gave it.',
  closeBudgetPeriod:
    'Freezes the figures of the oldest open period, after its last day. What is booked into it later counts in the first open period, as `lateActivity` of its line or as `latePool`.',
  reopenBudgetPeriod:
    'Reopens the newest closed period, so that its figures follow from what is booked again.',
  getBudgetForecast:
    'Projects spending to the end of the period, as if it went on at the same pace. Nothing is stored.',
  getBudgetByMember:
    'Shows who recorded what on lines by category, in a group or in a personal budget.',
  listBudgetAlerts:
    'Lists each threshold that a line reached, once for each line, period and threshold, with the figures of that moment. They are noticed in the background, soon after the booking.',
  listBudgetTemplates: 'Lists the templates in the order of their names.',
  createBudgetTemplate:
    'Send the lines with their amounts in `items`, or name a `period` whose amounts the template takes.',
  updateBudgetTemplate: 'Only the fields that are sent change; `items` is replaced as a whole.',
  deleteBudgetTemplate: 'Periods that the template was applied to keep their amounts.',
  applyBudgetTemplate:
    'Does the same as `POST /budget/{id}/period/{period}/assign` with the method `template`, and works for budgets of limits, too.',
}
