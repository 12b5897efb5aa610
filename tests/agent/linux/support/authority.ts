import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RouterDocument } from '#contract/device/document.ts'

/** A certificate authority of openssl, as the service has one for each account. */
export class Authority {
  readonly id: string
  private readonly folder = mkdtempSync(join(tmpdir(), 'netloom-ca-'))

  constructor(id = 'ab'.repeat(16)) {
    this.id = id
    this.openssl('req', '-x509', ...NEW_KEY, '-subj', '/CN=ca', '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '9')
    this.write('index.txt', '')
    this.write('serial', '1001\n')
    this.write(
      'ca.conf',
      [
        '[ca]\ndefault_ca=own\n[own]\ndatabase=index.txt\nserial=serial\nnew_certs_dir=.\ndefault_md=sha256\npolicy=any',
        'certificate=ca.pem\nprivate_key=ca.key\ndefault_days=90\ndefault_crl_days=9\nunique_subject=no',
        '[any]\ncommonName=supplied',
        '[both]\nkeyUsage=digitalSignature\nextendedKeyUsage=clientAuth,serverAuth',
        '[gateway]\nkeyUsage=digitalSignature\nextendedKeyUsage=clientAuth,serverAuth,1.3.6.1.5.5.7.3.17',
        '[client]\nkeyUsage=digitalSignature\nextendedKeyUsage=clientAuth\n',
      ].join('\n'),
    )
    this.signList()
  }

  /** Makes a key, and a certificate of it; `both` may also answer as a server, and `gateway` software members. */
  issue(name: string, usage: Usage = 'client'): { key: string; certificate: string } {
    mkdirSync(join(this.folder, name), { recursive: true })
    this.openssl('req', ...NEW_KEY, '-subj', `/CN=${name}`, '-keyout', `${name}/key`, '-out', `${name}/request`)
    return { key: this.read(`${name}/key`), certificate: this.renew(name, usage) }
  }

  /** A certificate for a key that there is already. */
  certify(name: string, key: string, usage: Usage = 'client'): string {
    mkdirSync(join(this.folder, name), { recursive: true })
    this.write(`${name}/key`, key)
    this.openssl('req', '-new', '-key', `${name}/key`, '-subj', `/CN=${name}`, '-out', `${name}/request`)
    return this.renew(name, usage)
  }

  /** Signs the same key again. */
  renew(name: string, usage: Usage = 'client', days = 90): string {
    const files = ['-in', `${name}/request`, '-out', `${name}/certificate`]
    this.openssl('ca', '-config', 'ca.conf', '-batch', '-notext', '-extensions', usage, '-days', `${days}`, ...files)
    return this.read(`${name}/certificate`)
  }

  /** Revokes the newest certificate of a name, and signs the list anew. */
  revoke(name: string): void {
    this.openssl('ca', '-config', 'ca.conf', '-revoke', `${name}/certificate`)
    this.signList()
  }

  get certificate(): string {
    return this.read('ca.pem')
  }

  get list(): string {
    return this.read('list')
  }

  /** A document with this authority and the keys of its networks, for a device with this certificate. */
  equip(document: RouterDocument, certificate: string | null, revoked = this.list): RouterDocument {
    return {
      ...document,
      authorities: [{ id: this.id, ca: this.certificate, certificate }],
      networks: document.networks.map((network) => ({
        ...network,
        authority: this.id,
        control_key: '5a'.repeat(256),
        revoked,
      })),
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  private signList(): void {
    this.openssl('ca', '-config', 'ca.conf', '-gencrl', '-out', 'list')
  }

  private openssl(...args: string[]): void {
    execFileSync('openssl', args, { cwd: this.folder, stdio: 'pipe' })
  }

  private read = (name: string): string => readFileSync(join(this.folder, name), 'utf8')
  private write = (name: string, text: string): void => writeFileSync(join(this.folder, name), text)
}

type Usage = 'client' | 'both' | 'gateway'

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
