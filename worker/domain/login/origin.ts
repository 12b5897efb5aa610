/* Origin of a sign-in: place, browser and device in words, and the check for a new one. */

export interface RequestOrigin {
  readonly ip: string
  /** The place of the address in words, '' if unknown. */
  readonly place: string
  /** Block of addresses that replaces an unknown place. */
  readonly ipRegion: string
  readonly userAgent: string
}

export type SeenOrigin = readonly [kind: 'device' | 'place', value: string]

export const originsOf = ({ userAgent, place, ipRegion }: RequestOrigin): readonly [SeenOrigin, SeenOrigin] => [
  ['device', readDevice(userAgent).key],
  ['place', place || ipRegion],
]

export type Novelty = Readonly<Record<SeenOrigin[0], boolean>>

/** Null if nothing is new, and at a person's first sign-in, which has nothing to compare with. */
export function evaluateNovelty(origins: readonly SeenOrigin[], known: readonly SeenOrigin[]): Novelty | null {
  const isNew = (kind: SeenOrigin[0]) =>
    origins.some(([of, value]) => of === kind && !known.some(([k, v]) => k === kind && v === value))
  const novelty = { device: isNew('device'), place: isNew('place') }
  return known.length > 0 && (novelty.device || novelty.place) ? novelty : null
}

/** Browsers by display name. Browsers that embed another engine come first, because they name that engine too. */
const BROWSERS: readonly (readonly [name: string, version: RegExp])[] = [
  ['微信', /\bMicroMessenger\/(\d+)/],
  ['钉钉', /\bDingTalk\/(\d+)/],
  ['飞书', /\b(?:Lark|Feishu)\/(\d+)/],
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['QQ浏览器', /\bM?QQBrowser\/(\d+)/],
  ['UC浏览器', /\bUC?Browser\/(\d+)/],
  ['华为浏览器', /\bHuaweiBrowser\/(\d+)/],
  ['三星浏览器', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:(?:Headless)?Chrome|CriOS|Chromium)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//],
]

const SYSTEMS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['鸿蒙', /\b(?:OpenHarmony|HarmonyOS)\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Mac', /\bMac(?:intosh| OS X)\b/],
  ['Linux', /\b(?:Linux|X11)\b/],
]

/** Device and browser in words, with a key that stays the same after an update of the browser. */
export function readDevice(userAgent: string) {
  const device = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? '未知设备'
  for (const [name, pattern] of BROWSERS) {
    const version = pattern.exec(userAgent)?.[1]
    if (version !== undefined) return { device, browser: `${name} ${version}`, key: `${device} · ${name}` }
  }
  return { device, browser: '未知浏览器', key: `${device} · 未知浏览器` }
}
