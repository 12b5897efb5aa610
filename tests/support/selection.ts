import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'

/** Every suite whole; `npm test -- full` sets it. */
export const IS_FULL = process.env['TEST_DEPTH'] === 'full'

/** Fuzzed calls of a run; 0 leaves them to the depth. */
export const FUZZ_CALLS = Number(process.env['FUZZ_CALLS']) || 0

const PARTS = 8
const SEED_WITHOUT_GIT = 20_261_122

/** Made from the hash of the tree, so that each commit runs another eighth; `TEST_SEED` repeats one. */
export const SEED = Number(process.env['TEST_SEED']) || readTreeSeed()

function readTreeSeed(): number {
  try {
    const hash = execFileSync('git', ['rev-parse', 'HEAD^{tree}'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return Number.parseInt(hash.slice(0, 7), 16)
  } catch {
    return SEED_WITHOUT_GIT
  }
}

/** Files of a pattern that belong to the part of this run; a file's part hangs on its path alone. */
export const filesInTurn = (pattern: string, parts = PARTS): string[] =>
  globSync(pattern).filter((file) => createHash('sha1').update(file).digest().readUInt32BE() % parts === SEED % parts)

/** `npm test` without `full` and without named files sets it. */
const IS_HALVED = process.env['TEST_FILES'] === 'half'

/** Every file of a pattern; in a halved run those of this half. Two commits run about all of them. */
export const filesOfRun = (pattern: string): string[] => (IS_HALVED ? filesInTurn(pattern, 2) : [pattern])
