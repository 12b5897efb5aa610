import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { missingTools } from '#infra/local/network-tools.ts'
import { Namespaces, ip, runInside } from '../support/namespaces.ts'
import { anyDocument } from '../support/random-documents.ts'
import { hasNamespaces } from './support/real-tools.ts'

const missing = missingTools()
const canRun = missing.length === 0 && hasNamespaces
if (!canRun) console.log(`skipped: changes of a kernel (${missing.join(', ') || 'root and network namespaces'} needed)`)

const TOOLS = ['nft', 'ip', 'tc']

describe.skipIf(!canRun)('rules, routes, filter and rates of a kernel', () => {
  it(
    'are after a change exactly those of the document alone, and none after the last',
    { timeout: 1_800_000 },
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'nl-pairs-'))
      const spaces = new Namespaces()
      try {
        const router = spaces.add('k')
        spaces.connect([router, 'lan0', '10.12.0.1/24'], [spaces.add('l'), 'eth0', '10.12.0.2/24'])
        spaces.connect([router, 'wan0', '203.0.113.2/24'], [spaces.add('w'), 'eth0', '203.0.113.1/24'])
        const host = spaces.openHost(router, folder)
        const readKernel = () => ({
          rules: ip('-n', router, 'rule', 'show').split('\n').toSorted(),
          routes: ip('-4', '-n', router, 'route', 'show', 'table', 'all').split('\n').toSorted(),
          tables: ['netloom', 'netloom_bandwidth'].map((name) =>
            runInside(router, 'nft', '-s', 'list', 'table', 'inet', name),
          ),
          queues: runInside(router, 'tc', 'qdisc', 'show'),
          forward: runInside(router, 'cat', '/proc/sys/net/ipv4/ip_forward'),
        })
        const before = readKernel()
        const numRuns = inject('isFull') ? 500 : 8
        const documents = fc.sample(anyDocument, { numRuns, seed: inject('seed') })
        const applied = { steps: expect.anything(), unsettled: [] }
        for (const document of documents) {
          expect(await host.apply(document, TOOLS)).toEqual(applied) // on top of the one before
          const changed = readKernel()
          expect(await host.apply(document, TOOLS)).toEqual({ steps: [], unsettled: [] })
          expect(await host.apply(null, TOOLS)).toEqual(applied)
          expect(readKernel()).toEqual(before)
          expect(await host.apply(document, TOOLS)).toEqual(applied)
          expect(readKernel()).toEqual(changed)
        }
      } finally {
        spaces.remove()
        await rm(folder, { recursive: true, force: true })
      }
    },
  )
})
