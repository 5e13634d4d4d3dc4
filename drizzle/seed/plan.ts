import type { Person } from './person.ts'

// Who lives in the demo household, and what a month of theirs looks like.

const one: Person = {
  email: 'one@coffer.example',
  name: 'Robin',
  about: 'First member',
  accounts: [
    {
      key: 'everyday',
      name: 'Everyday',
      type: 'checking',
      currency: 'EUR',
      openingBalance: '2450.80',
      institution: 'First National',
    },
    {
      key: 'savings',
      name: 'Rainy day',
      type: 'savings',
      currency: 'EUR',
      openingBalance: '8000',
      interestRate: '2.25',
    },
    { key: 'cash', name: 'Wallet', type: 'cash', currency: 'EUR', openingBalance: '60' },
    {
      key: 'card',
      name: 'Visa',
      type: 'creditCard',
      currency: 'EUR',
      openingBalance: '-120.50',
      creditLimit: '3000',
    },
    {
      key: 'car',
      name: 'Car loan',
      type: 'loan',
      currency: 'EUR',
      openingBalance: '-9600',
      interestRate: '4.9',
    },
    { key: 'flat', name: 'Flat', type: 'property', currency: 'EUR', openingBalance: '240000' },
    { key: 'tokyo', name: 'Tokyo', type: 'checking', currency: 'JPY', openingBalance: '180000' },
    {
      key: 'manama',
      name: 'Manama',
      type: 'investment',
      currency: 'BHD',
      openingBalance: '750.125',
    },
  ],
  spending: [
    {
      account: 'everyday',
      category: 'Groceries',
      descriptions: ['Market Hall', 'Corner Shop', 'Organic Store'],
      amount: [850, 9400],
      perMonth: 11,
      splitWith: 'Household',
      cashTo: 'cash',
    },
    {
      account: 'card',
      category: 'Dining',
      descriptions: ['Trattoria', 'Noodle Bar', 'Bistro'],
      amount: [1200, 6800],
      perMonth: 6,
    },
    {
      account: 'cash',
      category: 'Dining',
      descriptions: ['Coffee', 'Bakery', 'Ice cream'],
      amount: [180, 720],
      perMonth: 9,
    },
    {
      account: 'everyday',
      category: 'Transport',
      descriptions: ['Tram', 'Fuel', 'Parking'],
      amount: [240, 6500],
      perMonth: 5,
    },
    {
      account: 'card',
      category: 'Leisure',
      descriptions: ['Cinema', 'Books', 'Concert'],
      amount: [900, 5400],
      perMonth: 4,
    },
    {
      account: 'tokyo',
      category: 'Travel',
      descriptions: ['Ramen', 'Metro', 'Ryokan'],
      amount: [380, 18_000],
      perMonth: 3,
    },
    {
      account: 'manama',
      category: 'Fees',
      descriptions: ['Custody fee'],
      amount: [125, 980],
      perMonth: 1,
    },
  ],
  fixed: [
    {
      kind: 'income',
      account: 'everyday',
      category: 'Salary',
      description: 'Salary',
      day: 25,
      minor: 312_000,
    },
    {
      kind: 'expense',
      account: 'everyday',
      category: 'Rent',
      description: 'Service charge',
      day: 2,
      minor: 28_500,
    },
    {
      kind: 'expense',
      account: 'everyday',
      category: 'Utilities',
      description: 'City works',
      day: 5,
      minor: 11_240,
    },
    {
      kind: 'income',
      account: 'savings',
      category: 'Interest',
      description: 'Interest',
      day: 28,
      minor: 1512,
    },
  ],
  once: [
    // Two weeks in Japan, paid by card before and in yen there: more than the envelope holds.
    ...[
      { account: 'card', description: 'Flight', day: 3, minor: 94_000 },
      { account: 'tokyo', description: 'Shinkansen', day: 9, minor: 27_940 },
      { account: 'tokyo', description: 'Ryokan', day: 11, minor: 68_000 },
      { account: 'tokyo', description: 'Museum', day: 12, minor: 3_200 },
      { account: 'tokyo', description: 'Souvenirs', day: 15, minor: 18_450 },
    ].map((paid) => ({ ...paid, kind: 'expense' as const, category: 'Travel', monthsAgo: 7 })),
    {
      ...{ kind: 'expense', account: 'card', category: 'Leisure', monthsAgo: 3 },
      ...{ description: 'Festival', day: 18, minor: 31_000 },
    },
    {
      ...{ kind: 'income', account: 'card', category: 'Leisure', monthsAgo: 2 },
      ...{ description: 'Festival, day two cancelled', day: 6, minor: 15_500 },
    },
  ],
  moves: [
    {
      from: 'everyday',
      to: 'savings',
      description: 'Set aside',
      day: 26,
      minor: 100_000,
      category: 'Saving',
    },
    { from: 'everyday', to: 'cash', description: 'Cash machine', day: 3, minor: 12_000 },
    { from: 'everyday', to: 'card', description: 'Card settlement', day: 15, minor: 35_000 },
    { from: 'everyday', to: 'car', description: 'Instalment', day: 10, minor: 26_000 },
    {
      from: 'everyday',
      to: 'tokyo',
      description: 'To Tokyo',
      day: 12,
      minor: 15_000,
      toMinor: 24_300,
    },
  ],
  folders: [
    { name: 'Daily life', accounts: ['everyday', 'cash', 'card'] },
    { name: 'Far away', accounts: ['tokyo', 'manama'] },
  ],
  worth: [{ account: 'flat', minor: 242_500_00, step: 2_500_00 }],
}

