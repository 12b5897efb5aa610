import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { isSambaInstalled, startSamba } from '../support/directory/samba.ts'
import { createServerTls } from '../support/directory/start.ts'

declare module 'vitest' {
  interface ProvidedContext {
    ad: { readonly ca: string }
  }
}

/** A domain controller, which `npm test -- ad` starts in a network namespace. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!isSambaInstalled()) throw new Error('Samba is not installed: run npm test -- ad as root')
  const folder = mkdtempSync(join(tmpdir(), 'netloom-ad-'))
  const tls = createServerTls()
  const samba = await startSamba(folder, tls)
  project.provide('ad', { ca: tls.ca })
  return async () => {
    await samba.close()
    rmSync(folder, { recursive: true })
  }
}
