import type { Platform } from '#contract/download/index.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'

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
  /** '' for every platform but linux, as `distribution`. */
  readonly panel: string
  readonly distribution: string
}

/** A build of linux names its panel, no other one does; the file is one that its platform can install. */
export function checkRelease({ platform, panel, distribution }: ReleaseTarget, name: string): Violation | null {
  const isLinux = platform === 'linux'
  if (isLinux !== (panel !== '') || (!isLinux && distribution !== '')) return violation('RELEASE_TARGET')
  const extensions = EXTENSIONS[platform]
  const isTaken = extensions.some((extension) => name.toLowerCase().endsWith(`.${extension}`))
  return isTaken ? null : violation('RELEASE_FILE', { extensions: extensions.join('、') })
}
