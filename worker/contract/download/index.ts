import * as z from 'zod'
import { sourceCode } from '#contract/auth-source/index.ts'
import { read } from '#contract/kernel/endpoint.ts'
import { time } from '#contract/kernel/fields.ts'

/* Endpoints of the downloads page: builds of the client application by platform. */

/** Platforms of the client application, in the order of the page's cards (directory 2, 9). */
export const PLATFORMS = ['windows', 'macOS', 'android', 'iOS', 'linux', 'harmonyos'] as const
export type Platform = (typeof PLATFORMS)[number]
/** Editions for Linux, with a graphical panel or for the command line; the first is the default (directory 2). */
export const LINUX_PANELS = ['panel', 'command'] as const
export type LinuxPanel = (typeof LINUX_PANELS)[number]
/** Linux distributions that the client runs on; the first is the default (directory 2). */
export const LINUX_DISTRIBUTIONS = ['centos', 'ubuntu', 'debian', 'openeuler', 'kylin', 'uos'] as const
export type LinuxDistribution = (typeof LINUX_DISTRIBUTIONS)[number]

/** Limits of builds; the platform takes requests of up to 100 MB. All are ours. */
export const RELEASE = {
  maxBytes: 100_000_000,
  versionMax: 32,
  nameMax: 100,
  notesMax: 1_000,
  cacheSeconds: 3_600,
} as const

const build = z.object({
  version: z.string(),
  release_time: time,
  name: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  /** Release notes, as plain text. */
  notes: z.string(),
  /** Address of the file on the host that was asked. */
  src: z.string(),
})
export type Build = z.infer<typeof build>

/** Newest build; null if none is published (暂未发布). */
const newest = build.nullable()
const byDistribution = z.object(
  Object.fromEntries(LINUX_DISTRIBUTIONS.map((name) => [name, newest])) as Record<LinuxDistribution, typeof newest>,
)
const versions = z.object({
  windows: newest,
  macOS: newest,
  android: newest,
  iOS: newest,
  harmonyos: newest,
  linux: z.object({ panel: byDistribution, command: byDistribution }),
})
export type Versions = z.infer<typeof versions>

export const downloadApi = {
  versions: read('download/versions', 'public', {
    summary: 'The newest build of the client application for each platform; of linux by panel and distribution',
    output: versions,
  }),
  file: read('download/file', 'public', {
    summary: 'The bytes of a build, whole or in part (Range); its random name is the address',
    /** `source` is the source ID of an account, which the name of the saved file then contains. */
    input: z.object({ key: z.string().default(''), source: sourceCode.optional().catch(undefined) }), // a malformed key is an unknown build
    reply: 'file',
    output: z.unknown(),
    example: { key: '0'.repeat(32) },
  }),
} as const
