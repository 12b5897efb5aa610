import {
  type Platform,
  type Build,
  LINUX_DISTRIBUTIONS,
  type LinuxDistribution,
  type LinuxPanel,
  type Versions,
} from '#contract/download/index.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'

/* Builds of the client application: the check of a new one, and the newest one of each platform. */

/** File types that a platform installs. Linux runs `mjs` and `run` files directly. */
const EXTENSIONS: Readonly<Record<Platform, readonly string[]>> = {
  windows: ['exe', 'msi', 'zip'],
  macOS: ['dmg', 'pkg', 'zip'],
  android: ['apk'],
  iOS: ['ipa'],
  linux: ['rpm', 'deb', 'run', 'mjs', 'tar.gz', 'zip'],
  harmonyos: ['hap', 'app'],
}

export interface ReleaseTarget {
  readonly platform: Platform
  /** '' for every platform but linux; the same holds for `distribution`. */
  readonly panel: string
  readonly distribution: string
}

/** Only a linux build names its panel. The file must have a type that its platform installs. */
export function checkRelease({ platform, panel, distribution }: ReleaseTarget, name: string): Violation | null {
  const isLinux = platform === 'linux'
  if (isLinux !== (panel !== '') || (!isLinux && distribution !== '')) return violation('RELEASE_TARGET')
  const extensions = EXTENSIONS[platform]
  const isTaken = extensions.some((extension) => name.toLowerCase().endsWith(`.${extension}`))
  return isTaken ? null : violation('RELEASE_FILE', { extensions: extensions.join('、') })
}

/** A published build; a later one has the greater id. */
interface Release extends ReleaseTarget {
  readonly id: number
  readonly build: Build
}

/** The newest build of each platform. A build for all linux distributions counts for each of them. */
export function newestBuilds(releases: readonly Release[]): Versions {
  const newestFirst = releases.toSorted((a, b) => b.id - a.id)
  const newest = (platform: Platform, isFor: (release: Release) => boolean = () => true): Build | null =>
    newestFirst.find((release) => release.platform === platform && isFor(release))?.build ?? null
  const ofPanel = (wanted: LinuxPanel) => {
    const of = (name: LinuxDistribution) =>
      newest('linux', ({ panel, distribution }) => panel === wanted && ['', name].includes(distribution))
    return Object.fromEntries(LINUX_DISTRIBUTIONS.map((name) => [name, of(name)])) as Versions['linux']['panel']
  }
  return {
    windows: newest('windows'),
    macOS: newest('macOS'),
    android: newest('android'),
    iOS: newest('iOS'),
    harmonyos: newest('harmonyos'),
    linux: { panel: ofPanel('panel'), command: ofPanel('command') },
  }
}
