/**
 * Cost of scrypt, which hashes passwords: the OWASP row that fits the 128 MB and the CPU time of a Worker. PBKDF2 does not
 * fit: production caps it at 100,000 iterations, although local runs do not (workerd#1346).
 */
export const COST = { N: 2 ** 14, r: 8, p: 5 } as const
