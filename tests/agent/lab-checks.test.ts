import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { Bed } from '#infra/lab/bed/bed.ts'
import { RUN_NAME, removeRun, writeOwner } from '#infra/lab/bed/leftovers.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { BASIS } from '#tests/lab/basis.ts'
import { type Faults, openTunnels } from './support/hand-made-tunnels.ts'

const canRun =
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['--net', '--', 'true']).status === 0 &&
  ['ip', 'sysctl', 'nft', 'ping', 'tcpdump', 'openvpn'].every((tool) => spawnSync('which', [tool]).status === 0)
if (!canRun) console.log('skipped: checks of the lab (root, network namespaces, nft, ping, tcpdump and openvpn needed)')

describe.skipIf(!canRun)('checks of packets, against tunnels by hand', () => {
  let folder = ''
  const open = async (faults: Faults = {}): Promise<Lab> => {
    folder = mkdtempSync(join(tmpdir(), RUN_NAME))
    writeOwner(folder)
    const bed = new Bed(basename(folder))
    await bed.build()
    await openTunnels(bed, folder, faults)
    return { bed, folder, within: (boundMs: number) => boundMs } as Lab // these checks need no more
  }
  afterEach(() => removeRun(basename(folder)))

  const outcome = async (lab: Lab, number: number): Promise<string> => {
    const check = BASIS.find((one) => one.number === number)
    return check!.run(lab).then(
      () => 'passed',
      (error: unknown) => (error as Error).message,
    )
  }

  it('pass where tunnels do what they should', async () => {
    const lab = await open()
    const offenders = await findOffenders(BASIS.map(({ number }) => number))(async (number) =>
      expect(await outcome(lab, number)).toBe('passed'),
    )
    expect(offenders).toEqual([])
  })

  it('notice payload in clear, segments that are too long, a leak between networks, and ssh at a tunnel', async () => {
    const lab = await open({ isClear: true, isUnclamped: true, isLeaking: true, isOpen: true })
    expect({
      2: await outcome(lab, 2),
      3: await outcome(lab, 3),
      4: await outcome(lab, 4),
      5: await outcome(lab, 5),
    }).toEqual({
      2: 'the payload in clear',
      3: expect.stringContaining('through a tunnel'),
      4: 'the other host is offered 1460',
      5: expect.stringMatching(/the host of . reaches that of ./),
    })
  })
})
