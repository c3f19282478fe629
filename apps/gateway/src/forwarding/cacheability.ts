type HeaderValue = number | string | string[] | undefined;

/** Request headers that the gateway itself varies responses by. */
const VARIED_BY_GATEWAY = ['Authorization', 'Origin'];

/**
 * Computes cache headers: `no-store` unless the service allows caching, and a `Vary` that separates keys and origins.
 */
export function cacheabilityOf(
  headers: Readonly<Record<string, HeaderValue>>,
): Record<string, string> {
  const control = headers['cache-control'];
  if (control === undefined) return { 'cache-control': 'no-store' };
  if (control === 'no-store') return {};
  const varied = [headers['vary'] ?? []].flat().join(',').split(',');
  const names = varied.map((name) => name.trim()).filter((name) => name !== '');
  if (names.includes('*')) return { vary: '*' };
  const known = new Set(names.map((name) => name.toLowerCase()));
  const missing = VARIED_BY_GATEWAY.filter((name) => !known.has(name.toLowerCase()));
  return { vary: [...names, ...missing].join(', ') };
}
