import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Keys that configurations name, of an authority of its own: nothing is checked against them. */
export function createKeys(folder: string): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const [keyForm, subject] = [
    ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
    ['-subj', '/CN=NL-A'],
  ]
  openssl('req', '-x509', ...keyForm, ...subject, '-keyout', 'router.key', '-out', 'router.pem', '-days', '2')
  openssl('req', '-x509', ...keyForm, '-subj', '/CN=ca', '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2')
  writeFileSync(join(folder, 'index.txt'), '')
  writeFileSync(join(folder, 'ca.conf'), '[ca]\ndefault_ca=own\n[own]\ndatabase=index.txt\ndefault_md=sha256\n')
  const ca = ['-config', 'ca.conf', '-cert', 'ca.pem', '-keyfile', 'ca.key']
  openssl('ca', ...ca, '-gencrl', '-crldays', '2', '-out', 'crl.pem')
  for (const number of ['N1', 'N2']) {
    writeFileSync(join(folder, `${number}.key`), staticKey())
    writeFileSync(join(folder, `${number}.token`), tokenKey())
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
    '-----BEGIN OpenVPN auth-gen-token server key-----',
    Buffer.alloc(128, 7)
      .toString('base64')
      .match(/.{1,64}/g)
      ?.join('\n') ?? '',
    '-----END OpenVPN auth-gen-token server key-----',
    '',
  ].join('\n')
