/** Limits of SaaS devices, flows and bandwidth pools. Comments name the section of the specification. */
export const SAAS = {
  poolNameMax: 32,
  groupMax: 24,
  bandwidthMax: 10_000, // Mbit/s
  bandwidthOffered: [1, 50, 100, 150, 200], // directory 5
  historyDays: 180, // directory 9
  topRows: 30, // directory 9
  seriesMax: 10, // besides "other" (其他)
  pointsMax: 1_000,
  chartMs: 3_600_000, // directory 9: default window of charts
  topMs: 21_600_000, // directory 9: default window of shares
} as const
