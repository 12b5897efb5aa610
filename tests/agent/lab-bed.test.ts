import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { Bed } from '#infra/lab/bed/bed.ts'
import { RUN_NAME, listLeftRuns, removeRun, writeOwner } from '#infra/lab/bed/leftovers.ts'
import { listNamespaces, processesIn } from '#infra/lab/bed/namespaces.ts'
import { hostAddress } from '#infra/lab/bed/sites.ts'

const canBuild =
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['--net', '--', 'true']).status === 0 &&
  ['ip', 'sysctl', 'nft', 'sleep'].every((tool) => spawnSync('which', [tool]).status === 0)
if (!canBuild)
  console.log('skipped: the bed of the lab is not built (root, network namespaces, ip, nft and sysctl needed)')

describe.skipIf(!canBuild)('the bed of the lab', () => {
  let folder = ''
  const open = async () => {
    folder = mkdtempSync(join(tmpdir(), RUN_NAME))
    const bed = new Bed(basename(folder))
    await bed.build()
    return bed
  }
  afterEach(() => removeRun(basename(folder)))

  const root = () => spawnSync('ip', ['-o', 'link'], { encoding: 'utf8' }).stdout.replaceAll(/qlen \d+.*/g, '')

  it('is built beside the machine and leaves nothing in it', async () => {
    const before = root()
    const bed = await open()
    expect(root()).toBe(before)
    expect(listNamespaces(bed.prefix).length).toBe(bed.namespaces().length)
    const { output } = await bed.run('rC', ['ip', 'route', 'get', hostAddress('C')])
    expect(output).toContain('dev lan')
    await bed.remove()
    expect(listNamespaces(bed.prefix)).toEqual([])
    expect(root()).toBe(before)
  })

  it('a run whose process was killed is found and removed with its processes, one that is alive is not', async () => {
    const bed = await open()
    const sleeper = bed.start('hC', ['sleep', '300'], { output: 'pipe' })
    await expect.poll(() => processesIn(bed.namespaces())).toEqual([sleeper.pid])
    writeOwner(folder)
    expect(listLeftRuns()).not.toContain(bed.prefix)
    rmSync(join(folder, 'owner.json'))
    expect(listLeftRuns()).toContain(bed.prefix)
    await removeRun(bed.prefix)
    expect(listNamespaces(bed.prefix)).toEqual([])
    expect(listLeftRuns()).not.toContain(bed.prefix)
    await expect.poll(() => sleeper.signalCode).toBe('SIGKILL')
  })
})
