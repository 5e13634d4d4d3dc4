import type { AccountType } from '../../src/areas/money/accounts/accounts.rules.ts'

// Who lives in the demo household, and what a month of theirs looks like.

interface PlannedAccount {
  key: string
  name: string
  type: AccountType
  currency: string
  openingBalance: string
  institution?: string
  creditLimit?: string
  interestRate?: string
}

interface Spending {
  account: string
  category: string
  descriptions: readonly string[]
  /** Minor units, from least to most. */
  amount: readonly [number, number]
  perMonth: number
  /** Every so many of them are split with this second category. */
  splitWith?: string
}

interface Fixed {
  kind: 'income' | 'expense'
  account: string
  category: string
  description: string
  day: number
  minor: number
}

interface Move {
  from: string
  to: string
  description: string
  day: number
  minor: number
  /** What arrives, where the currencies differ. */
  toMinor?: number
  /** What it is for, as a budget sees it. */
  category?: string
}

/** What something off budget is worth, said every half year. */
interface Worth {
  account: string
  minor: number
  /** What it gains, or loses, from one time to the next. */
  step: number
}

export interface Person {
  email: string
  name: string
  about: string
  isAdmin?: boolean
  accounts: readonly PlannedAccount[]
  spending: readonly Spending[]
  fixed: readonly Fixed[]
  moves: readonly Move[]
  folders: readonly { name: string; accounts: readonly string[] }[]
  worth: readonly Worth[]
}

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
  moves: [
    {
      from: 'everyday',
      to: 'savings',
      description: 'Set aside',
      day: 26,
      minor: 40_000,
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
  moves: [],
  folders: [],
  worth: [],
}

export const HOUSEHOLD: readonly Person[] = [admin, one, two]

/** What the two let each other see, and change. */
export const SHARED = [
  { by: 'one', account: 'savings', permission: 'view' },
  { by: 'one', account: 'flat', permission: 'manage' },
  { by: 'two', account: 'reserve', permission: 'write' },
] as const
