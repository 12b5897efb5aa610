/** Written at build time (infra/local/public-roots.ts). */
declare module '#public-roots' {
  /** Base64 of DER. */
  export const PUBLIC_ROOTS: readonly string[]
}
