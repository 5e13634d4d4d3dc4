/** The categories of each person. */
export const CATEGORIES = {
  income: ['Salary', 'Interest'],
  expense: [
    'Groceries',
    'Household',
    'Dining',
    'Housing',
    'Transport',
    'Leisure',
    'Travel',
    'Fees',
    'Saving',
  ],
  /** Under Housing. */
  housing: ['Rent', 'Utilities'],
} as const
