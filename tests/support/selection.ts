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

const numberOf = (text: string): number => createHash('sha1').update(text).digest().readUInt32BE()

/** Hashed, so that the rows which a file takes by the seed (depth.ts) are not the same in each of its turns. */
const TURN = numberOf(String(SEED))

/** Files of a pattern that belong to the part of this run; a file's part hangs on its path alone. */
export const filesInTurn = (pattern: string, parts = PARTS): string[] =>
  globSync(pattern).filter((file) => numberOf(file) % parts === TURN % parts)

/** `npm test` without `full` and without named files sets it. */
const IS_PART = process.env['TEST_FILES'] === 'part'

/** Every file of a pattern, or those of this part. As many commits as there are parts run about all of them. */
export const filesOfRun = (pattern: string, parts: number): string[] =>
  IS_PART ? filesInTurn(pattern, parts) : [pattern]
