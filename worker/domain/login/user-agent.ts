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

export interface SignInDevice {
  readonly device: string
  readonly browser: string
  /** The same after an update of the browser. */
  readonly key: string
}

/** Device and browser of a User-Agent header. */
export function readDevice(userAgent: string): SignInDevice {
  const device = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? '未知设备'
  for (const [name, pattern] of BROWSERS) {
    const version = pattern.exec(userAgent)?.[1]
    if (version !== undefined) return { device, browser: `${name} ${version}`, key: `${device} · ${name}` }
  }
  return { device, browser: '未知浏览器', key: `${device} · 未知浏览器` }
}
