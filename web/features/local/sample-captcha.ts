const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" width="130" height="44"><rect width="130" height="44" fill="#f4f4f4"/><path d="M4 30Q40 4 70 24T126 14" stroke="#aaa" fill="none"/><text x="65" y="31" font-family="monospace" font-size="26" letter-spacing="8" text-anchor="middle" fill="#345">K7PW</text></svg>`

/** A stand-in for the Worker's picture. */
export const SAMPLE_CAPTCHA = `data:image/svg+xml,${encodeURIComponent(PICTURE)}`
