import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { ldapModify, run } from './ldap-modify.ts'
import { ADMIN, SUFFIX, toLdif } from './people.ts'

const SLAPD = '/usr/sbin/slapd'
export const isSlapdInstalled = (): boolean => existsSync(SLAPD)

export interface Slapd {
  readonly port: number
  readonly ldapsPort: number
  /** Changes entries as the administrator: LDIF with changetype (RFC 2849). */
  modify(ldif: string): Promise<void>
  close(): Promise<void>
}

export interface SlapdOptions {
  /** Kept between runs: certificate, configuration, database. */
  readonly folder: string
  readonly users: number
  readonly port: number
  readonly ldapsPort: number
  /** Lines for the section of its database (slapd.conf). */
  readonly rules?: readonly string[]
  /** PEM; asked where the folder has none yet. */
  createTls(): ServerTls
}

export interface ServerTls {
  readonly ca: string
  readonly certificate: string
  readonly key: string
}

/** OpenLDAP on loopback, in the foreground as a child of this process: LDAP with StartTLS on one port, LDAPS on the other. */
export async function startSlapd(options: SlapdOptions): Promise<Slapd> {
  const { folder, users, port, ldapsPort, rules = [] } = options
  const inFolder = (name: string) => join(folder, name)
  mkdirSync(inFolder('db'), { recursive: true, mode: 0o700 })
  if (!existsSync(inFolder('server.key'))) {
    const { ca, certificate, key } = options.createTls()
    writeFileSync(inFolder('ca.crt'), ca)
    writeFileSync(inFolder('server.crt'), certificate)
    writeFileSync(inFolder('server.key'), key, { mode: 0o600 })
  }
  writeFileSync(inFolder('slapd.conf'), toConfiguration(folder, rules))
  copyFileSync(SLAPD, inFolder('slapd')) // AppArmor of Ubuntu binds the installed one to its own folders
  if (!existsSync(inFolder('db/data.mdb'))) {
    writeFileSync(inFolder('people.ldif'), toLdif(users))
    await run(inFolder('slapd'), ['-Tadd', '-q', '-f', inFolder('slapd.conf'), '-l', inFolder('people.ldif')])
  }
  const urls = `ldap://127.0.0.1:${port}/ ldaps://127.0.0.1:${ldapsPort}/`
  const server = spawn(inFolder('slapd'), ['-d', '0', '-f', inFolder('slapd.conf'), '-h', urls], { stdio: 'ignore' })
  await untilOpen(server, port)
  return {
    port,
    ldapsPort,
    modify: (ldif) => ldapModify({ ldapsPort, ...ADMIN, caFile: inFolder('ca.crt') }, ldif),
    close: () => end(server),
  }
}

const toConfiguration = (folder: string, rules: readonly string[]): string => `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/nis.schema
include /etc/ldap/schema/inetorgperson.schema
include ${join(import.meta.dirname, 'adlike.schema')}
pidfile ${join(folder, 'slapd.pid')}
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload ppolicy
loglevel 0
sizelimit size.soft=500 size.hard=1000 size.pr=1000 size.prtotal=unlimited
TLSCACertificateFile ${join(folder, 'ca.crt')}
TLSCertificateFile ${join(folder, 'server.crt')}
TLSCertificateKeyFile ${join(folder, 'server.key')}
TLSVerifyClient never
access to attrs=userPassword by anonymous auth by * none
access to * by users read by * auth
database mdb
suffix "${SUFFIX}"
rootdn "${ADMIN.bindDn}"
rootpw ${ADMIN.password}
directory ${join(folder, 'db')}
maxsize 1073741824
dbnosync
index objectClass,uid,entryUUID eq
${rules.join('\n')}
overlay ppolicy
ppolicy_default "cn=default,ou=services,${SUFFIX}"
`

/** Answers once the port does; fails with the server. */
async function untilOpen(server: ChildProcess, port: number): Promise<void> {
  const ended = new Promise<never>((_, reject) => {
    server.once('exit', (code) => reject(new Error(`slapd ended with ${code}`)))
    server.once('error', reject)
  })
  const opened = async () => {
    while (!(await isOpen(port))) await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await Promise.race([opened(), ended])
  ended.catch(() => {})
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

const end = (server: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) return resolve()
    server.once('exit', () => resolve())
    server.kill('SIGTERM')
  })
