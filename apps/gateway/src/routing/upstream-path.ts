/** The credential of a payment's link; it ends at the gateway. */
export const FUNDING_TOKEN_PARAMETER = 'token';

/** A route's path with its parameters in place: what the service sees is built from the route, never copied from the client. */
export function fillPath(template: string, parameters: Readonly<Record<string, string>>): string {
  return template.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(parameters[name] ?? ''),
  );
}

/** The query as the client wrote it, less one parameter when it is named. */
export function queryOf(url: string, without?: string): string {
  const start = url.indexOf('?');
  if (start === -1) return '';
  if (without === undefined) return url.slice(start);
  const kept = url
    .slice(start + 1)
    .split('&')
    .filter((pair) => pair !== '' && pair.split('=', 1)[0] !== without);
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}
