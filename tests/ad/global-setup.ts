import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startControl } from '#tests/support/directory/control.ts'
import type { CompanyServer } from '#tests/support/directory/driver.ts'
import { isSambaInstalled, startSamba } from '#tests/support/directory/samba.ts'
import { createServerTls } from '#tests/support/directory/start.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** `otherCa` has the name of the one that signed the server's certificate, and another key. */
    ad: CompanyServer & { readonly otherCa: string }
  }
}

/** A domain controller, which `npm test -- ad` starts in a network namespace. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!isSambaInstalled()) throw new Error('Samba is not installed: run npm test -- ad as root')
  const folder = mkdtempSync(join(tmpdir(), 'netloom-ad-'))
  const tls = createServerTls()
  const samba = await startSamba(folder, tls)
  const control = await startControl(samba)
  const { port, ldapsPort } = samba
  project.provide('ad', { port, ldapsPort, ca: tls.ca, otherCa: createServerTls().ca, controlUrl: control.controlUrl })
  return async () => {
    await control.close()
    await samba.close()
    rmSync(folder, { recursive: true })
  }
}
