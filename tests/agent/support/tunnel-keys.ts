import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Keys that configurations name, in the folders `keys` and `run`, of an authority of its own. */
export function createKeys(state: string): void {
  const [keys, revoked] = [join(state, 'keys'), join(state, 'run/revoked')]
  for (const folder of [keys, revoked]) mkdirSync(folder, { recursive: true })
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: keys, stdio: 'pipe' })
  const [keyForm, subject] = [
    ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
    ['-subj', '/CN=NL-A'],
  ]
  openssl('req', '-x509', ...keyForm, ...subject, '-keyout', 'router.key', '-out', 'router.pem', '-days', '2')
  openssl('req', '-x509', ...keyForm, '-subj', '/CN=ca', '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2')
  writeFileSync(join(keys, 'index.txt'), '')
  writeFileSync(join(keys, 'ca.conf'), '[ca]\ndefault_ca=own\n[own]\ndatabase=index.txt\ndefault_md=sha256\n')
  const ca = ['-config', 'ca.conf', '-cert', 'ca.pem', '-keyfile', 'ca.key']
  openssl('ca', ...ca, '-gencrl', '-crldays', '2', '-out', 'crl.pem')
  for (const number of ['N1', 'N2']) {
    mkdirSync(join(keys, number))
    for (const file of ['ca.pem', 'router.pem']) copyFileSync(join(keys, file), join(keys, number, file))
    writeFileSync(join(keys, number, 'control.key'), staticKey())
    writeFileSync(join(keys, number, 'tokens.key'), tokenKey())
    writeFileSync(join(keys, `${number}.key`), staticKey()) // of the profile of a software member
    copyFileSync(join(keys, 'crl.pem'), join(revoked, `${number}.pem`))
  }
}

/** 2,048 bits, hex, 16 bytes a line. */
const staticKey = (): string =>
  [
    '-----BEGIN OpenVPN Static key V1-----',
    ...Array.from({ length: 16 }, () => '0123456789abcdef'.repeat(2)),
    '-----END OpenVPN Static key V1-----',
    '',
  ].join('\n')

const tokenKey = (): string =>
  [
    '-----BEGIN OpenVPN auth-token server key-----',
    Buffer.alloc(128, 7)
      .toString('base64')
      .match(/.{1,64}/g)
      ?.join('\n') ?? '',
    '-----END OpenVPN auth-token server key-----',
    '',
  ].join('\n')
