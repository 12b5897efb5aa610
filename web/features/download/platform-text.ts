import type { LinuxDistribution, LinuxPanel, Platform, Versions } from '#contract/download/index.ts'

/* Names of client platforms as in directory 2, and detection of the visitor's own platform. */

export const PLATFORM_NAME: Readonly<Record<Platform, string>> = {
  windows: 'Windows',
  macOS: 'macOS',
  android: 'Android',
  iOS: 'iOS',
  linux: 'Linux',
  harmonyos: 'Harmony OS',
}

export const PANEL_NAME: Readonly<Record<LinuxPanel, string>> = { panel: '图形面板', command: '命令行' }

export const DISTRIBUTION_NAME: Readonly<Record<LinuxDistribution, string>> = {
  centos: 'CentOS',
  ubuntu: 'Ubuntu',
  debian: 'Debian',
  openeuler: 'openEuler',
  kylin: '银河麒麟',
  uos: '统信UOS',
}

export const isMobile = (platform: Platform): boolean => ['android', 'iOS', 'harmonyos'].includes(platform)

/** True where OpenVPN's own application runs. */
export const hasConnect = (platform: Platform): boolean => ['windows', 'macOS', 'android', 'iOS'].includes(platform)

const SIGNS: readonly (readonly [RegExp, Platform])[] = [
  [/HarmonyOS|OpenHarmony/, 'harmonyos'], // names Android, too
  [/Android/, 'android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'windows'],
  [/Macintosh/, 'macOS'],
  [/Linux/, 'linux'],
]

/** The platform of the visitor's own device. An iPad that asks for desktop pages calls itself a Mac, but has a touch screen. */
export function ownPlatform(userAgent: string, touchPoints: number): Platform | null {
  const found = SIGNS.find(([sign]) => sign.test(userAgent))?.[1] ?? null
  return found === 'macOS' && touchPoints > 1 ? 'iOS' : found
}

export const hasLinux = ({ linux }: Versions): boolean =>
  [linux.panel, linux.command].some((panel) => Object.values(panel).some((build) => build !== null))
