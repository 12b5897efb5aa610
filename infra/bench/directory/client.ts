import { READER, SUFFIX, toPerson } from '#tests/support/directory/people.ts'
import type { Slapd } from '#tests/support/directory/slapd.ts'
import type { Finding } from '../report.ts'
import { listByPeer, signInByPeer } from './peer.ts'
import { startClient } from './runtime.ts'
import type { Measured, Task } from './task.ts'

const RUNS = 3
const SIGN_INS = 200
const BUDGET = { plain: 5, ldaps: 8, heapMiB: 64, signIn: 10, signInsPerSecond: 20 } as const

/** Our client inside workerd, without the product around it, against ldapts on Node with OpenSSL. */
export async function benchClient(slapd: Slapd, ca: string): Promise<readonly Finding[]> {
  const client = await startClient()
  try {
    const listing = (security: Task['security']): Task => ({
      kind: 'list',
      port: security === 'ldaps' ? slapd.ldapsPort : slapd.port,
      security,
      ca,
      account: READER,
      baseDn: SUFFIX,
      people: [],
    })
    const measure = async (task: Task) => {
      const ours = await best(() => client.run(task))
      const theirs = await best(() => listByPeer(task))
      return { ours, theirs, ratio: ours.cpuSeconds / theirs.cpuSeconds }
    }
    const plain = await measure(listing('none'))
    const ldaps = await measure(listing('ldaps'))
    const heapMiB = await client.peakHeapMiB(() => client.run(listing('ldaps')))

    const people = Array.from({ length: SIGN_INS }, (_, index) => toPerson(index * 7))
    const signIn = (count: number): Task => ({ ...listing('ldaps'), kind: 'signIn', people: people.slice(0, count) })
    const alone = await best(() => client.run(signIn(1)))
    const aloneByPeer = await best(() => signInByPeer(signIn(1)))
    const together = await client.run(signIn(SIGN_INS))
    return [
      toRatio(`list and compare ${ldaps.ours.count}, plain: CPU`, plain, BUDGET.plain),
      toRatio(`list and compare ${ldaps.ours.count}, LDAPS: CPU`, ldaps, BUDGET.ldaps),
      {
        what: 'the same: largest heap',
        value: heapMiB,
        unit: 'MiB',
        budget: BUDGET.heapMiB,
        must: 'stay below',
        note: 'objects and buffers, of this listing and the one before',
      },
      {
        what: 'sign-in over LDAPS, alone',
        value: alone.seconds / aloneByPeer.seconds,
        unit: '× peer',
        budget: BUDGET.signIn,
        must: 'stay below',
        note: `${(alone.seconds * 1000).toFixed(0)} ms against ${(aloneByPeer.seconds * 1000).toFixed(0)} ms`,
      },
      {
        what: `${SIGN_INS} sign-ins at once`,
        value: together.count / together.seconds,
        unit: 'a second',
        budget: BUDGET.signInsPerSecond,
        must: 'reach',
        note: `${together.count} right`,
      },
    ]
  } finally {
    await client.stop()
  }
}

/** Of several runs the one with the least processor time. */
async function best(run: () => Promise<Measured>): Promise<Measured> {
  const all: Measured[] = []
  for (let index = 0; index < RUNS; index++) all.push(await run())
  return all.toSorted((a, b) => a.cpuSeconds - b.cpuSeconds || a.seconds - b.seconds)[0] ?? run()
}

const toRatio = (
  what: string,
  { ours, theirs, ratio }: { ours: Measured; theirs: Measured; ratio: number },
  budget: number,
): Finding => ({
  what,
  value: ratio,
  unit: '× ldapts',
  budget,
  must: 'stay below',
  note: `${ours.cpuSeconds.toFixed(2)} s against ${theirs.cpuSeconds.toFixed(2)} s; ${ours.count} and ${theirs.count} users`,
})
