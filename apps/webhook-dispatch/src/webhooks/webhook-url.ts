const MAX_LENGTH = 2_048;
const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

export const isLoopbackHost = (host: string): boolean => LOOPBACK_HOSTS.has(host);

/** What is wrong with a webhook's URL, in itself; null when nothing is. Whom its host resolves to is asked elsewhere. */
export function urlProblem(text: string, options: { allowLoopback: boolean }): string | null {
  if (text.length > MAX_LENGTH) return `url must be at most ${MAX_LENGTH} characters long`;
  if (!URL.canParse(text)) return 'url must be an absolute URL';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'url may not hold credentials';
  if (options.allowLoopback && isLoopbackHost(url.hostname)) {
    return url.protocol === 'http:' || url.protocol === 'https:'
      ? null
      : 'url must be http or https';
  }
  if (url.protocol !== 'https:') return 'url must be https';
  // The URL parser drops a port that is the protocol's own.
  if (url.port !== '') return 'url must be on port 443';
  return null;
}
