import { chmod, mkdir, readFile, readdir, rm, stat } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { replaceFile } from '#infra/agent/store.ts'
import { clientFolder, keyFiles, socketFolder } from '#infra/agent/drivers/render/openvpn.ts'
import type { Folders } from '#infra/agent/drivers/render/target.ts'
import type { OpenvpnObserved } from './plan.ts'
import type { NetworkKeys } from './wanted.ts'

/*
 * Files of OpenVPN on the disk: keys for root alone, and in the shared folder, for processes without privileges, files of
 * clients and revocation lists.
 */

const PRIVATE_FOLDER = 0o700
const SHARED_FOLDER = 0o711
const SHARED_FILE = 0o644

export async function writeKeys(folders: Folders, number: string, keys: NetworkKeys | null): Promise<void> {
  const folder = join(folders.keys, number)
  if (keys === null) return rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER })
  const { ca, certificate, control } = keyFiles(folders, number)
  for (const [path, text] of [
    [ca, keys.ca],
    [certificate, keys.certificate],
    [control, keys.control],
  ] as const)
    await replaceFile(path, text)
}

/** Key of the tokens by which software members return; it stays as long as the network. */
export async function ensureTokenKey(folders: Folders, number: string): Promise<void> {
  const path = keyFiles(folders, number).tokens
  if ((await readText(path)) !== null) return
  const lines =
    randomBytes(128)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  const label = 'OpenVPN auth-token server key'
  await replaceFile(path, [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n'))
}

export async function writeRevoked(folders: Folders, number: string, list: string | null): Promise<void> {
  const path = keyFiles(folders, number).revoked
  if (list === null) return rm(path, { force: true })
  await openShared(folders, 'revoked')
  await replaceFile(path, list, SHARED_FILE)
}

/** Writes the files of the named clients, deletes those without a text, and makes the folder of a server without any. */
export async function writeClients(
  folders: Folders,
  device: string,
  names: readonly string[],
  texts: Readonly<Record<string, string>>,
): Promise<void> {
  const folder = clientFolder(folders, device)
  await openShared(folders, 'ccd', device)
  for (const name of names) {
    const text = Object.hasOwn(texts, name) ? texts[name] : undefined
    if (text === undefined) await rm(join(folder, name), { force: true })
    else await replaceFile(join(folder, name), text, SHARED_FILE)
  }
}

/** Epoch ms since which a client has its entry; it is written anew with each change, also of the member's password. */
export const readEntryTime = async (folders: Folders, device: string, name: string): Promise<number> =>
  (await stat(join(clientFolder(folders, device), name))).mtimeMs

export const removeClients = (folders: Folders, device: string): Promise<void> =>
  rm(clientFolder(folders, device), { recursive: true, force: true })

/** A folder below the shared one that others may enter and not list. */
async function openShared({ shared }: Folders, ...names: readonly string[]): Promise<void> {
  for (let depth = 0; depth <= names.length; depth += 1) {
    const folder = join(shared, ...names.slice(0, depth))
    await mkdir(folder, { recursive: true })
    await chmod(folder, SHARED_FOLDER) // whatever the umask is
  }
}

export async function prepareShared(folders: Folders): Promise<void> {
  await openShared(folders)
  const sockets = socketFolder(folders)
  await mkdir(sockets, { recursive: true })
  await chmod(sockets, PRIVATE_FOLDER)
}

/** Files that lie on the disk now. */
export async function observeFiles(folders: Folders): Promise<Pick<OpenvpnObserved, 'clients' | 'keys' | 'revoked'>> {
  const devices = await listNames(join(folders.shared, 'ccd'))
  const lists = (await listNames(join(folders.shared, 'revoked'))).map((name) => name.replace(/\.pem$/, ''))
  return {
    clients: await readEach(devices, (device) => readTexts(clientFolder(folders, device))),
    keys: await readEach(await listFolders(folders.keys), async (number) => {
      const files = keyFiles(folders, number)
      const [ca, certificate, control] = await Promise.all([files.ca, files.certificate, files.control].map(readText))
      return { ca: ca ?? '', certificate: certificate ?? '', control: control ?? '' }
    }),
    revoked: await readEach(lists, async (number) => (await readText(keyFiles(folders, number).revoked)) ?? ''),
  }
}

/** Record by name, also for names such as `__proto__`, which an assignment would not keep. */
async function readEach<T>(names: readonly string[], read: (name: string) => Promise<T>): Promise<Record<string, T>> {
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await read(name)] as const)))
}

async function readTexts(folder: string): Promise<Record<string, string>> {
  return readEach(await listNames(folder), async (name) => (await readText(join(folder, name))) ?? '')
}

/** Without drafts of an interrupted write. */
const listNames = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(() => [])).filter((name) => !name.endsWith('.new'))

async function listFolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

export const readText = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null)
