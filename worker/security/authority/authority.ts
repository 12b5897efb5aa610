import type { PublicKey, X509Certificate } from '@peculiar/x509'
import { CERTIFICATE } from '#contract/device/limits.ts'
import { randomHex } from '#security/secrets.ts'
import { openKey, sealKey } from './sealed-key.ts'
import { P256, type X509, loadX509, toPem } from './x509.ts'

/*
 * Certificate authority of an account: its making, certificates of routers and revocation lists. OpenVPN of the devices
 * verifies what is signed here.
 */

export interface Authority {
  readonly accountId: number
  /** 128 random bits, hex: its name in documents, and its common name. */
  readonly name: string
  /** PEM. */
  readonly certificate: string
  readonly keySealed: string
  readonly expiresAt: number
}

const CERTIFICATE_LABEL = 'CERTIFICATE'
const CRL_LABEL = 'X509 CRL'
const CRL_NUMBER = '2.5.29.20'

export async function createAuthority(sealKeys: string, accountId: number, now: number): Promise<Authority> {
  const x509 = await loadX509()
  const keys = (await crypto.subtle.generateKey(P256, true, ['sign', 'verify'])) as CryptoKeyPair
  const name = randomHex(16)
  const notAfter = toSecond(now + CERTIFICATE.authorityMs)
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: createSerial(),
    name: [{ CN: [name] }],
    notBefore: toSecond(now - CERTIFICATE.backdatedMs),
    notAfter,
    signingAlgorithm: P256,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  const pkcs8 = (await crypto.subtle.exportKey('pkcs8', keys.privateKey)) as ArrayBuffer
  return {
    accountId,
    name,
    certificate: toPem(CERTIFICATE_LABEL, certificate.rawData),
    keySealed: await sealKey(sealKeys, accountId, pkcs8),
    expiresAt: notAfter.getTime(),
  }
}

/** Opened authority. */
export interface Signer {
  readonly x509: X509
  readonly certificate: X509Certificate
  readonly key: CryptoKey
  readonly expiresAt: number
}

export async function openAuthority(sealKeys: string, authority: Omit<Authority, 'name'>): Promise<Signer> {
  const x509 = await loadX509()
  const { certificate, expiresAt } = authority
  const pkcs8 = await openKey(sealKeys, authority)
  const key = await crypto.subtle.importKey('pkcs8', pkcs8, P256, false, ['sign'])
  return { x509, certificate: new x509.X509Certificate(certificate), key, expiresAt }
}

export interface Issued {
  /** Hex. */
  readonly serial: string
  /** PEM. */
  readonly certificate: string
  readonly expiresAt: number
}

/** Certificate of a router. One that answers tunnels is a server, too; a centre or node also has the mark of a gateway. */
export async function signCertificate(
  { x509, certificate: issuer, key, expiresAt }: Signer,
  publicKey: PublicKey,
  { name, isServer, isGateway }: { readonly name: string; readonly isServer: boolean; readonly isGateway: boolean },
  now: number,
): Promise<Issued> {
  const { clientAuth, serverAuth } = x509.ExtendedKeyUsage
  const notAfter = toSecond(Math.min(now + CERTIFICATE.validMs, expiresAt))
  const serial = createSerial()
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial,
    subject: [{ CN: [name] }],
    issuer: issuer.subjectName,
    notBefore: toSecond(now - CERTIFICATE.backdatedMs),
    notAfter,
    signingAlgorithm: P256,
    publicKey,
    signingKey: key,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([
        clientAuth,
        ...(isServer ? [serverAuth] : []),
        ...(isGateway ? [CERTIFICATE.gatewayUsage] : []),
      ]),
      await x509.SubjectKeyIdentifierExtension.create(publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
    ],
  })
  return { serial, certificate: toPem(CERTIFICATE_LABEL, certificate.rawData), expiresAt: notAfter.getTime() }
}

export interface Revocation {
  readonly serial: string
  readonly revokedAt: number
}

/**
 * Revocation list, PEM. It is valid as long as the authority: after its end a list shuts everybody out, and devices get
 * each new one with their document.
 */
export async function signList(
  { x509, certificate: issuer, key, expiresAt }: Signer,
  { revocations, number }: { readonly revocations: readonly Revocation[]; readonly number: number },
  now: number,
): Promise<string> {
  const list = await x509.X509CrlGenerator.create({
    issuer: issuer.subjectName,
    thisUpdate: toSecond(now - CERTIFICATE.backdatedMs),
    nextUpdate: new Date(expiresAt),
    signingAlgorithm: P256,
    signingKey: key,
    entries: revocations.map(({ serial, revokedAt }) => ({
      serialNumber: serial,
      revocationDate: toSecond(revokedAt),
    })),
    extensions: [
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
      new x509.Extension(CRL_NUMBER, false, toDerInteger(number)),
    ],
  })
  return toPem(CRL_LABEL, list.rawData)
}

/** 128 bits, of which 126 are random: positive, and never shorter. */
function createSerial(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40
  return Buffer.from(bytes).toString('hex')
}

/** Times of certificates have whole seconds. */
const toSecond = (ms: number): Date => new Date(Math.floor(ms / 1000) * 1000)

function toDerInteger(value: number): Uint8Array<ArrayBuffer> {
  const hex = value.toString(16)
  const even = hex.length % 2 === 0 ? hex : `0${hex}`
  const bytes = Buffer.from(/^[89a-f]/.test(even) ? `00${even}` : even, 'hex')
  return new Uint8Array([0x02, bytes.length, ...bytes])
}
