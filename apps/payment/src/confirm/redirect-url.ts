const FORBIDDEN = new Set(['javascript:', 'data:', 'blob:', 'vbscript:']);

/** Why the user cannot be sent to a URL; undefined when they can. Apps' own schemes are fine. */
export function redirectUrlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'Expected an absolute URL with a scheme.';
  // A parser strips blanks and control characters, and what strips them could also read another scheme.
  if (/[\s\p{Cc}]/u.test(text)) return 'A URL holds neither blanks nor control characters.';
  const { protocol } = new URL(text);
  return FORBIDDEN.has(protocol) ? `The scheme "${protocol}" is not allowed.` : undefined;
}
