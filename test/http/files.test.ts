import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dispositionOf, rangeOf } from '../../src/http/files.ts'

describe('a range', () => {
  it.each<[string | undefined, ReturnType<typeof rangeOf>]>([
    [undefined, undefined],
    ['bytes=0-3', { offset: 0, length: 4 }],
    ['bytes=0-0', { offset: 0, length: 1 }],
    ['bytes=4-', { offset: 4, length: 6 }],
    ['bytes=4-99', { offset: 4, length: 6 }],
    ['bytes=-3', { offset: 7, length: 3 }],
    ['bytes=-99', { offset: 0, length: 10 }],
    ['Bytes = 9-9', { offset: 9, length: 1 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=10-12', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=0-1,3-4', 'unsatisfiable'],
    ['bytes=0-1,', 'unsatisfiable'],
    ['bytes=3-2', undefined],
    ['bytes=-', undefined],
    ['bytes=', undefined],
    ['bytes=a-b', undefined],
    ['bytes=0x0-3', undefined],
    ['bytes=9999999999999999-', undefined],
    ['lines=0-3', undefined],
    ['0-3', undefined],
  ])('%s of ten bytes', (header, range) => {
    expect(rangeOf(header, 10)).toEqual(range)
  })
})

describe('the name of a download', () => {
  it.each([
    ['bill.pdf', `attachment; filename="bill.pdf"; filename*=UTF-8''bill.pdf`],
    [
      'a "b"; c=\\d.pdf',
      `attachment; filename="a _b__ c__d.pdf"; filename*=UTF-8''a%20%22b%22%3B%20c%3D%5Cd.pdf`,
    ],
    [
      "it's (1)*.pdf",
      `attachment; filename="it_s (1)_.pdf"; filename*=UTF-8''it%27s%20%281%29%2A.pdf`,
    ],
    [
      'Überweisung €.pdf',
      `attachment; filename="_berweisung _.pdf"; filename*=UTF-8''%C3%9Cberweisung%20%E2%82%AC.pdf`,
    ],
    ['%41.pdf', `attachment; filename="_41.pdf"; filename*=UTF-8''%2541.pdf`],
    [
      'a\r\nSet-Cookie: x=1',
      `attachment; filename="a__Set-Cookie_ x_1"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x%3D1`,
    ],
  ])('%j is %s', (name, header) => {
    expect(dispositionOf(name)).toBe(header)
  })

  it('comes back as it was, and breaks no header, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const header = dispositionOf(name)
        expect(header).toMatch(
          /^attachment; filename="[\w .()+-]*"; filename\*=UTF-8''[\w!#$&+.^`|~%-]*$/,
        )
        expect(new Headers({ a: header }).get('a')).toBe(header)
        expect(decodeURIComponent(header.split("''")[1] ?? '')).toBe(name)
      }),
    )
  })
})
