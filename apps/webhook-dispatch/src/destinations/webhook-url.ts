const MAX_LENGTH = 2_048;
const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Names that never resolve to a public host (RFC 6761, RFC 6762, RFC 8375, ICANN reservations). */
const SPECIAL_NAMES =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa|invalid|onion|alt|test)$/;
/** Characters that the URL parser drops or rewrites: a registered URL must be used unchanged. */
const REWRITTEN = /[\p{Cc}\s\\]/u;
const NAMES_HOST = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]/i;

export const isLoopbackHost = (host: string): boolean => LOOPBACK_HOSTS.has(host);

/** Problem of a webhook URL itself; null for a valid one. The addresses of its host are checked separately. */
export function urlProblem(text: string, options: { allowLoopback: boolean }): string | null {
  if (text.length > MAX_LENGTH) return `url must be at most ${MAX_LENGTH} characters long`;
  if (REWRITTEN.test(text)) return 'url must not contain blanks, control characters or backslashes';
  if (!URL.canParse(text)) return 'url must be an absolute URL';
  if (!NAMES_HOST.test(text)) return 'url must name a host';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'url must not contain credentials';
  if (options.allowLoopback && isLoopbackHost(url.hostname)) {
    return url.protocol === 'http:' || url.protocol === 'https:'
      ? null
      : 'url must be http or https';
  }
  if (url.protocol !== 'https:') return 'url must be https';
  // The URL parser drops the default port of the protocol.
  if (url.port !== '') return 'url must be on port 443';
  return isSpecialName(url.hostname) ? 'url must be on a public host' : null;
}

/** Returns whether a name has a special meaning; single labels are resolved by the search domains of the machine. */
export function isSpecialName(hostname: string): boolean {
  if (hostname.startsWith('[') || /^[\d.]+$/.test(hostname)) return false;
  const name = hostname.replace(/\.$/, '').toLowerCase();
  return !name.includes('.') || SPECIAL_NAMES.test(name);
}
