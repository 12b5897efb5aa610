import { spawn } from 'node:child_process'

interface Administrator {
  readonly ldapsPort: number
  readonly bindDn: string
  readonly password: string
  readonly caFile: string
}

/** Sends LDIF with changetype to a directory on loopback, over LDAPS. */
export const ldapModify = ({ ldapsPort, bindDn, password, caFile }: Administrator, ldif: string): Promise<void> =>
  run('ldapmodify', ['-x', '-H', `ldaps://127.0.0.1:${ldapsPort}`, '-D', bindDn, '-w', password], {
    input: ldif,
    env: { ...process.env, LDAPTLS_CACERT: caFile },
  })

export function run(
  command: string,
  args: readonly string[],
  { input = '', env = process.env }: { readonly input?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['pipe', 'ignore', 'pipe'], env })
    let errors = ''
    child.stderr.on('data', (data: Buffer) => (errors += data.toString()))
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${command}: ${errors.trim()}`))))
    child.stdin.end(input)
  })
}
