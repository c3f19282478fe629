/** Rewrites the source of a pattern that ignores case, since JSON Schema has no flags. */
export function caseless(source: string): string {
  let inClass = false;
  return source.replace(/\\.|\[|\]|\(\?[:=!]|[a-z]-[a-z]|[A-Z]-[A-Z]|[a-zA-Z]/g, (token) => {
    if (token.startsWith('\\') || token.startsWith('(?')) return token;
    if (token === '[' || token === ']') {
      inClass = token === '[';
      return token;
    }
    const [lower, upper] = [token.toLowerCase(), token.toUpperCase()];
    if (inClass) return lower + upper;
    return token.length === 1 ? `[${lower}${upper}]` : expandPair(token);
  });
}

/** A hyphen between letters outside of a class is itself. */
const expandPair = (token: string): string =>
  [...token]
    .map((letter) => (letter === '-' ? '-' : `[${letter.toLowerCase()}${letter.toUpperCase()}]`))
    .join('');
