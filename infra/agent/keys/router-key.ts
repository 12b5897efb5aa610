import { type webcrypto, createPrivateKey, createPublicKey } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { replaceFile } from '../store.ts'

/* Key of the tunnels of a device, and its request for a certificate. The key never leaves its folder. */

export interface RouterKey {
  /** Request for a certificate, PEM: the same text as long as the key is the same. */
  request(): Promise<string>
  /** Makes another key, as after a reset of the device: certificates of the former one are revoked. */
  renew(): Promise<void>
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const PEM = 'pem'

/**
 * Key in this file (PKCS 8, mode 0600), with its request beside it. Both are made at the first request. A key that cannot
 * be read is an error, because another one in its place would cut the tunnels.
 */
export function routerKey(file: string): RouterKey {
  const requestFile = file.replace(/\.key$/, '') + '.csr'
  let last: Promise<unknown> = Promise.resolve()
  /** One at a time: two hellos must not make two keys. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work)
    last = next
    return next
  }
  const replaceKey = async () => {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await rm(requestFile, { force: true }) // a crash leaves a key without a request, and no request of another key
    const key = await createKey()
    await replaceFile(file, key)
    return key
  }
  return {
    request: () =>
      inTurn(async () => {
        const key = (await readText(file)) ?? (await replaceKey())
        const known = await readText(requestFile)
        if (known !== null && isOf(known, key)) return known
        const request = await createRequest(key)
        await replaceFile(requestFile, request)
        return request
      }),
    renew: () => inTurn(async () => void (await replaceKey())),
  }
}

async function createKey(): Promise<string> {
  const { privateKey } = (await crypto.subtle.generateKey(ALGORITHM, true, [
    'sign',
    'verify',
  ])) as webcrypto.CryptoKeyPair
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', privateKey))
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ format: PEM, type: 'pkcs8' }).toString()
}

/** Request without a name: the certificate gets that of the router. */
async function createRequest(key: string): Promise<string> {
  await import('reflect-metadata') // the library's container of parsers needs this first
  const { Pkcs10CertificateRequestGenerator } = await import('@peculiar/x509') // only devices with tunnels load it
  const pkcs8 = createPrivateKey(key).export({ format: 'der', type: 'pkcs8' })
  const keys = {
    privateKey: await crypto.subtle.importKey('pkcs8', new Uint8Array(pkcs8), ALGORITHM, false, ['sign']),
    publicKey: await crypto.subtle.importKey('spki', new Uint8Array(publicPart(key)), ALGORITHM, true, ['verify']),
  }
  const request = await Pkcs10CertificateRequestGenerator.create({ keys, signingAlgorithm: ALGORITHM }, crypto as never)
  return `${request.toString(PEM).trim()}\n`
}

const publicPart = (key: string): Buffer => createPublicKey(key).export({ format: 'der', type: 'spki' })

const isOf = (request: string, key: string): boolean =>
  Buffer.from(request.replaceAll(/-----.*-----|\s/g, ''), 'base64').includes(publicPart(key))

/** Null if there is no file. */
async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
