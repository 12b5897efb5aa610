import * as z from 'zod'
import { LINUX_DISTRIBUTIONS, LINUX_PANELS, PLATFORMS, RELEASE } from '#contract/download/index.ts'
import { write, read } from '#contract/kernel/endpoint.ts'
import { codeString, displayText, time } from '#contract/kernel/fields.ts'

/* Operator's endpoints of builds of the client application. */

const target = {
  platform: z.enum(PLATFORMS),
  /** Control panel, for linux only. */
  panel: z.enum(['', ...LINUX_PANELS]).default(''),
  /** Distribution, for linux only; empty for all. */
  distribution: z.enum(['', ...LINUX_DISTRIBUTIONS]).default(''),
}
const version = codeString()
  .max(RELEASE.versionMax)
  .regex(/^\d+(\.\d+){1,3}([-+][0-9A-Za-z.+-]+)?$/, '版本号格式不正确，例如 1.2.0')

export const releaseOps = {
  publishRelease: write('release/publish', 'operator:admin', {
    body: 'stream',
    maxBytes: RELEASE.maxBytes,
    summary: 'Publish a build of the client application; the newest of a platform is the one that visitors get',
    input: z.object({
      ...target,
      version,
      notes: z.string().trim().max(RELEASE.notesMax).default(''),
      name: displayText.min(1).max(RELEASE.nameMax),
      /** SHA-256 of the body; another body is refused. */
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
    output: z.object({ id: z.int() }),
    example: { platform: 'windows', version: '1.2.0', name: 'client.msi', sha256: '0'.repeat(64) },
  }),
  listReleases: read('release/lists', 'operator:read', {
    summary: 'The newest builds of all platforms, with their ids',
    output: z.array(
      z.object({
        id: z.int(),
        platform: z.enum(PLATFORMS),
        panel: z.string(),
        distribution: z.string(),
        version: z.string(),
        name: z.string(),
        bytes: z.int(),
        sha256: z.string(),
        release_time: time,
      }),
    ),
  }),
  withdrawRelease: write('release/withdraw', 'operator:admin', {
    summary: 'Take a build back and delete its file; the one before it is the newest again',
    input: z.object({ id: z.int().positive() }),
    done: 'deleted',
    example: { id: 1 },
  }),
} as const
