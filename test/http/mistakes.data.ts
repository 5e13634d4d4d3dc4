// Typical mistakes of clients, each with the answer. test/http/mistakes.test.ts makes them all; docs/errors.md shows them.

export interface Mistake {
  what: string
  /** Method and address; `{account}` and the like stand for what is there. */
  send: string
  json?: object
  /** Sent as it is. */
  body?: string
  headers?: Record<string, string>
  /** Status and code. */
  answer: string
  /** The messages of all issues, else of the error. */
  says: string[]
}

const expense = { kind: 'expense', accountId: '{account}', date: '2026-11-20', amount: '12.30' }

/** A new transaction with something wrong in it. */
const booked = (what: string, wrong: object, answer: string, ...says: string[]): Mistake => ({
  ...{ what, send: 'POST /transaction', json: { ...expense, ...wrong }, answer, says },
})

const asked = (what: string, send: string, answer: string, ...says: string[]): Mistake => ({
  ...{ what, send: `GET ${send}`, answer, says },
})

const account = (what: string, wrong: object, answer: string, ...says: string[]): Mistake => ({
  ...{ what, send: 'POST /account', answer, says },
  json: { name: 'Everyday', type: 'checking', currency: 'EUR', ...wrong },
})

const moved = (what: string, wrong: object, answer: string, ...says: string[]): Mistake => ({
  ...{ what, send: 'POST /transfer', answer, says },
  json: {
    ...{ fromAccountId: '{account}', toAccountId: '{yen}', date: '2026-11-20', amount: '10' },
    ...wrong,
  },
})

const INVALID = '400 request.invalid'
const JSON_TYPE = { 'Content-Type': 'application/json' }

