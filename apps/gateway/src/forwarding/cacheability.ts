type HeaderValue = number | string | string[] | undefined;

/** What decides who gets an answer, beside what its service looks at. */
const OURS = ['Authorization', 'Origin'];

/**
 * The headers to set, so that no browser or cache keeps an answer that its service does not want kept, nor shows one that
 * it does to another key or page.
 */
export function cacheabilityOf(
  headers: Readonly<Record<string, HeaderValue>>,
): Record<string, string> {
  const control = headers['cache-control'];
  if (control === undefined) return { 'cache-control': 'no-store' };
  if (control === 'no-store') return {};
  const said = [headers['vary'] ?? []].flat().join(',').split(',');
  const names = said.map((name) => name.trim()).filter((name) => name !== '');
  if (names.includes('*')) return { vary: '*' };
  const known = new Set(names.map((name) => name.toLowerCase()));
  const missing = OURS.filter((name) => !known.has(name.toLowerCase()));
  return { vary: [...names, ...missing].join(', ') };
}
