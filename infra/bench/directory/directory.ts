import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDirectory } from '#tests/support/directory/start.ts'
import { installDirectoryTools } from '#infra/local/network-tools.ts'
import { type Finding, print } from '../report.ts'
import { benchClient } from './client.ts'
import { benchProduct } from './product.ts'

const USERS = 20_000

/** A directory of 20,000 people, one slapd: our client alone, then the product's runs through a router's tunnel. */
export async function benchDirectory(): Promise<readonly Finding[]> {
  if (!(await installDirectoryTools())) return []
  const folder = mkdtempSync(join(tmpdir(), 'netloom-bench-slapd-'))
  const slapd = await startDirectory({ folder, users: USERS })
  try {
    const ca = readFileSync(join(folder, 'ca.crt'), 'utf8')
    const client = await benchClient(slapd, ca)
    print('Directory: the client', client)
    const product = await benchProduct(slapd, ca, USERS)
    print('Directory: runs through the tunnel of a router', product)
    return [...client, ...product]
  } finally {
    await slapd.close()
    rmSync(folder, { recursive: true })
  }
}