export const mistakes: Mistake[] = [
  {
    ...{ what: 'No token', send: 'GET /account', headers: { Authorization: '' } },
    answer: '401 auth.required',
    says: ['Sign in to do this: send an access token as “Authorization: Bearer …”.'],
  },
  {
    ...{ what: 'A token that is none', send: 'GET /account' },
    headers: { Authorization: 'Bearer abc' },
    answer: '401 auth.tokenInvalid',
    says: ['The access token is not valid, or its session has ended. Sign in again.'],
  },
  asked(
    'A permission that the caller lacks',
    '/admin/roles',
    '403 auth.forbidden',
    'This needs the permission roles.read. You do not have it, or your access token has no scope for it.',
  ),
  asked(
    'A path in the plural',
    '/accounts',
    '404 request.unknownRoute',
    'There is no such path. Compare it with the paths in the API description, /openapi.json.',
  ),
  {
    ...{ what: 'A method that the path lacks', send: 'PUT /account' },
    answer: '405 request.methodNotAllowed',
    says: ['This path does not support PUT. It supports GET, HEAD, POST.'],
  },
  asked(
    'A malformed id',
    '/account/acc_none',
    '400 request.invalid',
    'id must be an id such as acc_01k9v3q8m5t0w2x4y6z8a1b3c5.',
  ),
  asked(
    'An id of nothing',
    '/account/acc_01k9v3q8m5t0w2x4y6z8a1b3c5',
    '404 accounts.notFound',
    'There is no such account.',
  ),
  {
    ...{ what: 'A form in place of JSON', send: 'POST /tag', body: 'name=x' },
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    answer: '415 request.unsupportedMediaType',
    says: ['Send the body as JSON, with Content-Type: application/json.'],
  },
  {
    ...{ what: 'JSON that breaks off', send: 'POST /tag', body: '{"name":', headers: JSON_TYPE },
    answer: '400 request.malformedJson',
    says: ['The body is not valid JSON.'],
  },
  {
    ...{ what: 'The same key twice', send: 'POST /tag', headers: JSON_TYPE },
    body: '{"name":"a","name":"b"}',
    answer: '400 request.malformedJson',
    says: ['The body has an object with the same key twice.'],
  },
  {
    ...{ what: 'A list in place of an object', send: 'POST /tag', body: '[]', headers: JSON_TYPE },
    answer: INVALID,
    says: ['The body must be an object, not a list.'],
  },
  {
    ...{ what: 'Nothing of what is required', send: 'POST /transaction', json: {} },
    answer: INVALID,
    says: [
      'kind is required.',
      'date is required.',
      'amount is required.',
      'accountId or accountName is required.',
    ],
  },
  booked('A field that is misspelt', { catgoryId: 'x' }, INVALID, 'catgoryId is not a field here.'),
  booked('An amount as a number', { amount: 12.3 }, INVALID, 'amount must be text, not a number.'),
  booked(
    'An amount with a comma',
    { amount: '12,30' },
    INVALID,
    'amount must be a decimal number as text, such as "12.30".',
  ),
  booked(
    'More decimals than the currency has',
    { amount: '12.345' },
    '400 money.tooManyDigits',
    'An amount in EUR has at most 2 decimals, but this one has 3.',
  ),
  booked(
    'Decimals of yen',
    { accountId: '{yen}', amount: '12.5' },
    '400 money.tooManyDigits',
    'An amount in JPY has at most 0 decimals, but this one has 1.',
  ),
  booked('An amount of zero', { amount: '0' }, '400 money.zero', 'The amount must not be zero.'),
  booked(
    'A negative expense',
    { amount: '-5' },
    '400 money.negative',
    'The amount must not be negative.',
  ),
  booked(
    'A day that does not exist',
    { date: '2026-02-30' },
    INVALID,
    'date must be a real date as YYYY-MM-DD from 1900 to 2200, such as 2026-11-20.',
  ),
  booked(
    'A day as people write it',
    { date: '20.11.2026' },
    INVALID,
    'date must be a real date as YYYY-MM-DD from 1900 to 2200, such as 2026-11-20.',
  ),
  booked(
    'A word in upper case',
    { kind: 'EXPENSE' },
    INVALID,
    'kind must be one of expense, income, adjustment.',
  ),
  booked(
    'A transfer as a transaction',
    { kind: 'transfer' },
    INVALID,
    'kind must be one of expense, income, adjustment.',
  ),
  booked(
    'A status that does not exist',
    { status: 'done' },
    INVALID,
    'status must be one of pending, uncleared, cleared, reconciled, void.',
  ),
  booked(
    'A time without its zero',
    { time: '8:30' },
    INVALID,
    'time must be a time of day as HH:MM, such as 08:30.',
  ),
  booked(
    'An account that does not exist',
    { accountId: 'acc_none' },
    '400 transactions.unknownAccount',
    'There is no such account, or you cannot see it.',
  ),
  booked(
    'A category that does not exist',
    { categoryId: 'cat_none' },
    '400 transactions.unknownCategory',
    'There is no such category.',
  ),
  booked(
    'A category of incomes on an expense',
    { categoryId: '{salary}' },
    '400 transactions.categoryKind',
    'An expense cannot have a category for income. Choose a category for expenses.',
  ),
  booked(
    'Three things at once',
    { amount: '1.234', tagIds: ['tag_none'], categoryId: 'cat_none' },
    '400 money.tooManyDigits',
    'An amount in EUR has at most 2 decimals, but this one has 3.',
    'There is no such tag.',
    'There is no such category.',
  ),
  booked(
    'Parts that miss the amount',
    { splits: [{ amount: '10' }, { amount: '2.20' }] },
    '400 transactions.splitSum',
    'The parts must add up to the amount exactly: they add up to 12.20 EUR, which is 0.10 less than 12.30.',
  ),
  booked(
    'A single part',
    { splits: [{ amount: '12.30' }] },
    INVALID,
    'splits must have at least 2 items, but has 1.',
  ),
  booked(
    'A category beside parts',
    { categoryId: '{food}', splits: [{ amount: '12' }, { amount: '0.30' }] },
    '400 transactions.categoryAndSplits',
    'A split transaction has categories on its parts only. Send categoryId on each part instead.',
  ),
  booked(
    'Half of an original amount',
    { originalAmount: '13' },
    '400 transactions.originalIncomplete',
    'Send originalAmount and originalCurrency together, or neither.',
  ),
  booked(
    'A note that is too long',
    { note: 'x'.repeat(2001) },
    INVALID,
    'note must have at most 2000 characters, but has 2001.',
  ),
  booked(
    'A place off the map',
    { location: { lat: 91, lon: 0, name: 'x' } },
    INVALID,
    'location.lat must be at most 90, not 91.',
  ),
  booked(
    'Text in place of a boolean',
    { reviewed: 'yes' },
    INVALID,
    'reviewed must be true or false, not text.',
  ),
  account(
    'A currency in lower case',
    { currency: 'eur' },
    INVALID,
    'currency must be in upper case. Use the upper-case code: EUR.',
  ),
  account(
    'A currency that does not exist',
    { currency: 'XXX' },
    INVALID,
    'currency must be the ISO 4217 code of a currency in use, such as EUR.',
  ),
  account('An empty name', { name: '' }, INVALID, 'name must not be empty.'),
  account('A name of spaces', { name: '   ' }, INVALID, 'name must not be empty.'),
  account(
    'An IBAN with a wrong digit',
    { iban: 'IE29AIBK93115212345679' },
    INVALID,
    'iban must be an IBAN with the right check digits.',
  ),
  account(
    'A colour by its name',
    { color: 'blue' },
    INVALID,
    'color must be # and six hexadecimal digits, such as #1e88e5.',
  ),
  account(
    'A day of the month that is a fraction',
    { statementDay: 1.5 },
    INVALID,
    'statementDay must be a whole number, not 1.5.',
  ),
  moved(
    'A transfer to the same account',
    { toAccountId: '{account}' },
    '400 transfers.sameAccount',
    'A transfer needs two different accounts.',
  ),
  moved(
    'A transfer between currencies without what arrives',
    {},
    '400 transfers.toAmountNeeded',
    'The accounts have different currencies. Send toAmount, or rate where the operation takes it.',
  ),
  asked('A page of none', '/transaction?limit=0', INVALID, 'limit must be between 1 and 200.'),
  asked('A page of all', '/transaction?limit=1000', INVALID, 'limit must be between 1 and 200.'),
  asked('A parameter twice', '/transaction?limit=1&limit=2', INVALID, 'limit must be given once.'),
  asked('A page by its number', '/transaction?page=2', INVALID, 'page is not a parameter here.'),
  asked(
    'A cursor that is made up',
    '/transaction?cursor=abc',
    '400 request.invalidCursor',
    'This cursor does not belong to this list. Send nextCursor of the previous page, with the same filter.',
  ),
  asked(
    'A span that ends before it begins',
    '/transaction?from=2026-11-20&to=2026-11-01',
    INVALID,
    'to must not be before from.',
  ),
  {
    ...{ what: 'An ETag without its quotes', send: 'PUT /account/{account}', json: { note: 'x' } },
    headers: { 'If-Match': '1-q8Yx0dTn2bWc4RkA' },
    answer: '400 request.invalidIfMatch',
    says: [
      'If-Match must be a quoted ETag such as "3-q8Yx0dTn2bWc4RkA", several of them separated by commas, or *.',
    ],
  },
  {
    ...{ what: 'An ETag of an old version', send: 'PUT /account/{account}', json: { note: 'x' } },
    headers: { 'If-Match': '"0-q8Yx0dTn2bWc4RkA"' },
    answer: '412 request.stale',
    says: [
      'The resource has another version than If-Match names. Read it again, and send its new ETag. A weak ETag (W/"…") never matches.',
    ],
  },
  {
    ...{ what: 'A key with spaces', send: 'POST /tag', json: { name: 'Trip' } },
    headers: { 'Idempotency-Key': 'my key' },
    answer: '400 idempotency.malformedKey',
    says: ['Idempotency-Key must be 1 to 255 visible ASCII characters.'],
  },
  {
    ...{ what: 'A key of another request', send: 'POST /tag', json: { name: 'Other' } },
    headers: { 'Idempotency-Key': '{key}' },
    answer: '409 idempotency.mismatch',
    says: ['This Idempotency-Key was used with another request. Send a new key.'],
  },
  {
    ...{ what: 'An upload as a form', send: 'POST /attachment?fileName=bill.pdf' },
    headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    body: '--x--',
    answer: '415 request.formUpload',
    says: [
      'Do not send a form. Send the bytes of the file as the body, with Content-Type: application/octet-stream.',
    ],
  },
  {
    ...{ what: 'A wrong password', send: 'POST /auth/v2/login' },
    json: { email: 'nobody@coffer.example', password: 'not the right password' },
    answer: '401 auth.invalidCredentials',
    says: ['The e-mail address or the password is wrong. Check both and try again.'],
  },
  {
    ...{ what: 'An e-mail address without its domain', send: 'POST /auth/v2/login' },
    json: { email: 'ada', password: 'long enough to be only mine' },
    answer: INVALID,
    says: ['email must be an e-mail address, such as ada@example.com.'],
  },
]
