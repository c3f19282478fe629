/** Matches URLs except files, so that stack traces keep their paths. */
const URLS = /\b(?!file:)([a-z][a-z0-9+.-]*:\/\/)([^\s"'`<>\\]*)/gi;
const HOST = /^(\[[0-9a-f:.]+\]|[^:]*)(:\d+)?/i;

/**
 * Cuts every URL in a text to scheme, host and port. Paths, queries and user names of RPC endpoints, databases and
 * webhooks may contain keys.
 */
export const withUrlOrigins = (text: string): string =>
  text.includes('://')
    ? text.replace(URLS, (_, scheme: string, rest: string) => scheme + hostOf(rest))
    : text;

function hostOf(rest: string): string {
  const [authority = ''] = rest.split(/[/?#]/, 1);
  const [host = ''] = HOST.exec(authority.slice(authority.lastIndexOf('@') + 1)) ?? [];
  return host.replace(/[^a-z0-9\]]+$/i, '');
}
