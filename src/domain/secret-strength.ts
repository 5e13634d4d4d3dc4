/** Words that placeholders and well-known secrets hold; long enough to be no chance in a random text. */
const WELL_KNOWN = [
  ...[
    '123456',
    'abcdef',
    'administrator',
    'change-me',
    'change_me',
    'changeit',
    'changeme',
    'coffer',
  ],
  ...[
    'default',
    'development',
    'example',
    'insecure',
    'letmein',
    'passw0rd',
    'password',
    'placeholder',
  ],
  ...['qwerty', 'replace', 'secret', 'testing', 'your-key', 'yourkey'],
]

/** A random secret of 32 bytes, in any spelling, has at least this many different characters. */
const LEAST_DIFFERENT = 8

/**
 * Returns the reason a secret of 32 characters or more is guessable, as the end of a sentence about it; undefined if
 * there is none. For bytes, give each as one character.
 */
export function secretWeakness(secret: string): string | undefined {
  if (new Set(secret).size < LEAST_DIFFERENT) {
    return 'has too few different characters'
  }
  if (`${secret}${secret}`.indexOf(secret, 1) < secret.length) {
    return 'repeats itself'
  }
  const known = WELL_KNOWN.find((word) => secret.toLowerCase().includes(word))
  if (known !== undefined) {
    return `holds the well-known word "${known}"`
  }
  return isSequence(secret) ? 'is a sequence' : undefined
}

/** True if most characters follow the one before them, up or down. */
function isSequence(secret: string): boolean {
  const steps = [...secret]
    .slice(1)
    .map((character, at) => character.charCodeAt(0) - secret.charCodeAt(at))
  return [1, -1].some((step) => steps.filter((one) => one === step).length > steps.length / 2)
}
