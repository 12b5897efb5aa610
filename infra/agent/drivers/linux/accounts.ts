import { readFile } from 'node:fs/promises'

/** Id of an account (`/etc/passwd`) or a group (`/etc/group`); null if the machine has none of this name. */
export async function findId(file: '/etc/passwd' | '/etc/group', name: string): Promise<number | null> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'))
  const [, , id] = lines.find(([entry]) => entry === name) ?? []
  return id === undefined ? null : Number(id)
}
