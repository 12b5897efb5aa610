import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { AGREED, NAME, STRICTER } from '#tests/support/directory/chains.ts'
import { startControl } from '#tests/support/directory/control.ts'
import { isDs389Installed, startDs389 } from '#tests/support/directory/ds389.ts'
import type { CompanyServer } from '#tests/support/directory/driver.ts'
import { startFakeLdap } from '#tests/support/directory/fake-ldap.ts'
import { startHostileTls } from '#tests/support/directory/hostile-tls.ts'
import { createPki } from '#tests/support/directory/pki.ts'
import { COMPANY_RULES } from '#tests/support/directory/openldap-driver.ts'
import { type Slapd, isSlapdInstalled } from '#tests/support/directory/slapd.ts'
import { startDirectory, freePort } from '#tests/support/directory/start.ts'
import { type TlsServer, startTlsServers } from '#tests/support/directory/tls-servers.ts'

type Authority = 'ca' | 'wrongCa' | 'fakeCa' | 'ecCa' | 'selfSigned' | 'nameOnly' | 'intermediate' | 'viaIntermediate'
type HostileServer = keyof Awaited<ReturnType<typeof startHostileTls>>['ports']

declare module 'vitest' {
  interface ProvidedContext {
    tls: {
      readonly ports: Readonly<Record<TlsServer | HostileServer | 'plain', number>>
      /** PEM of what a test trusts. */
      readonly authorities: Readonly<Record<Authority, string>>
    }
    /** Certificates as base64 of DER: the server's, what it sends beside it, what is trusted. */
    chains: readonly {
      readonly title: string
      readonly isAccepted: boolean
      readonly name: string
      readonly chain: readonly string[]
      readonly anchors: readonly string[]
    }[]
    /** A real OpenLDAP; null where it is not installed (`npm test` installs it as root). */
    slapd: {
      readonly port: number
      readonly ldapsPort: number
      readonly ca: string
    } | null
    /** Another one, whose entries tests change; it takes a password only over TLS. */
    company: CompanyServer | null
    /** A real 389-ds; null where it is not installed (`npm test -- full` installs it as root). */
    ds389: { readonly port: number } | null
  }
}

/** Starts the servers that tests inside workerd reach over real sockets. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const pki = createPki()
  const [servers, plain] = await Promise.all([startTlsServers(pki), startFakeLdap()])
  const hostile = await startHostileTls(pki, servers.ports)
  const names: Authority[] = [
    'ca',
    'wrongCa',
    'fakeCa',
    'ecCa',
    'selfSigned',
    'nameOnly',
    'intermediate',
    'viaIntermediate',
  ]
  project.provide('tls', {
    ports: { ...servers.ports, ...hostile.ports, plain: plain.port },
    authorities: Object.fromEntries(names.map((name) => [name, pki[name].pem])) as Record<Authority, string>,
  })
  const toText = ({ der }: { readonly der: Buffer }) => der.toString('base64')
  project.provide(
    'chains',
    [...AGREED, ...STRICTER.map(([title, , chain]) => [title, false, chain] as const)].map(
      ([title, isAccepted, [own, sent, anchors, name = NAME]]) => ({
        title,
        isAccepted,
        name,
        chain: [own, ...sent].map(toText),
        anchors: (anchors.length === 0 ? [own] : anchors).map(toText),
      }),
    ),
  )
  const [slapd, company] = isSlapdInstalled() ? await Promise.all([startOpenLdap(), startCompany()]) : []
  project.provide('slapd', slapd?.provided ?? null)
  project.provide('company', company?.provided ?? null)
  const ds389 = isDs389Installed() ? await startOwnDs389() : null
  project.provide('ds389', ds389 && { port: ds389.port })
  return async () => {
    await ds389?.close()
    await Promise.all([servers.close(), hostile.close(), plain.close(), slapd?.close(), company?.close()])
  }
}

async function startOwnDs389() {
  const folder = mkdtempSync(join(tmpdir(), 'netloom-389-'))
  const { port, close } = await startDs389(folder, await freePort())
  return {
    port,
    close: async () => {
      await close()
      rmSync(folder, { recursive: true })
    },
  }
}

const USERS = 2_000

const startOpenLdap = () => startIn((folder) => startDirectory({ folder, users: USERS }))

async function startCompany() {
  const { provided, close, slapd } = await startIn((folder) =>
    startDirectory({ folder, users: 0, rules: COMPANY_RULES }),
  )
  const control = await startControl(slapd)
  return {
    provided: { ...provided, controlUrl: control.controlUrl },
    close: async () => {
      await control.close()
      await close()
    },
  }
}

/** In a folder of its own, which goes with it. */
async function startIn(start: (folder: string) => Promise<Slapd>) {
  const folder = mkdtempSync(join(tmpdir(), 'netloom-slapd-'))
  const slapd = await start(folder)
  const { port, ldapsPort } = slapd
  return {
    slapd,
    provided: { port, ldapsPort, ca: readFileSync(join(folder, 'ca.crt'), 'utf8') },
    close: async () => {
      await slapd.close()
      rmSync(folder, { recursive: true })
    },
  }
}