const two: Person = {
  email: 'two@coffer.example',
  name: 'Sasha',
  about: 'Second member',
  accounts: [
    {
      key: 'current',
      name: 'Current',
      type: 'checking',
      currency: 'EUR',
      openingBalance: '1310.15',
      institution: 'Harbour Bank',
    },
    { key: 'purse', name: 'Purse', type: 'cash', currency: 'EUR', openingBalance: '45.20' },
    { key: 'reserve', name: 'Reserve', type: 'savings', currency: 'EUR', openingBalance: '3200' },
    {
      key: 'amex',
      name: 'Amex',
      type: 'creditCard',
      currency: 'EUR',
      openingBalance: '0',
      creditLimit: '2000',
    },
    { key: 'bike', name: 'Cargo bike', type: 'vehicle', currency: 'EUR', openingBalance: '3900' },
  ],
  spending: [
    {
      account: 'current',
      category: 'Groceries',
      descriptions: ['Discounter', 'Farmers’ market'],
      amount: [700, 7600],
      perMonth: 9,
      splitWith: 'Household',
      cashTo: 'purse',
    },
    {
      account: 'amex',
      category: 'Leisure',
      descriptions: ['Climbing', 'Museum', 'Streaming'],
      amount: [800, 4200],
      perMonth: 5,
    },
    {
      account: 'purse',
      category: 'Dining',
      descriptions: ['Lunch', 'Tea house'],
      amount: [350, 1650],
      perMonth: 10,
    },
    {
      account: 'current',
      category: 'Transport',
      descriptions: ['Train', 'Bike shop'],
      amount: [290, 4800],
      perMonth: 5,
    },
  ],
  fixed: [
    {
      kind: 'income',
      account: 'current',
      category: 'Salary',
      description: 'Salary',
      day: 27,
      minor: 226_000,
    },
    {
      kind: 'expense',
      account: 'current',
      category: 'Rent',
      description: 'Share of the rent',
      day: 1,
      minor: 64_000,
    },
  ],
  once: [],
  moves: [
    { from: 'current', to: 'purse', description: 'Cash machine', day: 4, minor: 15_000 },
    { from: 'current', to: 'amex', description: 'Card settlement', day: 18, minor: 15_000 },
    { from: 'current', to: 'reserve', description: 'Set aside', day: 28, minor: 20_000 },
  ],
  folders: [],
  worth: [{ account: 'bike', minor: 3_500_00, step: -350_00 }],
}

const admin: Person = {
  email: 'admin@coffer.example',
  name: 'Admin',
  about: 'Administrator',
  isAdmin: true,
  accounts: [
    { key: 'own', name: 'Own account', type: 'checking', currency: 'EUR', openingBalance: '100' },
  ],
  spending: [],
  fixed: [],
  once: [],
  moves: [],
  folders: [],
  worth: [],
}

export const HOUSEHOLD: readonly Person[] = [admin, one, two]

/** What the two let each other see, and change. */
export const SHARED = [
  { by: 'one', account: 'everyday', permission: 'view' },
  { by: 'one', account: 'savings', permission: 'view' },
  { by: 'one', account: 'flat', permission: 'manage' },
  { by: 'two', account: 'current', permission: 'view' },
  { by: 'two', account: 'reserve', permission: 'write' },
] as const
