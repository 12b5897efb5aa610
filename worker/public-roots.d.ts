/** Type of the module with the public root certificates, which the build writes (infra/local/public-roots.ts). */
declare module '#public-roots' {
  /** DER of each certificate, in base64. */
  export const PUBLIC_ROOTS: readonly string[]
}
