import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FILE_PURPOSES, FILE_TYPES, type FilePurpose, type FileType } from '#contract/file/index.ts'
import { checkUpload, detectFileType, toFileName, toStoredName } from '#domain/file/upload.ts'
import { forgeZip, workbookEntries } from '#tests/support/zip-builder.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const utf8 = (text: string) => new Uint8Array(Buffer.from(text))
const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQ==\n-----END CERTIFICATE-----\n'
const KEY = '-----BEGIN PRIVATE KEY-----\nMIIBszCCAVmgAwIBAgIUQ==\n-----END PRIVATE KEY-----\n'

/** The beginning of a file of each type. */
const SAMPLES: Readonly<Record<FileType, Uint8Array>> = {
  png: latin1('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01'),
  jpg: latin1('\xff\xd8\xff\xe0\0\x10JFIF'),
  gif: latin1('GIF89a\x01\0\x01\0'),
  webp: latin1('RIFF\x24\0\0\0WEBPVP8 '),
  pdf: latin1('%PDF-1.7\n%\xe2\xe3'),
  xlsx: forgeZip(workbookEntries()),
  pem: utf8(CERTIFICATE),
  txt: utf8('无法连接\r\n\t请检查'),
}

const HOSTILE: Readonly<Record<string, Uint8Array>> = {
  SVG: utf8('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  'SVG behind a declaration': utf8('<?xml version="1.0"?><svg/>'),
  'SVG behind a byte order mark and blanks': utf8('\ufeff \r\n\t<svg/>'),
  HTML: utf8('<!DOCTYPE html><script>alert(1)</script>'),
  'a script': utf8('#!/bin/sh\nrm -rf /'),
  'a program (PE)': latin1('MZ\x90\0\x03'),
  'a program (ELF)': latin1('\x7fELF\x02\x01'),
  'a ZIP': forgeZip([{ name: 'a.txt', data: 'a' }]),
  'an archive with a workbook in it': forgeZip([...workbookEntries(), { name: 'run.exe', data: 'MZ' }]),
  'text in UTF-16': new Uint8Array(Buffer.from('\ufeff你好', 'utf16le')),
  'a PNG cut before its header': latin1('\x89PNG\r\n\x1a\n'),
  'a RIFF that is no WEBP': latin1('RIFF\x24\0\0\0WAVEfmt '),
}

describe('type by magic bytes', () => {
  it.each(Object.entries(SAMPLES))('%s', (type, bytes) => {
    expect(detectFileType(bytes)).toBe(type)
  })
  /** Names under which some purpose would keep these bytes. */
  const listNames = (bytes: Uint8Array) => {
    const names = Object.values(FILE_TYPES).flatMap(({ extensions }) => extensions.map((extension) => `a.${extension}`))
    return (Object.keys(FILE_PURPOSES) as FilePurpose[]).flatMap((purpose) =>
      names.filter((name) => 'type' in checkUpload({ bytes, name, purpose })),
    )
  }
  it.each(Object.entries(HOSTILE))('%s is kept under no name for no purpose', (_, bytes) => {
    expect(detectFileType(bytes)).toBeNull()
    expect(listNames(bytes)).toEqual([])
  })
  it('a certificate with its private key is no certificate', () => {
    expect(listNames(utf8(`${CERTIFICATE}${KEY}`))).toEqual(['a.txt', 'a.log'])
  })
  it('whatever they are and wherever they are cut, without a fault', () => {
    const known = [null, ...Object.keys(FILE_TYPES)]
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => known.includes(detectFileType(bytes))))
    for (const bytes of Object.values(SAMPLES))
      for (let length = 0; length < bytes.length; length++)
        expect(known).toContain(detectFileType(bytes.subarray(0, length)))
  })
  it('a certificate keeps the comments around it', () => {
    expect(detectFileType(utf8(`Bag Attributes\n  friendlyName: CA\n${CERTIFICATE.replaceAll('\n', '\r\n')}`))).toBe(
      'pem',
    )
  })
})

