import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkDocument, checkSettings } from '#infra/agent/config/check-document.ts'
import { checkTunnels } from '#infra/agent/drivers/render/check-tunnels.ts'
import { DEVICE_SETTING_KEYS } from '#domain/network/compile/device-settings.ts'
import { TARGET, renderCase } from './support/render-case.ts'
import { CASES } from './support/tunnel-documents.ts'
import { findOffenders } from '#tests/support/offenders.ts'

/** Rendered files of each setting. `GOLDEN=write` records the current ones. */
const FOLDER = 'tests/agent/golden'
const isWriting = process.env['GOLDEN'] === 'write'

const toText = (files: ReadonlyMap<string, string>) =>
  [...files]
    .filter(([path]) => !path.startsWith('network-')) // the text for people: files-driver.test.ts
    .map(([path, text]) => `==> ${path}\n${text}`)
    .join('\n')

if (isWriting) {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER)
  for (const name of Object.keys(CASES)) writeFileSync(`${FOLDER}/${name}.txt`, toText(renderCase(name)))
}

describe('files of a document', () => {
  it('of each case are those of its golden file', async () => {
    const offenders = await findOffenders(Object.keys(CASES))((name) => {
      expect(toText(renderCase(name))).toBe(readFileSync(`${FOLDER}/${name}.txt`, 'utf8'))
    })
    expect(offenders).toEqual([])
  })

  it('are taken down for these cases and no other', () => {
    expect(readdirSync(FOLDER).toSorted()).toEqual(
      Object.keys(CASES)
        .map((name) => `${name}.txt`)
        .toSorted(),
    )
  })

  it('of each case are not refused', async () => {
    const offenders = await findOffenders(Object.entries(CASES))((_, document) => {
      expect(checkDocument(document)).toBeNull()
      expect(checkSettings(document, DEVICE_SETTING_KEYS)).toBeNull()
      expect(checkTunnels(document, TARGET)).toBeNull()
    })
    expect(offenders).toEqual([])
  })
})
