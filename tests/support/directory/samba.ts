import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { ldapModify } from './ldap-modify.ts'
import type { ServerTls } from './slapd.ts'

export const AD = {
  suffix: 'DC=ad,DC=test',
  /** Names by which a domain controller takes a simple bind. */
  accounts: ['CN=Administrator,CN=Users,DC=ad,DC=test', 'Administrator@ad.test', String.raw`ADTEST\Administrator`],
  password: 'Passw0rd-2026',
  users: 600,
} as const

/** A domain controller has no others. */
const PORTS = { plain: 389, ldaps: 636 } as const

export const isSambaInstalled = (): boolean => existsSync('/usr/sbin/samba') && existsSync('/usr/bin/samba-tool')

export type AdState = 'active' | 'disabled' | 'expired' | 'mustChange'
const STATES: readonly AdState[] = ['active', 'disabled', 'active', 'expired', 'active', 'mustChange']

export const toAdUser = (index: number) => ({
  username: `li.na.${String(index).padStart(5, '0')}`,
  dn: `CN=李娜 ${index},CN=Users,${AD.suffix}`,
  displayName: `李娜 ${index}`,
  phone: `139${10_000_000 + index}`,
  password: `Pw-2026-${index}`,
  state: STATES[index % STATES.length] ?? 'active',
})

/** Samba as a domain controller on the fixed ports 389 and 636 of loopback: in a network namespace of its own. */
export async function startSamba(folder: string, tls: ServerTls) {
  mkdirSync(folder, { recursive: true })
  provision(folder)
  writeFileSync(join(folder, 'ca.crt'), tls.ca)
  writeFileSync(join(folder, 'server.crt'), tls.certificate)
  writeFileSync(join(folder, 'server.key'), tls.key, { mode: 0o600 })
  writeFileSync(join(folder, 'smb.conf'), toConfiguration(folder))
  writeFileSync(join(folder, 'users.ldif'), Array.from({ length: AD.users }, (_, index) => toLdif(index)).join('\n'))
  run('ldbadd', ['-H', join(folder, 'private/sam.ldb'), join(folder, 'users.ldif')])
  const server = spawn('samba', ['-s', join(folder, 'smb.conf'), '-F', '-M', 'single'], { stdio: 'ignore' })
  await untilOpen(server, PORTS.ldaps)
  const administrator = { ldapsPort: PORTS.ldaps, bindDn: AD.accounts[0], password: AD.password }
  return {
    port: PORTS.plain,
    ldapsPort: PORTS.ldaps,
    modify: (ldif: string) => ldapModify({ ...administrator, caFile: join(folder, 'ca.crt') }, ldif),
    close: () => end(server),
  }
}

const provision = (folder: string): void =>
  run('samba-tool', [
    'domain',
    'provision',
    '--realm=AD.TEST',
    '--domain=ADTEST',
    '--server-role=dc',
    '--dns-backend=NONE',
    `--adminpass=${AD.password}`,
    '--host-name=dc1',
    '--host-ip=127.0.0.1',
    `--targetdir=${folder}`,
  ])

const toConfiguration = (folder: string): string => `[global]
netbios name = DC1
realm = AD.TEST
workgroup = ADTEST
server role = active directory domain controller
server services = ldap
interfaces = lo
bind interfaces only = yes
binddns dir = ${folder}/bind-dns
cache directory = ${folder}/cache
lock directory = ${folder}
pid directory = ${folder}
private dir = ${folder}/private
state directory = ${folder}/state
log file = ${folder}/samba.log
tls enabled = yes
tls keyfile = ${folder}/server.key
tls certfile = ${folder}/server.crt
tls cafile = ${folder}/ca.crt
`

function toLdif(index: number): string {
  const { username, dn, displayName, phone, password, state } = toAdUser(index)
  const base64 = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding).toString('base64')
  const lines = [
    `dn:: ${base64(dn)}`,
    'objectClass: user',
    `sAMAccountName: ${username}`,
    `displayName:: ${base64(displayName)}`,
    `mobile: ${phone}`,
    `userAccountControl: ${state === 'disabled' ? 514 : 512}`,
    `unicodePwd:: ${base64(`"${password}"`, 'utf16le')}`,
    ...(state === 'expired' ? ['accountExpires: 132539328000000000'] : []), // 2021
    ...(state === 'mustChange' ? ['pwdLastSet: 0'] : []),
  ]
  return `${lines.join('\n')}\n`
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command}: ${error?.message ?? stderr}`)
}

async function untilOpen(server: ChildProcess, port: number): Promise<void> {
  while (!(await isOpen(port))) {
    if (server.exitCode !== null) throw new Error(`samba ended with ${server.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
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