describe('the name has to agree', () => {
  const check = (type: FileType, name: string, purpose: FilePurpose) =>
    checkUpload({ bytes: SAMPLES[type], name, purpose })
  it.each<[FileType, string, FilePurpose]>([
    ['png', 'a.png', 'ticket_image'],
    ['png', '截图.PNG ', 'ticket_image'],
    ['jpg', 'a.jpeg', 'ticket_image'],
    ['png', '微信图片_20261128.jpg', 'ticket_image'],
    ['jpg', 'a.png', 'ticket_image'],
    ['gif', 'a.JPG', 'announcement_image'],
    ['webp', 'a.jpg', 'ticket_file'],
    ['xlsx', 'a.xlsx', 'ticket_file'],
    ['txt', 'agent.log', 'ticket_file'],
    ['pem', 'ca.crt', 'ldap_ca'],
    ['pem', 'ca.cert', 'ldap_ca'],
  ])('%s as %s for %s', (type, name, purpose) => {
    expect(check(type, name, purpose)).toEqual({ type })
  })
  it('each type under the name of another is refused', async () => {
    const offenders = await findOffenders<[FileType, string, FilePurpose]>([
      ['png', 'a.pdf', 'ticket_file'],
      ['png', 'a.webp', 'ticket_image'],
      ['webp', 'a.jpg', 'ticket_image'],
      ['png', 'a.svg', 'ticket_image'],
      ['png', 'a.png.html', 'ticket_image'],
      ['png', 'a.png\0.html', 'ticket_image'],
      ['png', 'png', 'ticket_image'],
      ['png', '', 'ticket_image'],
      ['webp', 'a.webp', 'ticket_image'],
      ['pdf', 'a.pdf', 'ticket_image'],
      ['txt', 'a.html', 'ticket_file'],
      ['txt', 'a.js', 'ticket_file'],
      ['pem', 'a.pem', 'ticket_file'],
      ['txt', 'ca.pem', 'ldap_ca'],
      ['png', 'ca.pem', 'ldap_ca'],
    ])((type, name, purpose) => {
      expect(check(type, name, purpose)).toMatchObject({ key: 'FILE_TYPE' })
    })
    expect(offenders).toEqual([])
  })
})

describe('a name is no path, and reads as it is', () => {
  it.each(['../a.png', '/a.png', 'C:\\a.png', 'a\0.png', 'a\r\n.png', 'exe.\u202egnp.png'])('%j is refused', (name) => {
    expect(checkUpload({ bytes: SAMPLES.png, name, purpose: 'ticket_image' })).toMatchObject({ key: 'FILE_NAME' })
  })
})

describe('sizes', () => {
  const padded = (bytes: number) => {
    const file = new Uint8Array(bytes)
    file.set(SAMPLES.png.subarray(0, bytes))
    return checkUpload({ bytes: file, name: 'a.png', purpose: 'ticket_image' })
  }
  it.each([
    [0, { key: 'FILE_EMPTY' }],
    [2_097_152, { type: 'png' }],
    [2_097_153, { key: 'FILE_TOO_LARGE', params: { noun: '图片', limit: 2 } }],
  ])('%i bytes', (bytes, result) => {
    expect(padded(bytes)).toMatchObject(result)
  })
})

it.each([
  ['微信图片.jpg', 'png', '微信图片.png'],
  ['a.jpeg', 'jpg', 'a.jpeg'],
  ['a.GIF', 'gif', 'a.gif'],
  ['a.png.jpg', 'gif', 'a.png.gif'],
] as const)('%s of a %s is stored as %s', (sent, type, stored) => expect(toStoredName(sent, type)).toBe(stored))

describe('toFileName', () => {
  it.each([
    ['截图 1.PNG', '截图 1.png'],
    ['C:\\fakepath\\a.png', 'a.png'],
    ['../../etc/passwd', 'passwd'],
    ['a\r\nset-cookie: x.png', 'aset-cookie_ x.png'],
    ['evil\u202Egnp.exe.png', 'evilgnp.exe.png'],
    ['<img src=x>.gif', '_img src=x_.gif'],
    ['.png', 'file.png'],
    ['', 'file'],
    ['\u200b', 'file'],
    [`${'长'.repeat(300)}.xlsx`, `${'长'.repeat(95)}.xlsx`],
    [`a.${'x'.repeat(300)}`, `a.${'x'.repeat(98)}`],
  ])('%j is kept as %j', (name, kept) => {
    expect(toFileName(name)).toBe(kept)
  })
  it('is never empty, long, or more than one line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (name) => {
        expect(toFileName(name)).toMatch(/^[^\p{Cc}/\\"]+$/u)
        expect([...toFileName(name)].length).toBeLessThanOrEqual(100)
      }),
    )
  })
})
