import {
  type Build,
  LINUX_DISTRIBUTIONS,
  type LinuxDistribution,
  type LinuxPanel,
  type Platform,
  type Versions,
} from '#contract/download/index.ts'
import type { ReleaseTarget } from './check-release.ts'

/** A published build; a later one has the greater id. */
export interface Release extends ReleaseTarget {
  readonly id: number
  readonly build: Build
}

/** The newest build for each platform; one for all distributions of linux counts for each of them. */
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
