import { describe, expect, it } from 'vitest'
import { fileTypeSniffer } from '../../src/domain/file-types.ts'
import { latin, PDF, PNG, zipOf } from '../support/files.ts'

function typeOf(bytes: Uint8Array, name = 'file', pieceBytes = bytes.byteLength || 1) {
  const sniffer = fileTypeSniffer(name)
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) {
    sniffer.take(bytes.subarray(at, at + pieceBytes))
  }
  return sniffer.type()
}

const utf8 = (text: string) => new TextEncoder().encode(text)

const OPEN_XML = 'application/vnd.openxmlformats-officedocument.'
const CONTENTS = '[Content_Types].xml'
const UNKNOWN = 'application/octet-stream'

describe('what a file is', () => {
  it.each<[string, string, Uint8Array]>([
    ['PDF', 'application/pdf', PDF],
    ['JPEG', 'image/jpeg', latin('\xFF\xD8\xFF\xE0')],
    ['PNG', 'image/png', PNG],
    ['GIF', 'image/gif', latin('GIF89a...')],
    ['WebP', 'image/webp', latin('RIFF\x01\x02\x03\x04WEBPVP8 ')],
    ['HEIC', 'image/heic', latin('\0\0\0\x18ftypheic\0\0')],
    ['AVIF', 'image/avif', latin('\0\0\0\x18ftypavif\0\0')],
    ['an archive', 'application/zip', zipOf('a.txt')],
    ['an empty archive', 'application/zip', zipOf()],
    ['a spreadsheet', `${OPEN_XML}spreadsheetml.sheet`, zipOf(CONTENTS, 'xl/workbook.xml')],
    [
      'a document',
      `${OPEN_XML}wordprocessingml.document`,
      zipOf('word/document.xml', '_rels/.rels', CONTENTS),
    ],
    ['slides', `${OPEN_XML}presentationml.presentation`, zipOf(CONTENTS, 'ppt/presentation.xml')],
    ['an office file of another kind', 'application/zip', zipOf(CONTENTS, 'visio/document.xml')],
    ['what only has the name of one', 'application/zip', zipOf('xl/workbook.xml')],
    [
      'a spreadsheet with a program in it',
      UNKNOWN,
      zipOf(CONTENTS, 'xl/workbook.xml', 'xl/vbaProject.bin'),
    ],
    ['a text', 'text/plain', utf8('Grüße, 貓 😀\r\n\tand more')],
    ['a text with a byte order mark', 'text/plain', utf8('\uFEFFname;sum')],
    ['XML', 'application/xml', utf8('<?xml version="1.0"?><Document/>')],
    ['a program', UNKNOWN, latin('MZ\x90\0\x03')],
    ['a script', 'text/plain', utf8('#!/bin/sh\nrm -rf /')],
    ['a page', UNKNOWN, utf8('\n<!DOCTYPE HTML><p>hello')],
    ['a page within XML', UNKNOWN, utf8('<?xml version="1.0"?><html xmlns="x"/>')],
    ['a drawing that may run', UNKNOWN, utf8('<?xml version="1.0"?>\n<svg onload="x()"/>')],
    ['another sound than WebP', UNKNOWN, latin('RIFF\x01\x02\x03\x04WAVEfmt ')],
    ['a film', UNKNOWN, latin('\0\0\0\x18ftypmp42\0\0')],
    ['text of another encoding', UNKNOWN, latin('Gr\xFC\xDFe')],
    ['UTF-16', UNKNOWN, latin('\xFF\xFEa\0b\0')],
    ['half a letter at the end', UNKNOWN, utf8('貓').subarray(0, 2)],
    ['what has NUL in it', UNKNOWN, utf8('a\0b')],
  ])('%s is told by its bytes, in whatever pieces they come', (_, type, bytes) => {
    expect(typeOf(bytes)).toBe(type)
    expect(typeOf(bytes, 'bill.pdf', 1)).toBe(type)
    expect(typeOf(bytes, 'x.exe', 5)).toBe(type)
  })

  it.each([
    ['list.csv', 'a;b\n1;2', 'text/csv'],
    ['LIST.CSV', 'a;b\n1;2', 'text/csv'],
    ['data.json', ' {"a":1}', 'application/json'],
    ['data.json', 'no JSON', 'text/plain'],
    ['note.txt', '[draft] {x}', 'text/plain'],
    ['csv', 'a;b', 'text/plain'],
    ['bill.pdf', 'no PDF', 'text/plain'],
  ])('of the texts %s that says "%s" is told by its name: %s', (name, text, type) => {
    expect(typeOf(utf8(text), name)).toBe(type)
  })

  it('is looked at to the end', () => {
    const long = new Uint8Array(300_000).fill(97)
    expect(typeOf(long, 'a', 4096)).toBe('text/plain')
    long[299_999] = 0xff
    expect(typeOf(long, 'a', 4096)).toBe(UNKNOWN)
    const archive = zipOf(
      ...Array.from({ length: 500 }, (_, at) => `media/${at}`),
      CONTENTS,
      'xl/workbook.xml',
    )
    expect(typeOf(archive, 'a', 4096)).toBe(`${OPEN_XML}spreadsheetml.sheet`)
  })

  it('is no more than an archive where what is in it cannot be told', () => {
    const archive = zipOf(CONTENTS, 'xl/workbook.xml')
    expect(typeOf(archive.subarray(0, -3))).toBe('application/zip')
    const lying = archive.slice()
    lying.fill(0xff, -14, -6)
    expect(typeOf(lying)).toBe('application/zip')
  })
})
