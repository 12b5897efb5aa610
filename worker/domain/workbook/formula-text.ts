/**
 * True for text that a spreadsheet would take for a formula when it is typed, or read from a CSV (OWASP, CSV injection):
 * = + - @ and their full-width forms, also behind white space, and a leading tab or line break.
 */
export const isFormulaText = (text: string): boolean => /^(\s*[=+\-@＝＋－＠]|[\t\r\n])/u.test(text)
