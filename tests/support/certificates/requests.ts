import { P256, loadX509, toPem } from '#security/authority/x509.ts'

/* Requests for certificates as devices make them, and other ones. */

const REQUEST_LABEL = 'CERTIFICATE REQUEST'

type KeyAlgorithm = Parameters<typeof crypto.subtle.generateKey>[0] & Record<string, unknown>

interface RequestOptions {
  /** Subject; absent: none. */
  readonly name?: readonly Record<string, string[]>[]
  readonly algorithm?: KeyAlgorithm
  readonly signing?: Record<string, unknown>
  readonly keys?: CryptoKeyPair
}

export const createKeys = async (algorithm: KeyAlgorithm = P256): Promise<CryptoKeyPair> =>
  (await crypto.subtle.generateKey(algorithm as never, true, ['sign', 'verify'])) as CryptoKeyPair

/** DER of a request. */
export async function createRequest({ name, algorithm = P256, signing, keys }: RequestOptions = {}): Promise<Buffer> {
  const { Pkcs10CertificateRequestGenerator } = await loadX509()
  const request = await Pkcs10CertificateRequestGenerator.create({
    ...(name && { name: name as never }),
    keys: keys ?? (await createKeys(algorithm)),
    signingAlgorithm: (signing ?? algorithm) as never,
  })
  return Buffer.from(request.rawData)
}

export const toRequestPem = (der: Uint8Array, label = REQUEST_LABEL): string =>
  toPem(label, new Uint8Array(der).buffer as ArrayBuffer)

/** Request of a device, PEM. */
export const createRequestPem = async (options: RequestOptions = {}): Promise<string> =>
  toRequestPem(await createRequest(options))
