import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import { DS389_ACCOUNT, DS389_SUFFIX } from './ds389-people.ts'
import { run } from './ldap-modify.ts'

/* A real 389 Directory Server with people of both kinds: as its own tool makes them, and inetOrgPerson. */

const INSTANCE = 'netloomtest'

/** The tool that makes an instance is written for systemd, which a container has not. */
const SETUP = `
import logging, sys
from lib389 import DirSrv
DirSrv.with_systemd = lambda self: False
from lib389.instance.setup import SetupDs
SetupDs(verbose=False, dryrun=False, log=logging.getLogger()).create_from_inf(sys.argv[1])
`

export const isDs389Installed = (): boolean =>
  process.getuid?.() === 0 && existsSync('/usr/sbin/ns-slapd') && existsSync('/usr/lib/python3/dist-packages/lib389')

/** Entry as `dsidm user create` writes it, without inetOrgPerson. */
const toPerson = (uid: string, attributes: readonly string[]): string =>
  [
    `dn: uid=${uid},ou=people,${DS389_SUFFIX}`,
    ...['top', 'nsPerson', 'nsAccount', 'nsOrgPerson', 'posixAccount'].map((name) => `objectClass: ${name}`),
    `uid: ${uid}`,
    `cn: ${uid}`,
    'uidNumber: 2001',
    'gidNumber: 2001',
    `homeDirectory: /home/${uid}`,
    `userPassword: Pw-2026-${uid}`,
    ...attributes,
  ].join('\n')

const PEOPLE = [
  toPerson('li.na', ['displayName: 李娜', 'mobile: +852 9123 4567']),
  toPerson('wang.wei', ['displayName: 王伟', 'displayName;lang-en: Wei Wang', 'nsAccountLock: true']),
  `dn: uid=zhao,ou=people,${DS389_SUFFIX}
objectClass: inetOrgPerson
uid: zhao
cn: 赵六
sn: 赵
userPassword: Pw-2026-zhao`,
  `dn: cn=service,ou=people,${DS389_SUFFIX}
objectClass: top
objectClass: nsAccount
objectClass: applicationProcess
cn: service`,
]

/** Starts it on a free port of loopback, without encryption. */
export async function startDs389(folder: string, port: number) {
  remove()
  const inf = join(folder, 'ds.inf')
  writeFileSync(join(folder, 'setup.py'), SETUP)
  writeFileSync(
    inf,
    `[general]
config_version = 2
full_machine_name = localhost.localdomain
strict_host_checking = False
[slapd]
instance_name = ${INSTANCE}
port = ${port}
self_sign_cert = False
root_password = ${DS389_ACCOUNT.password}
[backend-userroot]
suffix = ${DS389_SUFFIX}
create_suffix_entry = True
sample_entries = 001004000
`,
  )
  await run('/usr/bin/python3', [join(folder, 'setup.py'), inf])
  const server = ['-x', '-H', `ldap://127.0.0.1:${port}`, '-D', DS389_ACCOUNT.bindDn, '-w', DS389_ACCOUNT.password]
  await run('ldapadd', server, { input: PEOPLE.join('\n\n') })
  return { port, close: () => close() }
}

const PID = `/run/dirsrv/slapd-${INSTANCE}.pid`

async function close(): Promise<void> {
  const pid = Number(readFileSync(PID, 'utf8'))
  process.kill(pid)
  for (let i = 0; i < 100 && existsSync(`/proc/${pid}`); i++) await sleep(100)
  remove()
}

function remove(): void {
  for (const folder of ['/etc/dirsrv', '/var/lib/dirsrv', '/var/log/dirsrv', '/var/lock/dirsrv', '/run/dirsrv'])
    for (const name of [`slapd-${INSTANCE}`, `slapd-${INSTANCE}.pid`])
      rmSync(join(folder, name), { recursive: true, force: true })
}
